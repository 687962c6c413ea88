"""A fleet that a server answers for: the reader holds a token, and no keys of the store."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from contracts.errors import CtxpackError, InvalidRequest, IOFailure

TOKEN = "CTXPACK_FLEET_TOKEN"
TIMEOUT_S = 120.0  # the first question after a start fetches generations
MOST_BYTES = 1 << 28  # of an answer


class ServerFailure(CtxpackError):
    """What the server said of a question, with its own code."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(str(error["message"]), hint=str(error.get("hint", "")), details=error.get("details") or {})
        self.code = str(error["code"])  # type: ignore[misc]


def is_server(uri: str) -> bool:
    """Whether a URI names a server, and no store."""
    return uri.startswith(("http://", "https://"))


def post(uri: str, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """What the server replies. ServerFailure; IOFailure where there is none; InvalidRequest for a token in the clear.

    A token goes over plain HTTP to this machine alone.
    """
    headers = {"Content-Type": "application/json"}
    if token := os.environ.get(TOKEN, "").strip():
        parts = urlsplit(uri)
        if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise InvalidRequest("fleet", f"{uri} would send your token in the clear", hint="name it with https://")
        headers["Authorization"] = f"Bearer {token}"
    asked = Request(f"{uri.rstrip('/')}/{path}", json.dumps(request).encode(), headers)
    try:
        with urlopen(asked, timeout=TIMEOUT_S) as reply:
            data = reply.read(MOST_BYTES)
    except HTTPError as error:
        data = error.read(MOST_BYTES)
    except (URLError, OSError) as error:
        why = getattr(error, "reason", error)
        raise IOFailure(f"{uri} does not answer: {why}", hint="is `ctxpack fleet serve` running?") from error
    try:
        document: dict[str, Any] = json.loads(data)
    except ValueError as error:
        raise IOFailure(f"{uri} is no server of a fleet") from error
    if document.get("status") == "error":
        raise ServerFailure(document["error"])
    return document
