"""`ctxpack pages`: its options read, its answer written."""

from __future__ import annotations

import sys
from typing import Any

import click

from context_pack.cli.delivery import deliver
from context_pack.cli.options import options
from context_pack.collecting import collection_paused


def _names(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """`--tags a,b` as names; None when it is not given."""
    return None if value is None else tuple(name.strip() for name in value.split(",") if name.strip())


@click.command(
    epilog="\b\nExamples:\n"
    '  ctxpack pages "how do agents remember" --vault notes\n'
    '  ctxpack pages --title "RAG vs. wiki" --tags rag,wiki --entities andrej-karpathy --limit 3\n'
    "  ctxpack pages --page wiki/concepts/memory.md --format json"
)
@click.argument("seed", required=False, default="")
@click.option("--vault", metavar="DIR", type=click.Path(), help="Folder that holds wiki/. [the nearest upwards]")
@click.option("--page", metavar="PATH", type=click.Path(), help="The seed is this page.")
@click.option("--title", metavar="T", help="The seed is a source of this title.")
@click.option("--tags", metavar="A,B", callback=_names, help="Its tags, instead of inferred ones.")
@click.option("--entities", metavar="X,Y", callback=_names, help="Whom or what it names, instead of inferred ones.")
@click.option("--limit", type=click.IntRange(min=1), default=5, metavar="N", help="Pages at most. [5]")
@click.option("--exclude", multiple=True, metavar="PATH", type=click.Path(), help="Not this page; may be repeated.")
@click.option("--min-score", type=click.IntRange(min=0), default=3, metavar="N", help="Points at least. [3]")
@click.option(
    "--searcher", type=click.Choice(["hybrid", "none"]), default="hybrid", help="Who finds similar text. [hybrid]"
)
@click.option("--format", "form", type=click.Choice(["md", "json"]), default="md", help="Output format. [md]")
@options("explain", "no_redact", "out", "pretty")
@collection_paused()
def pages(
    seed: str, vault: str | None, form: str, explain: bool | None, no_redact: bool | None, out: str | None,
    pretty: bool, **given: Any,
) -> None:  # fmt: skip
    """The pages of a wiki vault to read before answering or writing about SEED, each with its points.

    SEED is a question or any text (`-`: stdin); with --page or --title it may be left out. Pages are *.md below wiki/,
    without index*.md. Points: shared tag 3, shared domain 2, link to or from a named entity 1, same page type 1,
    top-3 hit of the searcher 5, title overlap 4.
    """
    from context_pack.kinds.pages import PageRequest, answer
    from context_pack.kinds.pages.table import as_table

    if given["page"] is not None and (given["title"], given["tags"], given["entities"]) != (None, None, None):
        raise click.UsageError("--page is a seed by itself: leave out --title, --tags and --entities")
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if seed == "-" else seed
    found = answer(PageRequest(text, explain=bool(explain), no_redact=bool(no_redact), **given), vault)
    deliver(found, as_table(found.data) if form == "md" else None, out=out, pretty=pretty)


COMMANDS = (pages,)
