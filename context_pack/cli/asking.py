"""The commands that ask: each is one verb of `context_pack.session`, with its options read and its answer written."""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from context_pack.cli.emit import tell_hints, write, write_envelope
from context_pack.cli.interrupt import stoppable
from context_pack.cli.options import FILTERS, GRAPH, INDEX, PACK, given, options
from context_pack.cli.progress import progress_line
from context_pack.suggestions import rewritten

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from context_pack.session import Session
    from contracts.records import Pack

ASKED_ABOVE = 5_000  # files of a folder outside any repository: it may be a home folder, asked about by mistake
T = TypeVar("T")


@click.command(
    epilog='\b\nExamples:\n  ctxpack query "EmbeddingCache"\n  ctxpack query src/cache.py --format md --out pack.md\n'
    "  ctxpack query --diff main --format md\n  pytest 2>&1 | tail -n 200 | ctxpack query -"
)
@click.argument("text", required=False)
@options("repos", "diff", *PACK, "format", *FILTERS, *INDEX, "yes", "out", "pretty")
def query(text: str | None, repo: tuple[str, ...], yes: bool, out: str | None, pretty: bool, **values: Any) -> None:
    """The pack for TEXT: an identifier, a place (src/a.py, src/a.py:120, a forge's URL), a pasted trace or plain words.

    With --diff, TEXT may be left out: what changed, then its callers, tests and contracts. TEXT stands before --diff.

    `-` reads TEXT from stdin. Exact symbol and path hits come first, then ranked code, then what calls it and what it
    calls. In JSON and HTML an item costs its content, its imports and 128 characters; elsewhere every printed byte
    counts. With several --repo, one budget serves them all, and each path starts with its repository's name.
    """
    if text is None and values["diff"] is None:
        raise click.BadOptionUsage("text", "Missing argument 'TEXT' (only --diff goes without).")
    asked = None if text is None else _text(text)
    session = _open(repo, given(values), yes=yes)
    answer = _with_options(session.query(asked), repo)
    printed = _printed(answer, session)
    if printed is None:
        _answer(answer, session, pretty, out)
    else:
        write(printed.encode(), out)
        tell_hints(answer.hints)


def _with_options(answer: Answer[T], repo: tuple[str, ...]) -> Answer[T]:
    """The answer with the commands in its hints as they can be run from here: about the same repositories."""
    named = [word for one in repo for word in ("--repo", one)]
    hints = rewritten(answer.hints, lambda verb, name: shlex.join(["ctxpack", verb, name, *named]))
    return replace(answer, hints=hints)


def _printed(answer: Answer[Pack], session: Session) -> str | None:
    """The pack in its format; None where that is JSON."""
    if session.settings.format == "html":
        from context_pack.pictured import pictured

        return pictured(answer, session.shown_corpus)
    from context_pack import render

    return render.layout(session.settings.format).render(answer.data)


@click.command(epilog='\b\nExample:\n  ctxpack search "retry backoff" --language python --top-k 5 --content')
@click.argument("text")
@options("repos", "top_k", "order", "content", "explain", "no_redact", *FILTERS, *INDEX, "yes", "out", "pretty")
def search(text: str, repo: tuple[str, ...], yes: bool, out: str | None, pretty: bool, **values: Any) -> None:
    """Ranked chunks for TEXT, best first, without a budget. `-` reads TEXT from stdin.

    A list of places serves to choose a file: different files come first. With --order lines, hits come in the order of
    a pack: each symbol once, several of one file where they answer best.
    """
    asked = _text(text)
    session = _open(repo, given(values), yes=yes)
    _answer(_with_options(session.search(asked), repo), session, pretty, out)


@click.command(
    epilog="\b\nExamples:\n  ctxpack related src/cache.py:120 --format text\n  ctxpack related Cache.get --top-k 30"
)
@click.argument("target", metavar="FILE[:LINE]|SYMBOL")
@click.option("--format", "form", type=click.Choice(("json", "text")), default="json", help="Output format. [json]")
@options("repos", "top_k", *GRAPH, "content", "explain", "no_redact", *FILTERS, *INDEX, "yes", "out", "pretty")
def related(
    target: str, form: str, repo: tuple[str, ...], yes: bool, out: str | None, pretty: bool, **values: Any
) -> None:
    """What is tied to a place: callers, callees, tests, types, members, code that resembles it. Strongest ties first.

    A place is spelled as for `query`: src/a.py:120, src/a.py:120-140, a forge's URL. A path starts at the working
    folder or at the root; with several repositories, at the name of one. A name that is defined several times is an
    error that lists the places.
    """
    from pathlib import Path

    from context_pack.target import from_root

    asked = _text(target)
    session = _open(repo, given(values), yes=yes)
    answer = session.related(asked if len(repo) > 1 else from_root(asked, session.corpus.root, Path.cwd()))
    if form == "json":
        _answer(answer, session, pretty, out)
        return
    from context_pack.render.related_text import render

    write(render(answer.data).encode(), out)
    tell_hints(answer.hints)


@click.command(epilog='\b\nExample:\n  ctxpack symbols "Embedding*" --limit 20')
@click.argument("pattern", required=False)
@options("repos", "symbols_limit", *INDEX, "yes", "out", "pretty")
def symbols(
    pattern: str | None,
    repo: tuple[str, ...],
    limit: int | None,
    yes: bool,
    out: str | None,
    pretty: bool,
    **values: Any,
) -> None:
    """Where symbols are defined: those whose name matches the glob PATTERN or contains it, in any case.

    `-` reads PATTERN from stdin.
    """
    pattern = _text(pattern) if pattern == "-" else pattern
    session = _open(repo, given(values), yes=yes)
    _answer(session.symbols(pattern, **given({"limit": limit})), session, pretty, out)


@click.command()
@click.option("--verify", is_flag=True, help="Read all of the index and compare it with its checksums.")
@options("repo", "profile", "model", "index_dir", "out", "pretty")
def status(repo: str | None, verify: bool, out: str | None, pretty: bool, **values: Any) -> None:
    """What is indexed, with which model, how old it is and what it does not cover. Changes nothing."""
    session = _open(repo, {**given(values), "no_refresh": True}, serving=True)
    _answer(session.status(**({"verify": True} if verify else {})), session, pretty, out)


@click.command(epilog="\b\nExample:\n  ctxpack batch --repo . < requests.jsonl")
@click.argument("file", default="-", type=click.Path())
@options("repos", *PACK, *FILTERS, *INDEX, "yes")
def batch(file: str, repo: tuple[str, ...], yes: bool, **values: Any) -> None:
    """Answer JSON Lines from FILE (or stdin): one envelope a line, in order, one index for all.

    \b
    A request: {"id": 1, "action": "query", "args": {"query": "EmbeddingCache", "max_chars": 8000}}
    Actions: query, search, related, symbols, status. Arguments are named like the long options.
    """
    from context_pack.batch import answers, answers_in_parallel, at_once

    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as lines:  # noqa: PTH123 - the error names the file
        session = _open(repo, {**given(values), "format": "json"}, yes=yes)
        for line in answers_in_parallel(session, lines) if at_once(lines) else answers(session, lines):
            write(line)


def _text(text: str) -> str:
    """The query of the command line, or of stdin for `-`, checked before any index is touched."""
    from context_pack.settings import MAX_QUERY_CHARS, check_query
    from contracts.errors import InvalidRequest

    if text != "-":
        return check_query(text)
    read = sys.stdin.buffer.read(4 * MAX_QUERY_CHARS + 1)  # bytes of UTF-8: more is refused anyway
    try:
        return check_query(read.decode("utf-8").rstrip("\n"))
    except UnicodeDecodeError as error:
        raise InvalidRequest("query", f"stdin is not valid UTF-8: {error}") from error


def _open(
    repo: str | tuple[str, ...] | None, options: dict[str, object], *, yes: bool = False, serving: bool = False
) -> Session:
    from context_pack.session import Session
    from contracts.errors import LargeTree

    def opened(most_files: int | None) -> Session:
        with stoppable(), progress_line() as progress:
            return Session.open(repo, options, progress, most_files, serving)

    try:
        session = opened(None if yes else ASKED_ABOVE)
    except LargeTree as error:
        asked = sys.stdin.isatty() and sys.stderr.isatty()
        if not asked or not click.confirm(f"{error.message}. Index it?", err=True):
            raise
        session = opened(None)
    # After the answer is out: the durable table may follow in its own time.
    click.get_current_context().call_on_close(session.corpus.finish_later)
    return session


def _answer(answer: Answer[Any], session: Session, pretty: bool, out: str | None) -> None:
    from context_pack.envelope import answered

    checked = not session.settings.no_refresh
    write_envelope(answered(answer, session.corpus, checked), pretty=pretty, out=out)


COMMANDS = (query, search, related, symbols, status, batch)
