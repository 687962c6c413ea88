"""Many questions of one opened index: JSON Lines in, one envelope a line out, in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from context_pack.answer import Answer
from context_pack.envelope import answered, encoded, failed, translated
from context_pack.session import Session
from contracts.errors import CtxpackError, InvalidRequest
from contracts.records import Hint
from contracts.wire import envelope_data

FIELDS = frozenset({"id", "action", "args"})
ACTIONS = "query, search, related, symbols and status"


def answers(session: Session, lines: Iterable[bytes]) -> Iterator[bytes]:
    """One line of JSON for each line that is not blank; a request that fails is answered with its error."""
    for line in lines:
        if line.strip():
            yield _answer(session, line)


def _answer(session: Session, line: bytes) -> bytes:
    request: Any = None
    try:
        request = _parsed(line)
        answer = ask(session, request)
        envelope = answered(answer, session.corpus, checked=not session.settings.no_refresh)
    except Exception as error:  # one bad line never spoils the others
        failure = translated(error)
        envelope = failed(failure, _next_steps(failure, request))
    number = request.get("id") if isinstance(request, dict) else None
    return encoded({"id": number, **envelope_data(envelope)})


def _next_steps(error: CtxpackError, request: Any) -> tuple[Hint, ...]:
    from context_pack.next_steps import Request, next_steps

    asked = request if isinstance(request, dict) else {}
    args = asked.get("args", {})
    return next_steps(error, Request(asked, args if isinstance(args, dict) else {}))


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # ValueError: not JSON, not UTF-8, a number of 5,000 digits
        raise InvalidRequest("request", f"the line is not JSON: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def ask(session: Session, request: object) -> Answer[Any]:
    """The answer to one request. InvalidRequest names what is wrong with it."""
    if not isinstance(request, Mapping):
        raise InvalidRequest("request", "the request is not a JSON object")
    for name in request:
        if name not in FIELDS:
            raise InvalidRequest(name, f"a request has no {name}", hint=f"it has {', '.join(sorted(FIELDS))}")
    args = request.get("args", {})
    if not isinstance(args, Mapping):
        raise InvalidRequest("args", "args is not an object")
    options = dict(args)
    query = options.pop("query", None)
    match request.get("action"):
        case "query":
            return session.query(query, **options)
        case "search":
            return session.search(query, **options)
        case "related":
            return session.related(query, **options)
        case "symbols":
            return session.symbols(query, **options)
        case "status":
            return session.status(**options)
    raise InvalidRequest("action", f"there is no action {request.get('action')!r}", hint=f"there are {ACTIONS}")
