"""A question with `--fleet`: to a store whose keys are here, or to a server that answers for it."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from context_pack.answer import Answer, Reply
from context_pack.fleet.client import is_server, post
from context_pack.kinds.code.question import rewritten
from contracts.errors import InvalidRequest
from contracts.records import Hint, HintType
from index.types import Grade


def fleet_reply(command: str, text: str | None, fleet: str, repos: tuple[str, ...], options: dict[str, Any]) -> Reply:
    """The reply of a fleet to a command, with the options that were given."""
    if text is None:
        raise InvalidRequest("query", "a fleet is asked with a text", hint="ask a clone of the repository with --repo")
    if options.pop("repo", None):
        raise InvalidRequest("repo", "either a repository is asked or a fleet", hint="choose of the fleet with --repos")
    ask = _of_server if is_server(fleet) else _of_store
    answer, printed = ask(command, text, fleet, repos, options)
    named = ["--fleet", fleet, *(word for one in repos for word in ("--repos", one))]
    hints = rewritten(answer.hints, lambda verb, name: shlex.join(["ctxpack", verb, name, *named]))
    return Reply(replace(answer, hints=hints), printed, text=None if printed is None else lambda: printed or "")


def _of_store(
    command: str, text: str, fleet: str, repos: tuple[str, ...], options: dict[str, Any]
) -> tuple[Answer[Any], str | None]:
    from context_pack.fleet.questions import OWNER, ask, printed
    from index.fleet.fleet import Fleet

    index_dir = options.pop("index_dir", None)
    session, answer = ask(Fleet(fleet, Path(index_dir) if index_dir else None), command, text, OWNER, repos, **options)
    return answer, printed(session, command, answer.data)


def _of_server(
    command: str, text: str, fleet: str, repos: tuple[str, ...], options: dict[str, Any]
) -> tuple[Answer[Any], str | None]:
    """A person at a terminal, who names no format, reads text."""
    if command == "query" and sys.stdout.isatty():
        options.setdefault("format", "text")
    request = {"command": command, "text": text, "repos": list(repos), "options": options}
    reply = post(fleet, "ask", request)
    envelope = reply["envelope"]
    meta = envelope.get("meta", {})
    redactions = {name: count for name, count in meta.get("redactions", {}).items() if name != "total"}
    grade = meta.get("confidence")
    answer: Answer[Any] = Answer(
        envelope["data"],
        tuple(Hint(_kind(one["type"]), str(one["text"])) for one in envelope.get("hints", ())),
        meta.get("duration_ms"),
        redactions if "redactions" in meta else None,
        Grade(grade["grade"], grade["reason"]) if grade else None,
    )
    return answer, reply.get("printed")


def _kind(kind: str) -> HintType:
    return kind if kind in get_args(HintType) else "info"  # type: ignore[return-value]
