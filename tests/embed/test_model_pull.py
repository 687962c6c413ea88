"""Downloading a model with the hub's own client from a hub on this machine."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

pytestmark = pytest.mark.slow

COMMIT = "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a"
FILES = {
    "BAAI/bge-small-en-v1.5": {
        "config.json": b'{"hidden_size": 384}',
        "tokenizer.json": b"{}",
        "model.safetensors": b"weights" * 1_000,
        "modules.json": b"[]",
        "1_Pooling/config.json": b"{}",
        "README.md": b"# a model",
        "pytorch_model.bin": b"the same weights once more",
        "onnx/model.onnx": b"and once more",
    },
    "org/unreadable": {"config.json": b"{}", "flax_model.msgpack": b"weights"},
}


class Hub(BaseHTTPRequestHandler):
    """The three routes that a download uses, as huggingface.co answers them."""

    asked: list[str]

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.answer(with_body=True)

    def answer(self, *, with_body: bool) -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts[:2] == ["api", "models"]:
            self.describe("/".join(parts[2:4]), parts[4])
            return
        name, file = "/".join(parts[:2]), "/".join(parts[4:])
        body = FILES[name][file]
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha1(body, usedforsecurity=False).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def describe(self, name: str, route: str) -> None:
        if name not in FILES:
            body, code = {"error": "Repository not found"}, 404
        elif route == "tree":
            body = [{"type": "file", "path": path, "size": len(data), "oid": "0"} for path, data in FILES[name].items()]
            code = 200
        else:
            body, code = {"id": name, "sha": COMMIT, "siblings": [{"rfilename": path} for path in FILES[name]]}, 200
        data = json.dumps(body).encode()
        self.send_response(code)
        if code == 404:
            self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[tuple[str, list[str]]]:
    """(address, requested paths) of a hub on this machine."""
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Asked", (Hub,), {"asked": asked}))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join()


SCRIPT = """
import sys
from contracts.errors import CtxpackError
from index.embed.models import pull, resolve
try:
    spec = pull(sys.argv[1])
    assert spec == resolve(sys.argv[1])
    print(sorted(str(path.relative_to(spec.folder)) for path in spec.folder.rglob("*") if path.is_file()))
except CtxpackError as error:
    print(error.code, error, "|", error.hint)
"""


def pulled(name: str, caches: Path, endpoint: str, **variables: str) -> str:
    environment = os.environ | {"HF_ENDPOINT": endpoint, "HF_HUB_DISABLE_TELEMETRY": "1", **variables}
    command = [sys.executable, "-c", SCRIPT, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.strip()


def test_a_pulled_model_is_found_and_holds_its_weights_once(caches: Path, hub: tuple[str, list[str]]) -> None:
    address, asked = hub
    expected = sorted(set(FILES["BAAI/bge-small-en-v1.5"]) - {"pytorch_model.bin", "onnx/model.onnx"})
    assert pulled("bge-small", caches, address) == str(expected)
    assert (caches / "hub" / "models--BAAI--bge-small-en-v1.5" / "refs" / "main").read_text() == COMMIT
    downloads = [path for path in asked if "/resolve/" in path]
    assert pulled("bge-small", caches, address) == str(expected)
    assert [path for path in asked if "/resolve/" in path] == downloads


def test_a_name_unknown_to_the_hub_is_reported(caches: Path, hub: tuple[str, list[str]]) -> None:
    said = pulled("org/nothing", caches, hub[0])
    assert said == "not_found the hub has no model org/nothing | check the name at huggingface.co/models"


def test_a_model_of_another_kind_is_reported(caches: Path, hub: tuple[str, list[str]]) -> None:
    said = pulled("org/unreadable", caches, hub[0])
    assert said.startswith("not_found org/unreadable is on the hub, but has no weights that")


def test_without_a_network_the_download_fails_with_advice(caches: Path) -> None:
    for variables in ({}, {"HF_HUB_OFFLINE": "1"}):
        said = pulled("bge-small", caches, "http://127.0.0.1:9", **variables)
        assert said.startswith("io_error BAAI/bge-small-en-v1.5 could not be downloaded: ")
        assert "copy the model's folder here and give its path" in said


def test_the_hub_cache_is_where_the_hub_says_it_is(caches: Path) -> None:
    script = (
        "from huggingface_hub.constants import HF_HUB_CACHE; from index.embed.models import hub_cache\n"
        "from pathlib import Path; assert Path(HF_HUB_CACHE) == hub_cache(), (HF_HUB_CACHE, hub_cache())"
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "XDG_"))}
    for variables in (
        {},
        {"HF_HOME": "~/here"},
        {"XDG_CACHE_HOME": "/c"},
        {"HF_HUB_CACHE": "$HOME/there"},
        {"HUGGINGFACE_HUB_CACHE": "/old", "HF_HOME": "/x"},
    ):
        subprocess.run([sys.executable, "-c", script], env=plain | variables, check=True)
