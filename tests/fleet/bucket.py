"""A bucket on loopback that implements as much of S3 as a shared index needs; tests do not reach a real one."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

DATE = "Sun, 22 Nov 2026 12:00:00 GMT"


class Handler(BaseHTTPRequestHandler):
    """One request; the bucket decides what it may do to the objects."""

    protocol_version = "HTTP/1.1"
    server: Bucket

    def reply(self, code: int, data: bytes = b"", length: int | None = None) -> None:
        time.sleep(self.server.delay_s)
        self.send_response(code)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", DATE)
        self.end_headers()
        self.wfile.write(data)

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.reply(200 if self.server.write(self.path, data, self.headers.get("If-None-Match") == "*") else 412)

    def do_GET(self) -> None:
        data = self.server.objects.get(self.path)
        self.reply(404 if data is None else 200, data or b"")

    def do_HEAD(self) -> None:
        data = self.server.objects.get(self.path)
        self.reply(404 if data is None else 200, b"", len(data or b""))

    def log_message(self, *arguments: Any) -> None:
        pass


class Bucket(ThreadingHTTPServer):
    """Objects by path. `conditional`: a second write of a key is refused; `delay_s`: before each reply."""

    daemon_threads = True

    def __init__(self, *, conditional: bool = True, delay_s: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.delay_s = delay_s
        self._conditional = conditional
        self._lock = threading.Lock()

    def write(self, key: str, data: bytes, only_new: bool) -> bool:
        with self._lock:
            if self._conditional and only_new and key in self.objects:
                return False
            self.objects[key] = data
            return True

    def __enter__(self) -> Bucket:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints nothing: a client that waited long enough has gone, perhaps during another test. Printing a traceback
        in a thread makes `ast.parse` fail in another one (Python 3.11)."""

    def name_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Makes `s3://` mean this bucket."""
        environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.server_port}", "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_ALLOW_HTTP": "true",
        }  # fmt: skip
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
