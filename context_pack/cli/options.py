"""Every option of the command line, once; a command names those that it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from context_pack import profiles, render

F = TypeVar("F", bound=Callable[..., Any])


class LanguageName(click.ParamType[str]):
    """The name of a language; completed by the shell, checked with the other options."""

    name = "LANGUAGE"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        from chunker.languages.table import LANGUAGES

        return [CompletionItem(name) for name in sorted(LANGUAGES) if name.startswith(incomplete)]


def _option(*names: str, **settings: Any) -> Callable[[F], F]:
    return click.option(*names, default=None, **settings)


def _flag(name: str, text: str) -> Callable[[F], F]:
    return click.option(name, is_flag=True, default=None, help=text)


# A default of None means: not given, so the configuration file and the profile decide.
OPTIONS: dict[str, Callable[[Any], Any]] = {
    "repo": _option("--repo", metavar="DIR", type=click.Path(), help="Repository to read. [the enclosing one]"),
    "repos": _option(
        "--repo",
        metavar="DIR",
        type=click.Path(),
        multiple=True,
        help="Repository to read; several are packed together. [the enclosing one]",
    ),
    "max_chars": _option(
        "--max-chars", type=int, metavar="N", help="Size limit of the pack. [20000; more with --max-tokens]"
    ),
    "max_tokens": _option("--max-tokens", type=int, metavar="N", help="Size limit in tokens, besides --max-chars."),
    "tokenizer": _option(
        "--tokenizer", metavar="FILE", type=click.Path(), help="A tokenizer.json to count with. [characters / 4]"
    ),
    "diff": _option(
        "--diff",
        is_flag=False,
        flag_value="HEAD",
        metavar="[REV]",
        help="What a reviewer needs of what changed since REV, or by REV..REV. [uncommitted changes]",
    ),
    "limit": _option("--limit", type=int, metavar="N", help="Primary items at most. [10; more above 10000 characters]"),
    "symbols_limit": _option("--limit", type=int, metavar="N", help="Symbols at most. [100]"),
    "related": _option("--related", type=int, metavar="N", help="Related items for each primary one. [3]"),
    "related_mode": _option(
        "--related-mode",
        type=click.Choice(["focus", "explore", "none"]),
        help="Most around the best items, or further around all, or none. [focus]",
    ),
    "edges": _option(
        "--edges", metavar="LABEL,...", help="Follow only these edges, such as calls,tested_by,resembles. [all]"
    ),
    "depth": _option("--depth", type=int, metavar="N", help="Steps from an item to a related one. [2; 3 in explore]"),
    "have": _option(
        "--have", metavar="ID|FILE", multiple=True, help="Leave out this code, you have it; may be repeated."
    ),
    "have_pack": _option(
        "--have-pack",
        metavar="FILE",
        type=click.Path(),
        multiple=True,
        help="Leave out what this pack (JSON) delivered; may be repeated.",
    ),
    "top_k": _option("--top-k", type=int, metavar="N", help="Hits at most. [10]"),
    "order": _option(
        "--order",
        type=click.Choice(["files", "lines"]),
        help="Different files first, or the lines that answer best, whatever their file. [files]",
    ),
    "content": _flag("--content", "Add the text of each hit."),
    "format": _option("--format", type=click.Choice(render.formats()), help="Output format. [json]"),
    "profile": _option("--profile", type=click.Choice(list(profiles.PROFILES)), help="Set of defaults. [balanced]"),
    "model": _option("--model", metavar="NAME", help="Model beside the static one; see `ctxpack model list`. [auto]"),
    "include": _option("--include", metavar="GLOB", multiple=True, help="Only files that match; may be repeated."),
    "exclude": _option("--exclude", metavar="GLOB", multiple=True, help="No files that match; may be repeated."),
    "language": _option("--language", type=LanguageName(), multiple=True, help="Only this language; may be repeated."),
    "no_docs": _flag("--no-docs", "Leave out documents."),
    "docs_first": _flag("--docs-first", "Documents before code."),
    "fit": _option(
        "--fit", type=click.Choice(["whole", "cut"]), help="Items that do not fit: leave out, or cut. [cut]"
    ),
    "explain": _flag("--explain", "Say why each item is there, and what was left out."),
    "no_redact": _flag("--no-redact", "Show secrets as they stand, instead of [REDACTED:kind]."),
    "no_refresh": _flag("--no-refresh", "Answer from the index as it is."),
    "index_dir": _option("--index-dir", metavar="DIR", type=click.Path(), help="Where the index is kept. [user cache]"),
    "max_file_bytes": _option(
        "--max-file-bytes", type=int, metavar="N", help="Larger files are skipped, and reported. [1000000]"
    ),
    "wait": _option("--wait", type=float, metavar="SECONDS", help="How long to wait for another writer. [30]"),
    "yes": click.option("--yes", is_flag=True, help="Index a large folder outside any repository without asking."),
    "out": click.option("--out", metavar="FILE", type=click.Path(), help="Write the result to a file."),
    "pretty": click.option("--pretty", is_flag=True, help="Indent the JSON, as on a terminal."),
}
FILTERS = ("include", "exclude", "language", "no_docs", "docs_first")
GRAPH = ("edges", "depth")
PACK = (
    "max_chars", "max_tokens", "tokenizer", "limit", "related", "related_mode", *GRAPH, "have", "have_pack", "fit",
    "explain", "no_redact",
)  # fmt: skip
INDEX = ("profile", "model", "no_refresh", "index_dir", "max_file_bytes", "wait")


def options(*names: str) -> Callable[[F], F]:
    """A decorator that gives a command the named options, in this order."""

    def decorate(function: F) -> F:
        for name in reversed(names):
            function = OPTIONS[name](function)
        return function

    return decorate


def given(values: dict[str, Any]) -> dict[str, object]:
    """The options that were given on the command line."""
    return {name: value for name, value in values.items() if value is not None and value != ()}
