"""`ctxpack batch`: many questions to one opened index: JSON Lines in, one envelope per line out, in order."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from math import isfinite
from typing import Any

import click

from context_pack.answer import Answer
from context_pack.cli.options import given
from context_pack.cli.output import command, write
from context_pack.envelope import answered, encoded, failed, translated
from context_pack.options.spec import per_question
from context_pack.options.values import closest
from context_pack.session import Session
from contracts.errors import InvalidRequest
from contracts.records import as_data

FIELDS = frozenset({"id", "action", "args"})
ACTIONS = ("query", "search", "related", "symbols", "status")
ALSO = {"related": "target", "symbols": "pattern"}  # other names of `query`: those of the library and the tools


@command("batch", "ctxpack batch --repo . < requests.jsonl")
@click.argument("file", default="-", type=click.Path())
def batch(file: str, repo: tuple[str, ...], yes: bool, **values: Any) -> None:
    """Answer requests in JSON Lines from FILE (default: stdin): one envelope per line, in order.

    \b
    A request: {"id": 1, "action": "query", "args": {"query": "EmbeddingCache", "max_chars": 8000}}
    Actions: query, search, related, symbols, status. `query` is the text, place or pattern; the other
    arguments have the names of the long options.
    """
    from context_pack.cli.questions import open_session

    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as lines:  # noqa: PTH123 - the error names the file
        session = open_session(repo, {**given(values), "format": "json"}, yes=yes)
        for line in answers(session, lines):
            write(line)


def answers(session: Session, lines: Iterable[bytes]) -> Iterator[bytes]:
    """One line of JSON per line that is not blank; a failed request is answered with its error."""
    for line in lines:
        if line.strip():
            yield _answer(session, line)


def _answer(session: Session, line: bytes) -> bytes:
    request: Any = None
    try:
        request = _parsed(line)
        envelope = answered(ask(session, request), session.corpus, checked=not session.settings.no_refresh)
    except Exception as error:  # one bad line must not affect the others
        from context_pack.next_steps import Request, next_steps

        failure, body = translated(error), request if isinstance(request, dict) else {}
        args = body.get("args")
        envelope = failed(failure, next_steps(failure, Request(body, args if isinstance(args, dict) else {})))
    number = request.get("id") if isinstance(request, dict) else None
    return encoded({"id": number, **as_data(envelope)})


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:  # ValueError: not JSON, not UTF-8, a number of 5,000 digits
        raise InvalidRequest("request", f"the line is not JSON: {error}") from error


def _finite(text: str) -> float:
    """A number that JSON can represent: `1e999` and `NaN` are refused."""
    if not isfinite(number := float(text)):
        raise ValueError(f"{text} is not a JSON number")
    return number


def ask(session: Session, request: object) -> Answer[Any]:
    """The answer to one request. InvalidRequest names the field that is wrong."""
    if not isinstance(request, Mapping):
        raise InvalidRequest("request", "the request is not a JSON object")
    for name in request:
        if name not in FIELDS:
            raise InvalidRequest(name, f"unknown field {name} in the request", hint=closest(name, FIELDS, "fields"))
    args = request.get("args", {})
    if not isinstance(args, Mapping):
        raise InvalidRequest("args", "args is not an object")
    action = request.get("action")
    if action not in ACTIONS:
        raise InvalidRequest("action", f"there is no action {action!r}", hint=f"the actions are {', '.join(ACTIONS)}")
    if "query" not in args:
        args = {"query" if name == ALSO.get(action) else name: value for name, value in args.items()}
    subject = () if action == "status" else ("query",)  # its name in a request; the command line may use another
    taken = (*subject, *per_question(action))
    for name in args:
        if name not in taken:
            raise InvalidRequest(name, f"{action} does not accept {name}", hint=closest(name, taken, "arguments"))
    options = {name: value for name, value in args.items() if name != "query"}
    return getattr(session, action)(*(args.get(name) for name in subject), **options)
