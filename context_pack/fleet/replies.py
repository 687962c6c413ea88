"""Answers a question with `--fleet`: from a store, which needs its keys, or from a server, which needs only a token."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from http.client import HTTPException
from pathlib import Path
from typing import Any, get_args
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from context_pack.answer import Answer, Reply
from context_pack.kinds.code.question import with_arguments
from contracts.errors import CtxpackError, InvalidRequest, IOFailure
from contracts.records import Hint, HintType
from index.types import Grade

TOKEN = "CTXPACK_FLEET_TOKEN"
TIMEOUT_S = 120.0  # the first question after a start fetches generations
MAX_BYTES = 1 << 28  # of an answer


def fleet_reply(command: str, text: str | None, fleet: str, repos: tuple[str, ...], options: dict[str, Any]) -> Reply:
    """The reply of a fleet to a command, with the options that were given."""
    if text is None:
        raise InvalidRequest("query", "a question to a fleet needs a text", hint="use --repo with a clone")
    if options.pop("repo", None):
        hint = "choose repositories of a fleet with --repos"
        raise InvalidRequest("repo", "--repo and --fleet cannot be used together", hint=hint)
    answer, printed = (_of_server if is_server(fleet) else _of_store)(command, text, fleet, repos, options)
    named = ["--fleet", fleet, *(word for one in repos for word in ("--repos", one))]
    answer = replace(answer, hints=with_arguments(answer.hints, named))
    return Reply(answer, printed, text=None if printed is None else lambda: printed or "")


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
    """On a terminal, the default format of a query is text."""
    if command == "query" and sys.stdout.isatty():
        options.setdefault("format", "text")
    reply = post(fleet, "ask", {"command": command, "text": text, "repos": list(repos), "options": options})
    envelope = reply["envelope"]
    meta = envelope.get("meta", {})
    redactions = {name: count for name, count in meta.get("redactions", {}).items() if name != "total"}
    grade = meta.get("confidence")
    answer: Answer[Any] = Answer(
        envelope["data"],
        tuple(
            Hint(one["type"] if one["type"] in get_args(HintType) else "info", str(one["text"]))
            for one in envelope.get("hints", ())
        ),
        meta.get("duration_ms"),
        redactions if "redactions" in meta else None,
        Grade(grade["grade"], grade["reason"]) if grade else None,
    )
    return answer, reply.get("printed")


class ServerFailure(CtxpackError):
    """An error that a server reported, with the server's error code."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(str(error["message"]), hint=str(error.get("hint", "")), details=error.get("details") or {})
        self.code = str(error["code"])  # type: ignore[misc]


def is_server(uri: str) -> bool:
    """Whether a URI names a server rather than a store."""
    return uri.startswith(("http://", "https://"))


def _is_local(uri: str) -> bool:
    """Whether a URL leads to this machine; not if it is no URL."""
    try:
        return urlsplit(uri).hostname in ("127.0.0.1", "::1", "localhost")
    except ValueError:
        return False


class _NoRedirect(HTTPRedirectHandler):
    """A redirected request would carry the token to another host."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


def post(uri: str, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """The reply of a server. ServerFailure; IOFailure if none answers; InvalidRequest for a token in the clear.

    Over plain HTTP, a token is sent only to this machine.
    """
    headers = {"Content-Type": "application/json"}
    is_local = _is_local(uri)
    if token := os.environ.get(TOKEN, "").strip():
        if not re.fullmatch(r"[!-~]+", token):  # an error of a header would show it
            raise InvalidRequest("fleet", f"{TOKEN} is no token: it has blanks, line breaks or letters beyond ASCII")
        if not (is_local or uri.startswith("https://")):
            raise InvalidRequest("fleet", f"your token would be sent unencrypted to {uri}", hint="use an https:// URL")
        headers["Authorization"] = f"Bearer {token}"
    opener = build_opener(_NoRedirect, *([ProxyHandler({})] if is_local else []))  # a proxy is no longer this machine
    try:
        message = Request(f"{uri.rstrip('/')}/{path}", json.dumps(request).encode(), headers)
        with opener.open(message, timeout=TIMEOUT_S) as reply:
            data = reply.read(MAX_BYTES)
    except HTTPError as error:
        data = error.read(MAX_BYTES)
    except (OSError, ValueError, HTTPException) as error:
        why = getattr(error, "reason", error)
        raise IOFailure(f"{uri} does not answer: {why}", hint="check that `ctxpack fleet serve` is running") from error
    try:
        document: dict[str, Any] = json.loads(data)
        if document.get("status") == "error":
            raise ServerFailure(document["error"])
        if not document.keys() & {"envelope", "texts"}:
            raise ValueError(document)
        return document
    except (ValueError, RecursionError, AttributeError, LookupError, TypeError) as error:
        raise IOFailure(f"{uri} is not the server of a fleet") from error
