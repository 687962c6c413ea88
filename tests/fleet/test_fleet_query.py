"""Queries to a fleet: the right repositories, the local answer for one, nothing that the reader may not see."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

import context_pack
from context_pack.envelope import encoded
from context_pack.fleet.questions import OWNER, Reader, ask
from context_pack.fleet.replies import ServerFailure, post
from context_pack.fleet.server import FleetServer, readers_of
from context_pack.fleet.tools import reply
from contracts.errors import CtxpackError, IndexCorrupt, InvalidRequest, IOFailure, NotFound
from contracts.records import as_data
from index.fleet import blocks
from index.fleet.fleet import MAX_REPOSITORIES, Fleet
from tests.fleet import tables

pytestmark = [
    pytest.mark.skipif(find_spec("lance") is None, reason="needs the extra fleet"),
    pytest.mark.filterwarnings("ignore"),  # the engine's own
]
THINGS = (
    "cart invoice parcel ticket engine recipe planet violin harbour glacier lantern meadow orchard pigeon quarry "
    "rocket saddle turbine umbrella walnut"
).split()
PATIENCE_S = 300.0  # ends a hang; nothing here takes seconds on an idle machine
SECRET = "def secret_formula(planet):\n    '''The total of a planet's secret formula.'''\n    return 42\n"


def tree(root: Path, thing: str) -> Path:
    """A small repository about one subject, with code that all of them share."""
    files = {
        f"{thing}.py": f"class {thing.title()}:\n    def weigh_{thing}(self):\n        '''Weigh the {thing}.'''\n"
        f"        return self.mass\n\n\ndef load_{thing}(path):\n    return {thing.title()}(open(path))\n",
        "main.py": f"from {thing} import load_{thing}\n\n\ndef main(path):\n    print(load_{thing}(path))\n",
    }
    root.mkdir(parents=True)
    for path, text in files.items():
        (root / path).write_text(text)
    return root


class World:
    """A store with twenty repositories and their trees."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.uri = folder, str(folder / "store")
        (folder / "store").mkdir()
        for thing in THINGS:
            self.add(thing, tree(folder / "trees" / thing, thing))

    def add(self, name: str, root: Path, readers: tuple[str, ...] = (), commit: str = "0" * 40) -> None:
        tables.put(self.uri, name, root, self.folder / "own" / name, readers, commit)

    def fleet(self) -> Fleet:
        return Fleet(self.uri, self.folder / "home")

    def local(self, name: str, text: str) -> bytes:
        session = context_pack.open(
            self.folder / "trees" / name, index_dir=self.folder / "own" / name, model="embedded", no_refresh=True
        )
        return data_of(session.query(text))


def data_of(answer: Any) -> bytes:
    return encoded(as_data(answer.data))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("fleet"))


def test_the_right_repository_is_searched_and_comes_first(world: World) -> None:
    fleet = world.fleet()
    for thing in THINGS:
        for text in (f"weigh the {thing}", f"load_{thing}", f"load {thing}", thing.title()):
            picked = fleet.choose(text, fleet.repositories(owner=True))
            assert thing in [one.name for one in picked], text
            assert len(picked) <= MAX_REPOSITORIES
            _, answer = ask(fleet, "query", text)
            assert answer.data.items[0].file == f"{thing}/{thing}.py", text


def test_a_question_to_one_repository_has_its_local_answer(world: World) -> None:
    fleet = world.fleet()
    for text in ("weigh the planet", "load_planet", "main.py", "what prints", "nothing like this"):
        _, answer = ask(fleet, "query", text, OWNER, ["planet"])
        assert data_of(answer) == world.local("planet", text), text


def test_a_path_that_starts_with_a_repository_asks_it_alone(world: World) -> None:
    _, answer = ask(world.fleet(), "query", "rocket/main.py:4")
    assert {item.file.partition("/")[0] for item in answer.data.items} == {"rocket"}


def test_globs_choose_among_the_repositories(world: World) -> None:
    _, answer = ask(world.fleet(), "search", "load the path", OWNER, ["p*", "walnut"])
    assert {hit.file.partition("/")[0] for hit in answer.data.hits} <= {"parcel", "planet", "pigeon", "walnut"}
    for reader, hint in ((OWNER, f"run `ctxpack fleet status {world.uri}` to list them"), (Reader("bob"), "")):
        with pytest.raises(NotFound, match="no repository of the fleet matches nothing") as missing:
            ask(world.fleet(), "query", "load", reader, ["nothing*"])
        assert missing.value.hint == hint, "a reader has no keys of the store"


@pytest.mark.parametrize("options", [{"diff": "HEAD"}, {"format": "html"}, {"model": "bge-small"}])
def test_options_that_need_a_tree_are_refused(world: World, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        ask(world.fleet(), "query", "load", **options)


def test_scores_fall_in_the_order_of_the_answer_and_parts_sum_up(world: World) -> None:
    for order in ("files", "lines"):
        session, answer = ask(world.fleet(), "search", "how is mass weighed", order=order, explain=True, top_k=30)
        scores = [hit.score for hit in answer.data.hits]
        for hit in session.corpus.search("how is mass weighed", top_k=30, order="files"):
            assert hit.points == pytest.approx(sum(part.points for part in hit.why), abs=0.01)
        assert scores == sorted(scores, reverse=True)
        assert len(scores) > 5


def test_a_topic_asked_of_several_repositories_has_points_of_one_kind(world: World) -> None:
    def signals(topic: str, names: list[str] | None) -> list[set[str]]:
        session, _ = ask(world.fleet(), "query", topic, OWNER, names)
        hits = session.corpus.search(topic, top_k=30, order="pack")
        return [{part.name.partition(".")[0] for part in hit.why} for hit in hits]

    topic, concept = "how the mass of a planet is weighed and loaded", "how mass is weighed"
    assert any("own" in parts for parts in signals(topic, ["planet"]))
    assert not any("own" in parts for parts in signals(topic, None))
    assert all("own" in parts for parts in signals(concept, None))


def test_a_fork_is_shown_once_and_displaces_no_other_hit(tmp_path: Path) -> None:
    world = World(tmp_path)
    for number in range(MAX_REPOSITORIES + 2):
        world.add(f"planet-fork-{number:02}", world.folder / "trees" / "planet")
    fleet = world.fleet()
    picked = [one.name for one in fleet.choose("weigh the planet and the rocket", fleet.repositories(owner=True))]
    assert "rocket" in picked
    assert sum(name.startswith("planet") for name in picked) == 1
    _, answer = ask(fleet, "search", "weigh_planet", OWNER, ["planet*"], top_k=10)
    hits = [hit.id.partition("/")[2] for hit in answer.data.hits]
    assert len(hits) == len(set(hits))


def test_documents_come_before_code_but_not_before_what_is_named(tmp_path: Path) -> None:
    world = World(tmp_path)
    (world.folder / "trees" / "rocket" / "main.py").unlink()
    (world.folder / "trees" / "rocket" / "README.md").write_text("# Rocket\n\nA Planet is not weighed here.\n")
    world.add("documented", world.folder / "trees" / "rocket")
    for text, suffix in (("Planet", ".py"), ("is a planet weighed here", ".md")):
        _, answer = ask(world.fleet(), "search", text, OWNER, ["documented", "planet"], docs_first=True)
        assert answer.data.hits[0].file.endswith(suffix), text


def test_rows_of_an_old_commit_do_not_count(tmp_path: Path) -> None:
    world = World(tmp_path)
    root = world.folder / "trees" / "planet"
    fleet = world.fleet()
    assert "planet" in [one.name for one in fleet.choose("weigh_planet", fleet.repositories(owner=True))]
    (root / "planet.py").write_text("def orbit_comet():\n    return 'a comet'\n")
    world.add("planet", root, commit="1" * 40)
    fleet.refresh()
    seen = fleet.repositories(owner=True)
    assert "planet" not in [one.name for one in fleet.choose("weigh_planets_planet", seen)][:1]
    _, answer = ask(fleet, "query", "orbit_comet")
    assert answer.data.items[0].file == "planet/planet.py"
    _, answer = ask(fleet, "query", "weigh_planet")
    assert not [item for item in answer.data.items if "weigh_planet" in item.content]


def test_a_hidden_repository_changes_no_byte(tmp_path: Path) -> None:
    world = World(tmp_path)
    texts = ("secret formula of a planet", "secret_formula", "weigh the planet", "load_rocket", "formula/planet.py:1")
    before = [_all(world.fleet(), text, Reader("bob")) for text in texts]
    hidden = tree(tmp_path / "trees" / "formula", "planet")
    (hidden / "secret.py").write_text(SECRET)
    world.add("formula", hidden, ("alice",))
    assert [_all(world.fleet(), text, Reader("bob")) for text in texts] == before
    assert [_all(world.fleet(), text, Reader()) for text in texts] == before
    _, answer = ask(world.fleet(), "query", "secret_formula", Reader("alice"))
    assert answer.data.items[0].file == "formula/secret.py"
    with pytest.raises(NotFound) as refused:
        ask(world.fleet(), "query", "secret_formula", Reader("bob"), ["formula"])
    with pytest.raises(NotFound) as missing:
        ask(world.fleet(), "query", "secret_formula", Reader("bob"), ["formulb"])
    assert refused.value.message.replace("formula", "formulb") == missing.value.message


def _all(fleet: Fleet, text: str, reader: Reader) -> Any:
    """Everything that a reader sees, except durations."""
    told: list[Any] = []
    for command in ("query", "search", "related"):
        try:
            _, answer = ask(fleet, command, text, reader)
            told.append((data_of(answer), answer.hints, answer.grade, answer.redactions))
        except CtxpackError as error:
            told.append((error.code, error.message, error.hint, error.details))
    return told, reply(fleet, "context_pack", {"query": text}, reader, [])


@pytest.fixture
def server(world: World) -> Iterator[FleetServer]:
    served = FleetServer(world.fleet(), ("127.0.0.1", 0), {"a-token-of-16-and-more": "alice"})
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()
    thread.join()


def request_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if "process_request_thread" in thread.name]


def sends_until_closed(client: socket.socket) -> bool:
    """Sends a byte from time to time; whether the server closes the connection, rather than keep it for minutes."""
    end = time.monotonic() + PATIENCE_S
    with suppress(ConnectionError):
        while time.monotonic() < end:
            client.sendall(b"x")
            time.sleep(0.02)
        return False
    return True


def question(text: str, **more: Any) -> dict[str, Any]:
    return {"command": "query", "text": text, "repos": [], "options": {}, **more}


def test_a_server_answers_as_the_store_does(world: World, server: FleetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    _, direct = ask(world.fleet(), "query", "load_rocket")
    served = post(server.url, "ask", question("load_rocket"))
    assert encoded(served["envelope"]["data"]) == data_of(direct)
    assert served["printed"] is None
    text = post(server.url, "ask", question("load_rocket", options={"format": "text"}))["printed"]
    assert "rocket/rocket.py" in text
    monkeypatch.setenv("CTXPACK_FLEET_TOKEN", "a-token-of-16-and-more")
    assert post(server.url, "ask", question("load_rocket"))["envelope"]["data"] == served["envelope"]["data"]
    tied = post(server.url, "ask", question("load_rocket", command="related"))
    assert encoded(tied["envelope"]["data"]) == data_of(ask(world.fleet(), "related", "load_rocket")[1])
    text = post(server.url, "ask", question("load_rocket", command="related", options={"format": "text"}))["printed"]
    assert text.startswith("rocket/rocket.py:")
    tool = post(server.url, "tool", {"tool": "context_pack", "args": {"query": "load_rocket"}, "repos": ["r*"]})
    assert "rocket/rocket.py" in tool["texts"][0]


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        (question("load", options={"no_redact": True}), "no_redact"),
        (question("load", options={"have_pack": ["/etc/passwd"]}), "have_pack"),
        (question("load", options={"tokenizer": "/etc/passwd"}), "tokenizer"),
        (question("load", options={"diff": "HEAD"}), "diff"),
        (question(""), "query"),
        (question("load", repos="*"), "repos"),
        (question("load", command="status"), "status"),
        (question("load", repos=["zebra"]), "zebra"),
    ],
)
def test_a_server_refuses_in_one_sentence(server: FleetServer, request_: dict[str, Any], word: str) -> None:
    with pytest.raises(ServerFailure) as refused:
        post(server.url, "ask", request_)
    assert word in refused.value.message


def test_a_server_knows_its_readers(server: FleetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_FLEET_TOKEN", "another-token-of-nobody")
    with pytest.raises(ServerFailure, match="token is unknown"):
        post(server.url, "ask", question("load"))
    with pytest.raises(InvalidRequest, match="unencrypted"):
        post("http://fleet.example", "ask", question("load"))


@pytest.mark.parametrize("head", ["POST /nowhere HTTP/1.1", "POST /ask HTTP/1.1\r\nAuthorization: Bearer nobody"])
def test_the_body_of_a_refused_request_is_no_second_request(server: FleetServer, head: str) -> None:
    inner = b"POST /ask HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    outer = f"{head}\r\nContent-Type: application/json\r\nContent-Length: {len(inner)}\r\n\r\n".encode()
    with socket.create_connection(server.server_address[:2], timeout=PATIENCE_S) as client:
        client.sendall(outer + inner)
        reply = b"".join(iter(lambda: client.recv(65536), b""))  # until the server closes the connection
    assert reply.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_refused_client_reads_why_although_its_body_is_unread(server: FleetServer, method: str) -> None:
    body = b"x" * (8 << 20)
    asked = urllib.request.Request(f"{server.url}/ask", body, {"Content-Type": "application/json"}, method=method)
    with pytest.raises(urllib.error.HTTPError) as refused:  # not a URLError: the connection is not reset
        urllib.request.urlopen(asked, timeout=PATIENCE_S)
    assert refused.value.code == (400 if method == "POST" else 501)


def test_a_client_that_leaves_before_its_reply_is_no_error(
    server: FleetServer, capsys: pytest.CaptureFixture[str]
) -> None:
    body = json.dumps(question("load")).encode()
    head = f"POST /ask HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with socket.create_connection(server.server_address[:2], timeout=PATIENCE_S) as client:
        client.sendall(head + body)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
    assert post(server.url, "ask", question("load"))["envelope"]["status"] == "ok"
    for thread in request_threads():  # the first request has one since before the second was accepted
        thread.join()
    assert capsys.readouterr().err == ""


def test_an_error_of_the_servers_own_system_is_reported(
    server: FleetServer, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise OSError(5, "the disk is broken")
    except OSError:
        server.handle_error(None, ("127.0.0.1", 1))
    assert "the disk is broken" in capsys.readouterr().err


def test_a_refused_client_that_never_ends_is_left(server: FleetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("context_pack.fleet.server.REST_S", 0.3)
    with socket.create_connection(server.server_address[:2], timeout=PATIENCE_S) as client:
        client.sendall(b"POST /nowhere HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n")
        assert b"400" in client.recv(65536)
        assert sends_until_closed(client)


def test_a_client_that_sends_slowly_is_left(server: FleetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("context_pack.fleet.server.REQUEST_S", 0.3)
    with socket.create_connection(server.server_address[:2], timeout=PATIENCE_S) as client:
        client.sendall(b"POST /ask HTTP/1.1\r\nA: ")
        assert sends_until_closed(client)


@pytest.mark.parametrize("path", ["ask", "tool"])
def test_a_reader_does_not_learn_where_the_store_is(
    world: World, server: FleetServer, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = IndexCorrupt(f"the generation of rocket in {world.uri} cannot be used", hint=f"see {world.uri}")
    request = question("load", repos=["rocket", "planet"], tool="context_pack", args={"query": "load"})
    indexes = server.fleet.indexes
    monkeypatch.setattr(server.fleet, "indexes", lambda picked: (indexes(picked)[0], [damaged]))
    partial = json.dumps(post(server.url, path, request))
    monkeypatch.setattr(server.fleet, "indexes", lambda picked: indexes([replace(picked[0], generation="none")]))
    try:
        failure = json.dumps(post(server.url, path, request))
    except ServerFailure as error:
        failure = f"{error.message} {error.hint} {error.details}"
    assert "operator" in partial and "operator" in failure
    assert world.uri not in partial + failure


@pytest.mark.parametrize("args", [{"staged": True}, {"diff": "HEAD"}, {"query": "load", "mode": "symbols"}])
def test_the_tools_of_a_fleet_read_no_folder_of_the_server(
    server: FleetServer, args: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rocket").mkdir()
    (tmp_path / "rocket/private.py").write_text("print()\n")
    subprocess.run(["git", "init", "-q", "rocket"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path / "rocket", check=True)
    monkeypatch.chdir(tmp_path)
    reply = post(server.url, "tool", {"tool": "context_pack", "args": args, "repos": ["rocket"]})
    assert reply["error"]["code"] == "invalid_request"


def test_calls_in_hints_ask_the_fleet_again(world: World) -> None:
    def hints(tool: str, **args: Any) -> str:
        return "".join(reply(world.fleet(), tool, args, OWNER, ["rocket"])["texts"])

    assert '`related {"target": "rocket.py", "repos": ["rocket"]}`' in hints("related", target="rocket/rocket.py")
    assert '"repos": ["rocket"]}`' in hints("context_pack", query="load_rocket", max_chars=10)
    assert "mode" not in hints("related", target="zebra"), "a fleet has no list of symbols"


@contextmanager
def web_server(status: int, body: bytes, **headers: str) -> Iterator[tuple[str, list[Any]]]:
    """The URL of a server that gives every request this reply, and the requests' headers."""
    requests: list[Any] = []

    class Replies(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(self.headers)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))  # unread, it would reset the connection
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Replies) as other:
        thread = threading.Thread(target=other.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{other.server_port}", requests
        other.shutdown()
        thread.join()


def test_a_token_follows_no_redirect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_FLEET_TOKEN", "a-token-of-16-and-more")
    with (
        web_server(200, b"{}") as (stranger, requests),
        web_server(302, b"", Location=stranger) as (proxy, _),
        pytest.raises(IOFailure, match="is not the server of a fleet"),
    ):
        post(proxy, "ask", question("load"))
    assert not requests


@pytest.mark.parametrize("url", ["http://127.0.0.1:80@shop.example:80", "http://localhost.shop.example", "http://["])
def test_a_token_is_not_sent_in_the_clear_to_what_only_looks_like_this_machine(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_FLEET_TOKEN", "a-token-of-16-and-more")
    with pytest.raises(InvalidRequest, match="unencrypted"):
        post(url, "ask", question("load"))


@pytest.mark.parametrize("token", ["a-token\nbob another-token", "bob another-token", "tökén-of-alice"])
def test_what_is_no_token_is_neither_sent_nor_shown(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_FLEET_TOKEN", token)
    with pytest.raises(InvalidRequest, match="CTXPACK_FLEET_TOKEN is no token") as refused:
        post("http://127.0.0.1:1", "ask", question("load"))
    assert "another" not in refused.value.message


def test_a_token_for_this_machine_goes_through_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_FLEET_TOKEN", "a-token-of-16-and-more")
    with web_server(200, b"{}") as (proxy, requests), web_server(200, b'{"texts": []}') as (served, _):
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("no_proxy", "")
        monkeypatch.setenv("NO_PROXY", "")
        assert post(served, "tool", {}) == {"texts": []}
    assert not requests


@pytest.mark.parametrize("body", [b"hello", b"[1]", b"{}", b'{"status": "error"}', b"[" * 100_000])
def test_another_server_is_called_so(body: bytes) -> None:
    with web_server(200, body) as (url, _), pytest.raises(IOFailure, match="is not the server of a fleet"):
        post(url, "ask", question("load"))


@pytest.mark.parametrize("url", ["http://[", "http://no host", "http://127.0.0.1:1"])
def test_a_server_that_cannot_be_reached_is_named(url: str) -> None:
    with pytest.raises(IOFailure, match=re.escape(url)):
        post(url, "ask", question("load"))


def test_a_port_in_use_and_a_damaged_file_of_tokens_are_named(
    world: World, server: FleetServer, tmp_path: Path
) -> None:
    with pytest.raises(IOFailure, match=rf"127.0.0.1:{server.server_port}: .*in use"):
        FleetServer(world.fleet(), ("127.0.0.1", server.server_port), {})
    (tmp_path / "tokens").write_bytes(b"\xff\xfe\n")
    (tmp_path / "tokens").chmod(0o600)
    with pytest.raises(InvalidRequest, match="tokens:1: expected"):
        readers_of(tmp_path / "tokens")


@pytest.mark.parametrize("uri", ["http://127.0.0.1:1", "ftp://host/fleet"])
def test_what_is_no_store_is_called_so(uri: str) -> None:
    with pytest.raises(InvalidRequest, match="is not a store"):
        Fleet(uri)


def test_a_bucket_that_refuses_does_not_count_as_an_empty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object, **__: object) -> None:
        raise ValueError("LanceError(IO): Generic S3 error: Failed to resolve region for bucket 'team'")

    monkeypatch.setattr("lance.dataset", refusing)
    with pytest.raises(IOFailure, match="resolve region"):
        Fleet("s3://team/fleet")


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"command": 1}', b"[" * 100_000])
def test_malformed_requests_are_refused(server: FleetServer, body: bytes) -> None:
    asked = urllib.request.Request(f"{server.url}/ask", body, {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked, timeout=PATIENCE_S)
    assert json.loads(refused.value.read())["error"]["code"] == "invalid_request"
    with pytest.raises(urllib.error.HTTPError):  # as a web page in a browser can send it
        urllib.request.urlopen(urllib.request.Request(f"{server.url}/ask", b"{}"), timeout=PATIENCE_S)


@pytest.mark.parametrize("length", ["9" * 5_000, "-1", "²", "1e3", ""])
def test_a_length_that_is_none_is_refused(server: FleetServer, length: str) -> None:
    head = f"POST /ask HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    with socket.create_connection(server.server_address[:2], timeout=PATIENCE_S) as client:
        client.sendall(head.encode("latin-1"))
        reply = b"".join(iter(lambda: client.recv(65536), b""))
    assert json.loads(reply.partition(b"\r\n\r\n")[2])["error"]["code"] == "invalid_request"


def test_a_web_page_whose_name_leads_to_the_server_gets_no_answer(server: FleetServer) -> None:
    headers = {"Content-Type": "application/json", "Host": "evil.example:8765", "Origin": "http://evil.example:8765"}
    page = urllib.request.Request(f"{server.url}/ask", json.dumps(question("load")).encode(), headers)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(page, timeout=PATIENCE_S)
    assert json.loads(refused.value.read())["error"]["code"] == "invalid_request"


def test_a_server_for_others_needs_tokens(world: World, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="needs --tokens"):
        FleetServer(world.fleet(), ("0.0.0.0", 0), {})
    file = tmp_path / "tokens"
    file.write_text("# readers\nalice a-token-of-16-and-more\n\nbob another-token-of-bob\n")
    file.chmod(0o644)
    with pytest.raises(InvalidRequest, match="can be read by other users"):
        readers_of(file)
    file.chmod(0o600)
    assert readers_of(file) == {"a-token-of-16-and-more": "alice", "another-token-of-bob": "bob"}
    file.write_text("alice short\n")
    with pytest.raises(InvalidRequest, match="tokens:1: expected"):
        readers_of(file)


def test_the_command_asks_a_store_and_says_what_is_wrong(world: World) -> None:
    environment = {**os.environ, "CTXPACK_CACHE_DIR": str(world.folder / "cache"), "CTXPACK_NO_BACKGROUND": "1"}

    def run(*arguments: str) -> tuple[int, Any]:
        command = [Path(sys.executable).with_name("ctxpack"), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr
        return done.returncode, json.loads(done.stdout)

    code, envelope = run("query", "load_rocket", "--fleet", world.uri)
    assert (code, envelope["data"]["items"][0]["file"]) == (0, "rocket/rocket.py")
    assert any("repositories" in hint["text"] for hint in envelope["hints"])
    code, envelope = run("search", "load_rocket", "--fleet", world.uri, "--repos", "rocket")
    assert (code, envelope["data"]["hits"][0]["file"]) == (0, "rocket.py")
    code, envelope = run("query", "load_rocket", "--fleet", world.uri, "--repos", "zebra")
    assert (code, envelope["error"]["code"]) == (1, "not_found")
    assert not [hint for hint in envelope["hints"] if "--repo " in hint["text"]]
    code, envelope = run("query", "load", "--fleet", world.uri, "--repo", ".")
    assert (code, envelope["error"]["details"]["field"]) == (1, "repo")
    code, envelope = run("query", "load", "--fleet", str(world.folder))
    assert (code, envelope["error"]["code"]) == (1, "invalid_request")
    assert "contains no fleet" in envelope["error"]["message"]
    code, envelope = run("query", "load", "--fleet", "http://127.0.0.1:9")
    assert (code, envelope["error"]["code"]) == (1, "io_error")


def test_a_damaged_generation_is_reported_and_fetched_again(world: World, tmp_path: Path) -> None:
    fleet = Fleet(world.uri, tmp_path / "home")
    (rocket,) = fleet.repositories(globs=["rocket"])
    folder = fleet.index(rocket).snapshot.folder
    with (folder / "arrays.bin").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 64)
    again = Fleet(world.uri, tmp_path / "home")
    assert again.index(rocket).is_intact()
    with pytest.raises(CtxpackError, match=r"the generation of rocket in .* cannot be used: it is missing") as missing:
        again.index(replace(rocket, generation="fleet/rocket/none.json"))
    assert f"`ctxpack fleet forget rocket {world.uri}`" in missing.value.hint


def test_a_fleet_closes_its_generations_when_nobody_uses_it(world: World, tmp_path: Path) -> None:
    fleet = Fleet(world.uri, tmp_path / "home")
    snapshot = ref(fleet.index(fleet.repositories(globs=["rocket"])[0]).snapshot)
    gc.disable()
    try:
        del fleet
        assert snapshot() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("also", [False, True], ids=["here", "also in another process"])
def test_generations_of_forgotten_repositories_are_removed(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, also: bool
) -> None:
    fleet = Fleet(world.uri, tmp_path / "home")
    planet, rocket, violin = fleet.repositories(globs=["planet", "rocket", "violin"])
    old, new = (fleet.index(replace(one, name=f"no {one.name}")).snapshot.folder.parent for one in (rocket, violin))
    os.utime(old, (0, 0))
    stat = Path.stat

    def status(path: Path, **options: Any) -> os.stat_result:
        if also and path == old:
            shutil.rmtree(old)
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", status)
    folder = fleet.index(planet).snapshot.folder.parent
    assert new.exists(), "another process may know a repository that is new"
    assert set(old.parent.iterdir()) == {folder, new}, "nothing of the old one is left"


def test_readers_that_start_at_once_fetch_a_generation_once(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[Path] = []

    def slowly(objects: Any, named: Any, folder: Path, *more: Any) -> None:
        fetched.append(folder)
        fetch(objects, named, folder, *more)
        time.sleep(0.3)

    fetch = blocks.fetch
    monkeypatch.setattr(blocks, "fetch", slowly)

    def chunks(_: int) -> int:
        fleet = Fleet(world.uri, tmp_path / "home")
        return fleet.index(fleet.repositories(globs=["rocket"])[0]).chunks

    with ThreadPoolExecutor(3) as pool:
        assert len(set(pool.map(chunks, range(3)))) == 1
    assert len(fetched) == 1
