"""`ctxpack fleet serve`: answers readers who have no keys of the store, in JSON over HTTP.

    POST /ask    {"command", "text", "repos": [GLOB], "options": {}}     {"envelope", "printed"}
    POST /tool   {"tool", "args", "repos": [GLOB]}                       the reply of an agent's tool

`Authorization: Bearer TOKEN` names the reader. Without a token, a question searches what everybody may read.
"""

from __future__ import annotations

import hmac
import json
import os
import socket
import stat
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from context_pack.envelope import answered, encoded, failed, translated
from context_pack.fleet.questions import Reader, ask, printed
from context_pack.fleet.tools import REFRESH_S, reply
from context_pack.options.spec import json_schema
from contracts.errors import CtxpackError, InvalidRequest, IOFailure
from contracts.records import as_data
from index.fleet.fleet import Fleet

MAX_BYTES = 1_000_000  # of a request
IDLE_S, REQUEST_S = 30.0, 60.0  # a client that sends nothing, or a request in small pieces
REST_S, MAX_REST_BYTES = 5.0, 1 << 26  # of a refused request, which are read and dropped
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Unknown(CtxpackError):
    """A token that names no reader."""

    code = "invalid_request"


def readers_of(file: Path) -> dict[str, str]:
    """Token -> reader, from a file with `READER TOKEN` on each line. InvalidRequest if others can read the file or a
    line is malformed."""
    if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise InvalidRequest("tokens", f"{file} can be read by other users", hint=f"run `chmod 600 {file}`")
    tokens: dict[str, str] = {}
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or len(words[1]) < 16 or words[1] in tokens:
            wanted = "expected a reader and a unique token of at least 16 characters"
            raise InvalidRequest("tokens", f"{file}:{number}: {wanted}")
        tokens[words[1]] = words[0]
    return tokens


class FleetServer(ThreadingHTTPServer):
    """Answers one question at a time: an index is not thread-safe."""

    daemon_threads = True

    def __init__(self, fleet: Fleet, address: tuple[str, int], tokens: Mapping[str, str]) -> None:
        if not tokens and address[0] not in LOOPBACK:
            hint = "give --tokens FILE, or listen on 127.0.0.1"
            raise InvalidRequest("host", f"listening on {address[0]} needs --tokens", hint=hint)
        try:
            super().__init__(address, Handler)
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", error)
            hint = "choose another --port"
            raise IOFailure(f"cannot listen on {address[0]}:{address[1]}: {why}", hint=hint) from error
        self.fleet, self._tokens = fleet, dict(tokens)
        self._busy = threading.Lock()

    @property
    def url(self) -> str:
        host = str(self.server_address[0])
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_port}"

    def shutdown_request(self, request: Any) -> None:
        """Close a connection after the client has, or soon: closed with unread bytes, it is reset, and the client may
        never see the reply."""
        end, rest = time.monotonic() + REST_S, MAX_REST_BYTES
        with suppress(OSError):
            request.shutdown(socket.SHUT_WR)
            while rest > 0 and (left_s := end - time.monotonic()) > 0:
                request.settimeout(left_s)
                size = len(request.recv(1 << 16))
                rest = rest - size if size else 0
        self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report nothing if the client has left."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    def reader(self, header: str) -> Reader:
        """The reader that an `Authorization` header names. Unknown if its token names no reader."""
        if not header:
            return Reader()
        token = header.removeprefix("Bearer ").strip().encode()
        names = [name for own, name in self._tokens.items() if hmac.compare_digest(own.encode(), token)]
        if not names:
            raise Unknown("the token is unknown", hint="ask the operator of the server for a token")
        return Reader(names[0])

    def answer(self, path: str, reader: Reader, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a request. CtxpackError."""
        globs = request.get("repos") or []
        if not isinstance(globs, list) or not all(isinstance(one, str) for one in globs):
            raise InvalidRequest("repos", "repos must be a list of globs")
        with self._busy:
            if path == "/tool":
                return dict(reply(self.fleet, str(request.get("tool")), request.get("args"), reader, globs))
            command, text, options = (request.get(name) for name in ("command", "text", "options"))
            if not isinstance(options, dict) or not isinstance(text, str) or not isinstance(command, str):
                raise InvalidRequest("options", "a request must have a command, a text and options")
            refused = sorted(options.keys() - {*json_schema(command)["properties"], "format", "profile"})
            if refused:
                raise InvalidRequest(refused[0], f"the server does not accept {refused[0]}")
            session, answer = ask(self.fleet, command, text, reader, globs, **options)
            envelope = as_data(answered(answer, session.corpus))
            return {"envelope": envelope, "printed": printed(session, command, answer.data)}

    def follow(self) -> None:
        """Look for newer tables until the process ends, also after failures."""
        while True:
            time.sleep(REFRESH_S)
            try:
                with self._busy:
                    self.fleet.refresh()
            except CtxpackError:
                continue


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE_S
    server: FleetServer

    def handle_one_request(self) -> None:
        """Answer a request, or what has arrived of it in time."""
        timer = threading.Timer(REQUEST_S, self._end_of_request)
        timer.daemon = True
        timer.start()
        try:
            super().handle_one_request()
        finally:
            timer.cancel()

    def _end_of_request(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RD)

    def do_POST(self) -> None:
        """Answer a question."""
        try:
            reader = self.server.reader(self.headers.get("Authorization", ""))
            code, document = 200, self.server.answer(self.path, reader, self._request())
        except Unknown as error:
            code, document = 401, as_data(failed(error))
        except Exception as error:  # whatever it is, the reader gets it and the server goes on
            code, document = 400, as_data(failed(translated(error)))
        self._reply(code, encoded(document))

    def _request(self) -> dict[str, Any]:
        """The body. A web page may send JSON only after a preflight request, which this server does not answer, or if
        its own name leads here (DNS rebinding); browsers then name it as the origin."""
        length = self.headers.get("Content-Length", "")
        is_json = self.headers.get_content_type() == "application/json"
        if self.path not in ("/ask", "/tool") or not is_json or "Origin" in self.headers:
            raise InvalidRequest("request", "send JSON with POST to /ask or /tool")
        is_length = length.isdecimal() and len(length) <= len(str(MAX_BYTES))  # Python reads no number of 5,000 digits
        if "Transfer-Encoding" in self.headers or not is_length or int(length) > MAX_BYTES:
            raise InvalidRequest("request", f"a request must have a Content-Length of at most {MAX_BYTES:,} bytes")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise InvalidRequest("request", f"the request is not JSON: {error}") from error
        if not isinstance(body, dict):
            raise InvalidRequest("request", "the request is not a JSON object")
        return body

    def _reply(self, code: int, data: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if code != 200:  # its body may be unread: a proxy that goes on would get answers to what the body contains
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def version_string(self) -> str:
        """No version numbers for strangers."""
        return "ctxpack"

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing: questions are private."""
