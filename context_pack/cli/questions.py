"""The commands that ask an index: each is one verb of `context_pack.session`, with its options read."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from context_pack.answer import Reply
from context_pack.cli.options import completing, given
from context_pack.cli.output import command
from context_pack.cli.progress import progress_line, stoppable
from context_pack.kinds.code.question import rewritten
from context_pack.options.values import FILE

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from context_pack.session import Session
    from contracts.records import Pack

ASKED_ABOVE = 5_000  # files of a folder outside any repository: it may be a home folder, asked about by mistake
Repos = tuple[str, ...]
Printer = Callable[["Answer[Any]", "Session"], str | None]
_files = completing(FILE)


@command(
    "query",
    'ctxpack query "EmbeddingCache"',
    "ctxpack query src/cache.py --format md --out pack.md",
    "ctxpack query --diff main --format md",
    "gh pr diff 7 | ctxpack query --diff - --format md",
    "pytest 2>&1 | tail -n 200 | ctxpack query -",
)
@click.argument("text", required=False, shell_complete=_files)
def query(text: str | None, **values: Any) -> Reply:
    """The pack for TEXT: an identifier, a place (src/a.py, src/a.py:120, a forge's URL), a pasted trace or plain words.

    A sentence (`how are routes registered?`) is answered by the lines to read, a few words (`route registration`) by
    places in several files, `who calls total?` or `tests for Cart` by what the code graph ties to the name.

    With --diff, TEXT may be left out: what changed, then its callers, tests and contracts. TEXT stands before --diff.
    `--diff -` reads a patch from stdin, `--diff FILE.diff` one from a file, whether it is applied here or not.

    `-` reads TEXT from stdin. Exact symbol and path hits come first, then ranked code, then what calls it and what it
    calls. In JSON and HTML an item costs its content, its imports and 128 characters; elsewhere every printed byte
    counts. With several --repo, one budget serves them all, and each path starts with its repository's name.
    With --fleet, the repositories of an organisation are asked that TEXT is about (docs/fleet.md).
    """
    if text is None and values["diff"] is None and not values["staged"]:
        raise click.BadOptionUsage("text", "Missing argument 'TEXT' (only --diff and --staged go without).")
    if text == values["diff"] == "-":
        raise click.BadOptionUsage("diff", "Either TEXT or the patch is read from stdin.")
    values["diff"] = read_patch(values["diff"])
    return _ask("query", None if text is None else read_text(text), printed=_printed, **values)


@command("search", 'ctxpack search "retry backoff" --language python --top-k 5 --content')
@click.argument("text", shell_complete=_files)
def search(text: str, **values: Any) -> Reply:
    """Ranked chunks for TEXT, best first, without a budget. `-` reads TEXT from stdin.

    A list of places serves to choose a file: different files come first. With --order lines, hits come in the order of
    a pack: each symbol once, several of one file where they answer best.
    """
    return _ask("search", read_text(text), **values)


@command("related", "ctxpack related src/cache.py:120 --format text", "ctxpack related Cache.get --top-k 30")
@click.argument("target", metavar="FILE[:LINE]|SYMBOL", shell_complete=_files)
def related(target: str, format: str, **values: Any) -> Reply:
    """What is tied to a place: callers, callees, tests, types, members, code that resembles it. Strongest ties first.

    A place is spelled as for `query`: src/a.py:120, src/a.py:120-140, a forge's URL. A path starts at the working
    folder or at the root; with several repositories, at the name of one. A name that is defined several times is an
    error that lists the places. `-` reads the place from stdin. With --fleet, a path starts at its repository's name.
    """
    from context_pack.render.text import related_text

    if values["fleet"] is not None:
        values["format"] = format
    printed = (lambda answer, _: related_text(answer.data)) if format == "text" else None
    return _ask("related", read_text(target), printed=printed, **values)


@command("symbols", 'ctxpack symbols "Embedding*" --limit 20')
@click.argument("pattern", required=False)
def symbols(pattern: str | None, limit: int | None, **values: Any) -> Reply:
    """Where symbols are defined: those whose name matches the glob PATTERN or contains it, in any case.

    `-` reads PATTERN from stdin.
    """
    return _ask("symbols", read_text(pattern) if pattern == "-" else pattern, own={"limit": limit}, **values)


@command("status")
def status(repo: str | None, verify: bool, **values: Any) -> Reply:
    """What is indexed, with which model, how old it is and what it does not cover. Changes nothing."""
    session = open_session(repo, {**given(values), "no_refresh": True}, serving=True)
    return _reply(session.status(verify=verify), session)


def _ask(
    verb: str, text: str | None, *, repo: Repos, yes: bool, fleet: str | None = None, repos: Repos = (),
    printed: Printer | None = None, own: dict[str, Any] | None = None, **values: Any,
) -> Reply:  # fmt: skip
    """The reply of a fleet or of the repositories, with the commands in its hints about the same repositories.

    `own` are options of the question, not of the session.
    """
    if fleet is not None:
        from context_pack.fleet.replies import fleet_reply

        return fleet_reply(verb, text, fleet, repos, given({**values, "repo": repo}))
    if repos:
        raise click.BadOptionUsage("repos", "--repos chooses among the repositories of a --fleet, and none is named.")
    session = open_session(repo, given(values), yes=yes)
    if verb == "related" and text is not None and len(repo) < 2:
        from context_pack.kinds.code.target import from_root

        text = from_root(text, session.corpus.root, Path.cwd())
    answer: Answer[Any] = getattr(session, verb)(text, **given(own or {}))
    named = [word for one in repo for word in ("--repo", one)]
    hints = rewritten(answer.hints, lambda verb, name: shlex.join(["ctxpack", verb, name, *named]))
    answer = replace(answer, hints=hints)
    return _reply(answer, session, printed(answer, session) if printed else None)


def _printed(answer: Answer[Pack], session: Session) -> str | None:
    """The pack in its format; None where that is JSON."""
    if session.settings.format == "html":
        from context_pack.render.html.document import document
        from context_pack.render.html.graph import drawing

        return document(answer.data, drawing(answer.data, session.shown_corpus), answer.hints)
    from context_pack import render

    return render.layout(session.settings.format).render(answer.data)


def read_text(text: str) -> str:
    """The query of the command line, or of stdin for `-`, checked before any index is touched."""
    from context_pack.options.resolve import MAX_QUERY_CHARS, check_query
    from contracts.errors import InvalidRequest

    if text != "-":
        return check_query(text)
    read = sys.stdin.buffer.read(4 * MAX_QUERY_CHARS + 1)  # bytes of UTF-8: more is refused anyway
    try:
        return check_query(read.decode("utf-8").rstrip("\n"))
    except UnicodeDecodeError as error:
        raise InvalidRequest("query", f"stdin is not valid UTF-8: {error}") from error


def read_patch(diff: str | None) -> str | None:
    """The change to review: a revision as it is; for `-` and the name of a `.diff` or `.patch` file the patch in it."""
    if diff is None or (diff != "-" and not (diff.endswith((".diff", ".patch")) and Path(diff).is_file())):
        return diff
    from context_pack.io.tree import read_named

    return f"{read_named(diff).decode('utf-8', 'replace')}\n"


def open_session(
    repo: str | Repos | None, options: dict[str, object], *, yes: bool = False, serving: bool = False
) -> Session:
    """The index that is asked; a person is asked first where it would be made of a large folder without a mark."""
    from context_pack.session import Session
    from contracts.errors import LargeTree

    def opened(most_files: int | None) -> Session:
        with stoppable(), progress_line() as progress:
            return Session.open(repo, options, progress, most_files, serving)

    try:
        session = opened(None if yes else ASKED_ABOVE)
    except LargeTree as error:
        on_terminal = sys.stdin.isatty() and sys.stderr.isatty()
        if not on_terminal or not click.confirm(f"{error.message}. Index it?", err=True):
            raise
        session = opened(None)
    # After the answer is out: the durable table may follow in its own time.
    click.get_current_context().call_on_close(session.corpus.finish_later)
    return session


def _reply(answer: Answer[Any], session: Session, printed: str | None = None) -> Reply:
    return Reply(answer, printed, session.corpus, checked=not session.settings.no_refresh)
