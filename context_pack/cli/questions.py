"""The commands that question an index: each calls one method of `context_pack.session.Session`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from context_pack.answer import Answer, Reply
from context_pack.cli.options import completing, given
from context_pack.cli.output import command
from context_pack.cli.progress import progress_line, stoppable
from context_pack.kinds.code.question import with_arguments
from context_pack.options.values import FILE

if TYPE_CHECKING:
    from context_pack.session import Session
    from contracts.records import Pack

ASKED_ABOVE = 5_000  # files in a folder outside any repository: it may be a home folder, named by mistake
MAX_LOG_BYTES = 16_000_000  # of a log on stdin, whose end is the query; an endless one is refused
Repos = tuple[str, ...]
_files = completing(FILE)


@command(
    "query",
    'ctxpack query "EmbeddingCache"',
    "ctxpack query src/cache.py --format md --out pack.md",
    "ctxpack query --diff main --format md",
    "gh pr diff 7 | ctxpack query --diff - --format md",
    "pytest 2>&1 | ctxpack query -",
)
@click.argument("text", required=False, shell_complete=_files)
def query(text: str | None, **values: Any) -> Reply:
    """Pack the code that answers TEXT: an identifier, a place (src/a.py, src/a.py:120, a URL of a code host), a stack
    trace or plain words. `-` reads TEXT from stdin.

    A sentence (`how are routes registered?`) finds the lines to read, a few words (`route registration`) find places in
    several files, `who calls total?`, `who catches CartError?` or `tests for Cart` finds the code that is tied to the
    name, `make lint` what a tool runs.

    With --diff, the pack holds what changed, then its callers, tests and contracts. TEXT is optional then, and must
    come before --diff. `--diff -` reads a patch from stdin, `--diff FILE.diff` reads one from a file; the patch need
    not be applied here.

    Exact symbol and path hits come first, then ranked code, then callers and callees. In JSON and HTML an item costs
    its content, its imports and 128 characters; in other formats every printed byte counts. Several --repo share one
    budget, and each path starts with its repository's name. --fleet asks those repositories of an organisation that
    TEXT is about (docs/fleet.md).
    """
    if text is None and values["diff"] is None and not values["staged"]:
        raise click.BadOptionUsage("text", "missing argument TEXT; it is only optional with --diff or --staged")
    if text == values["diff"] == "-":
        raise click.BadOptionUsage("diff", "TEXT and the patch cannot both be read from stdin")
    values["diff"] = read_patch(values["diff"])
    patch = not (values["diff"] or values["staged"] or values["fleet"])
    return _ask("query", None if text is None else read_text(text, patch=patch), **values)


@command("search", 'ctxpack search "retry backoff" --language python --top-k 5 --content')
@click.argument("text", shell_complete=_files)
def search(text: str, **values: Any) -> Reply:
    """List ranked chunks for TEXT, best first, without a size limit. `-` reads TEXT from stdin.

    Hits from different files come first, so that the list helps to choose a file. With --order lines, hits come in the
    order of a pack: each symbol once, and several from one file if they are the best.
    """
    return _ask("search", read_text(text), **values)


@command("related", "ctxpack related src/cache.py:120 --format text", "ctxpack related Cache.get --top-k 30")
@click.argument("target", metavar="FILE[:LINE]|SYMBOL", shell_complete=_files)
def related(target: str, **values: Any) -> Reply:
    """Show what is related to a place: callers, callees, tests, types, members and similar code, strongest first.

    A place is written as for `query`: src/a.py:120, src/a.py:120-140, a URL of a code host. Paths are relative to the
    working folder or to the root; with several repositories or --fleet, they start with the repository's name. A name
    with several definitions is an error that lists them. `-` reads the place from stdin.
    """
    return _ask("related", read_text(target), **values)


@command("symbols", 'ctxpack symbols "Embedding*" --limit 20')
@click.argument("pattern", required=False)
def symbols(pattern: str | None, limit: int | None, **values: Any) -> Reply:
    """Show the definitions of symbols whose name matches the glob PATTERN or contains it, ignoring case.

    Definitions of exactly this name come first. `-` reads PATTERN from stdin.
    """
    return _ask("symbols", read_text(pattern) if pattern == "-" else pattern, own={"limit": limit}, **values)


@command("status")
def status(repo: str | None, verify: bool, **values: Any) -> Reply:
    """Show what is indexed, with which model, whether it is up to date and what it does not cover. Changes nothing."""
    session = open_session(repo, {**given(values), "no_refresh": True}, serving=True)
    return _reply(session.status(verify=verify), session)


def _ask(
    verb: str, text: str | None, *, repo: Repos, yes: bool, fleet: str | None = None, repos: Repos = (),
    own: dict[str, Any] | None = None, **values: Any,
) -> Reply:  # fmt: skip
    """The reply of a fleet or of the repositories; commands in its hints name the same repositories.

    `own` are options of the question, not of the session.
    """
    if fleet is not None:
        from context_pack.fleet.replies import fleet_reply

        return fleet_reply(verb, text, fleet, repos, given({**values, "repo": repo}))
    if repos:
        raise click.BadOptionUsage("repos", "--repos needs --fleet")
    from context_pack.render import listing

    form = None if verb == "query" else values.pop("format")
    session = open_session(repo, given(values), yes=yes)
    if verb != "symbols" and text is not None and len(repo) < 2:
        from context_pack.kinds.code.target import from_root

        text = from_root(text, session.corpus.root, Path())
    answer: Answer[Any] = getattr(session, verb)(text, **given(own or {}))
    answer = replace(answer, hints=with_arguments(answer.hints, [word for one in repo for word in ("--repo", one)]))
    return _reply(answer, session, _printed(answer, session) if form is None else listing(answer.data, form))


def _printed(answer: Answer[Pack], session: Session) -> str | None:
    """The pack in its format; None if that is JSON."""
    if session.settings.format == "html":
        from context_pack.render.html.document import document
        from context_pack.render.html.graph import drawing

        return document(answer.data, drawing(answer.data, session.shown_corpus), answer.hints)
    from context_pack import render

    return render.layout(session.settings.format).render(answer.data)


def read_text(text: str, *, patch: bool = False) -> str:
    """The query from the command line, or from stdin for `-`, checked before any index is opened.

    Of a log longer than a query may be, the end: there, programs print what failed. With `patch`, a patch stays whole.
    """
    from context_pack.options.resolve import MAX_QUERY_CHARS, PATCH, check_query

    if text != "-":
        check_query(text)
        return text  # a hint says which part of it is used
    from chunker.parse.decoding import decode
    from contracts.errors import InvalidRequest, UsageError

    read = sys.stdin.buffer.read(MAX_LOG_BYTES + 1)
    decoded = decode(read)
    if decoded is None:
        raise InvalidRequest("query", "stdin is not text")
    log = decoded.rstrip("\n")
    if len(read) > MAX_LOG_BYTES:
        hint = f"keep the end of a log: `tail -c {MAX_QUERY_CHARS}`"
        raise UsageError("query", f"stdin has more than {MAX_LOG_BYTES:,} bytes", hint=hint)
    if patch and PATCH.match(log):
        return log
    query = check_query(log)
    if len(query) < len(log):
        click.echo(f"ctxpack: stdin has {len(log):,} characters; the last {len(query):,} are the query", err=True)
    return query


def read_patch(diff: str | None) -> str | None:
    """The change to review: a revision as given; for `-` or a `.diff` or `.patch` file, the patch in it."""
    if diff is None or (diff != "-" and not (diff.endswith((".diff", ".patch")) and Path(diff).is_file())):
        return diff
    from context_pack.io.tree import read_named

    return f"{read_named(diff).decode('utf-8', 'replace')}\n"


def open_session(
    repo: str | Repos | None, options: dict[str, object], *, yes: bool = False, serving: bool = False
) -> Session:
    """The opened index. Before indexing a large folder outside any repository, asks the person at the terminal."""
    from context_pack.session import Session
    from contracts.errors import LargeTree

    def opened(max_files: int | None) -> Session:
        with stoppable(), progress_line() as progress:
            return Session.open(repo, options, progress, max_files, serving)

    try:
        session = opened(None if yes else ASKED_ABOVE)
    except LargeTree as error:
        on_terminal = sys.stdin.isatty() and sys.stderr.isatty()
        if not on_terminal or not click.confirm(f"{error.message}. Index it?", err=True):
            raise
        session = opened(None)
    # Missing vectors of a transformer are computed after the answer is printed.
    click.get_current_context().call_on_close(session.corpus.finish_later)
    return session


def _reply(answer: Answer[Any], session: Session, printed: str | None = None) -> Reply:
    return Reply(answer, printed, session.corpus, checked=not session.settings.no_refresh)
