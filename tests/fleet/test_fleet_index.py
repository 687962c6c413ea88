"""Writing a fleet to a folder and to a bucket: forgotten repositories are gone, killed writers do no harm."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from context_pack.fleet import indexing
from context_pack.fleet.questions import ask
from contracts.errors import CtxpackError, IndexLocked, IOFailure
from index import build_index
from index.embed import MODEL_ID
from index.fleet.candidates import row_map
from index.fleet.catalog import open_table, visible
from index.fleet.fleet import Fleet
from index.fleet.lease import FOLDER, Lease
from index.fleet.objects import FolderObjects
from index.fleet.tables import FleetTables, clean_commit, generation_key, rows_of
from tests.conftest import Conforms
from tests.fleet import tables
from tests.fleet.bucket import Bucket

pytestmark = [
    pytest.mark.skipif(find_spec("lance") is None, reason="needs the extra fleet"),
    pytest.mark.filterwarnings("ignore"),  # the engine's own
]
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
Run = Callable[..., tuple[int, Any]]
MOTO = "from moto.server import main; main(['-p', '0'])"  # the system chooses the port
SCHEMAS = {"prove": "fleet_prove", "upkeep": "fleet_upkeep"}


@pytest.fixture(scope="session")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment variables for an S3 server."""
    pytest.importorskip("moto.server")
    log = tmp_path_factory.mktemp("moto") / "log"
    with log.open("wb") as out:
        server = subprocess.Popen([sys.executable, "-c", MOTO], stdout=out, stderr=out)
    while not (address := re.search(r"Running on (http://\S+)", log.read_text())):
        assert server.poll() is None, log.read_text()
        time.sleep(0.02)
    url = address[1]
    urllib.request.urlopen(urllib.request.Request(f"{url}/fleet", method="PUT")).close()
    yield {
        "AWS_ENDPOINT_URL": url, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test", "AWS_ALLOW_HTTP": "true",
    }  # fmt: skip
    server.kill()
    server.wait()


@pytest.fixture(params=["folder", "bucket"])
def uri(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "folder":
        return str(tmp_path / "store")
    for name, value in request.getfixturevalue("bucket").items():
        monkeypatch.setenv(name, value)
    return f"s3://fleet/{tmp_path.name}"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, conforms: Conforms) -> Run:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")

    def run(*arguments: str | Path) -> tuple[int, Any]:
        command = [Path(sys.executable).with_name("ctxpack"), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=False, env=os.environ)
        assert b"Traceback" not in done.stderr
        assert b"WARN" not in done.stderr
        envelope = json.loads(done.stdout)
        conforms(envelope, "envelope")
        if envelope["data"] is not None and command[1] == "fleet":
            conforms(envelope["data"], SCHEMAS.get(command[2], "fleet"))
        return done.returncode, envelope

    return run


def commit(root: Path, files: dict[str, str]) -> Path:
    if not root.exists():
        root.mkdir(parents=True)
        subprocess.run([*GIT, "init", "-q", str(root)], check=True)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    subprocess.run([*GIT, "-C", str(root), "add", "-A"], check=True)
    subprocess.run([*GIT, "-C", str(root), "commit", "-qm", "change"], check=True)
    return root


def launch(name: str) -> dict[str, str]:
    return {f"{name}.py": f"def launch_{name}(fuel):\n    return fuel * 2\n", "main.py": f"import {name}\n"}


def records(reply: tuple[int, Any]) -> dict[str, Any]:
    code, envelope = reply
    assert code == 0, envelope
    return {one["name"]: one for one in envelope["data"]["repositories"]}


def files_of(reply: tuple[int, Any]) -> set[str]:
    code, envelope = reply
    assert code == 0, envelope
    return {item["file"] for item in envelope["data"]["items"]}


@pytest.mark.slow
def test_from_two_trees_to_an_answer_and_back(run: Run, uri: str, tmp_path: Path) -> None:
    rocket, planet = (commit(tmp_path / name, launch(name)) for name in ("rocket", "planet"))
    first = records(run("fleet", "index", rocket, planet, uri))
    assert {name: one["appended"] for name, one in first.items()} == {"planet": 2, "rocket": 2}
    assert files_of(run("query", "launch_rocket", "--fleet", uri)) >= {"rocket/rocket.py"}
    assert all("appended" not in one for one in records(run("fleet", "index", rocket, planet, uri)).values())

    commit(rocket, {"comet.py": "def orbit_comet():\n    return 1\n"})
    assert records(run("fleet", "index", rocket, planet, uri))["rocket"]["appended"] == 1
    assert files_of(run("query", "orbit_comet", "--fleet", uri)) >= {"rocket/comet.py"}

    code, related = run("related", "rocket/rocket.py", "--fleet", uri)
    assert (code, {hit["file"] for hit in related["data"]["hits"]}) == (0, {"rocket/main.py"})
    code, related = run("related", "rocket.py", "--fleet", uri, "--repos", "rocket")
    assert (code, {hit["file"] for hit in related["data"]["hits"]}) == (0, {"main.py"})
    run("fleet", "forget", "rocket", uri)
    assert files_of(run("query", "launch_rocket", "--fleet", uri)) <= {"planet.py", "main.py"}
    assert set(records(run("fleet", "status", uri))) == {"planet"}
    code, envelope = run("fleet", "forget", "rocket", uri)
    assert (code, envelope["error"]["code"]) == (1, "not_found")
    _, upkept = run("fleet", "upkeep", uri, "--purge")
    assert upkept["data"]["objects_removed"] >= 3
    held = b"".join(FleetTables(uri)._objects.read(key, 1 << 24) or b"" for key in FleetTables(uri)._objects.keys(""))
    assert b"launch_planet" in held
    assert b"launch_rocket" not in held
    assert files_of(run("query", "launch_planet", "--fleet", uri)) >= {"planet.py"}


def test_uncommitted_text_is_never_indexed(run: Run, uri: str, tmp_path: Path) -> None:
    rocket, planet = (commit(tmp_path / name, launch(name)) for name in ("rocket", "planet"))
    (rocket / "secret.py").write_text("def not_yet():\n    pass\n")
    code, envelope = run("fleet", "index", rocket, planet, uri)
    problems = [one.get("problem", "") for one in envelope["data"]["repositories"] if one["name"] == "rocket"]
    assert (code, len(problems)) == (0, 1)
    assert "uncommitted" in problems[0]
    assert "uncommitted" in envelope["hints"][0]["text"]
    assert set(records(run("fleet", "status", uri))) == {"planet"}


@pytest.mark.parametrize(("change", "words"), [("edit", "uncommitted changes"), ("commit", "another commit")])
def test_what_changes_while_it_is_indexed_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, words: str
) -> None:
    uri, rocket = str(tmp_path / "store"), commit(tmp_path / "rocket", launch("rocket"))
    task = indexing.TreeTask(uri, "rocket", rocket, *clean_commit(rocket), (), None)

    def changing(root: Path, **options: Any) -> Any:
        (root / "main.py").write_text("SECRET = 1\n")
        if change == "commit":
            commit(root, {})
        return build_index(root, **options)

    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(indexing, "build_index", changing)
    problem = indexing.stage(task)
    assert isinstance(problem, str) and words in problem
    assert not (tmp_path / "store").exists()


def test_another_repository_of_the_same_name_is_refused(run: Run, tmp_path: Path) -> None:
    uri = str(tmp_path / "store")
    shop = commit(tmp_path / "a" / "shop", {**launch("rocket"), "moon.py": "MOON = 1\n"})
    other = commit(tmp_path / "b" / "shop", launch("planet"))
    assert set(records(run("fleet", "index", shop, uri))) == {"shop"}
    code, envelope = run("fleet", "index", other, uri)
    assert (code, envelope["error"]["code"]) == (1, "invalid_request")
    assert "another repository of this name" in envelope["error"]["message"]
    assert f"`ctxpack fleet forget shop {uri}`" in envelope["error"]["message"]
    assert files_of(run("query", "launch_rocket", "--fleet", uri)) >= {"rocket.py"}
    assert set(records(run("fleet", "index", shop, other, uri, "--name", "a/shop", "--name", "b/shop"))) == {
        "a/shop", "b/shop"
    }  # fmt: skip
    assert files_of(run("query", "launch_planet", "--fleet", uri, "--repos", "b/shop")) == {"planet.py", "main.py"}
    both = commit(tmp_path / "mono", {"api.py": "", "web/a.py": "A = 1\n", "old/web/b.py": "B = 1\n"})
    run("fleet", "index", both / "web", uri)
    code, envelope = run("fleet", "index", both / "old" / "web", uri)
    assert (code, "another repository" in envelope["error"]["message"]) == (1, True), "a folder of the same commit"
    code, envelope = run("fleet", "index", both, uri, "--name", "web")
    assert (code, "another repository" in envelope["error"]["message"]) == (1, True), "the whole repository"
    for names in (["x"], ["x", "x"], ["x", "/y"], ["x", "a b"], ["x", ".."]):
        given = [word for name in names for word in ("--name", name)]
        code, envelope = run("fleet", "index", shop, other, uri, *given)
        assert (code, envelope["error"]["details"]) == (1, {"field": "name"}), names


def test_a_shallow_clone_and_a_rewritten_history_are_the_same_repository(run: Run, tmp_path: Path) -> None:
    uri, shop = str(tmp_path / "store"), tmp_path / "shop"
    commit(shop, {**launch("rocket"), "moon.py": "MOON = 1\n"})
    run("fleet", "index", shop, uri)
    commit(shop, {f"{name}.py": f"{name} = 2\n" for name in ("rocket", "main", "moon")})
    assert records(run("fleet", "index", shop, uri))["shop"]["appended"] == 3, "its history is known"
    commit(shop, {"moon.py": "MOON = 3\n"})
    subprocess.run([*GIT, "clone", "-q", "--depth", "1", f"file://{shop}", tmp_path / "ci" / "shop"], check=True)
    assert records(run("fleet", "index", tmp_path / "ci" / "shop", uri))["shop"]["appended"] == 1
    subprocess.run(["rm", "-rf", shop / ".git"], check=True)
    subprocess.run([*GIT, "init", "-q", shop], check=True)
    assert records(run("fleet", "index", commit(shop, {"sun.py": "SUN = 1\n"}), uri))["shop"]["appended"] == 1


def test_another_format_of_indexes_is_published_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from index.fleet import blocks, published

    uri, root = str(tmp_path / "store"), tmp_path / "rocket"
    root.mkdir()
    (root / "rocket.py").write_text("def launch():\n    pass\n")
    with monkeypatch.context() as older:
        for module in ("index.fleet.tables", "index.fleet.blocks"):
            older.setattr(f"{module}.INDEX_FORMAT", 1)
        tables.put(uri, "rocket", root, tmp_path / "own")
        tables.put(uri, "planet", root, tmp_path / "own")
    fleet = Fleet(uri, tmp_path / "home")
    with pytest.raises(CtxpackError, match="it has format 1"):
        fleet.index(fleet.repositories()[1])
    (old,) = (one for one in fleet.repositories() if one.name == "rocket")
    assert old.generation != generation_key("rocket", old.commit, MODEL_ID), "so it is indexed again"
    parts = []
    monkeypatch.setattr(
        published, "put", lambda objects, data, put=published.put: parts.append(data) or put(objects, data)
    )
    tables.put(uri, "rocket", root, tmp_path / "own")
    assert len(parts) == 2, "its blocks are not those of the old format"
    fleet.refresh()
    opened, errors = fleet.indexes(fleet.repositories())
    assert set(opened) == {"rocket"}
    assert [error.message for error in errors] == [
        f"the generation of planet in {uri} cannot be used: it has format 1 (here {blocks.INDEX_FORMAT}) and the model "
        f"{MODEL_ID}"
    ]
    _, answer = ask(fleet, "query", "launch")
    assert [hint.type for hint in answer.hints if "planet" in hint.text] == ["warn"]


def test_a_repository_is_known_after_a_new_format_and_a_change_of_all_its_files(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri, shop = str(tmp_path / "store"), commit(tmp_path / "shop", launch("rocket"))
    with monkeypatch.context() as older:
        for module in ("index.fleet.tables", "index.fleet.blocks"):
            older.setattr(f"{module}.INDEX_FORMAT", 1)
        tables.put(uri, "shop", shop, tmp_path / "own", commit=clean_commit(shop)[0])
    commit(shop, {f"{name}.py": f"{name} = 2\n" for name in ("rocket", "main")})
    assert records(run("fleet", "index", shop, uri))["shop"]["appended"] == 2
    assert files_of(run("query", "rocket", "--fleet", uri)) >= {"rocket.py"}


def test_other_readers_mean_another_table(run: Run, tmp_path: Path) -> None:
    uri = str(tmp_path / "store")
    rocket, planet = (commit(tmp_path / name, launch(name)) for name in ("rocket", "planet"))
    run("fleet", "index", rocket, planet, uri)
    assert records(run("fleet", "index", rocket, uri, "--readers", "bob,alice"))["rocket"]["appended"] == 2
    fleet = Fleet(uri)
    (hidden,) = fleet.repositories("alice", ["rocket"])
    assert hidden.readers == {"alice", "bob"}
    assert [one.name for one in fleet.repositories()] == ["planet"]
    opened = {name: row_map(fleet._table(name)._table, tmp_path / name) for name in ("chunks.lance", hidden.table)}
    assert {name: len(one.ids) for name, one in opened.items()} == {"chunks.lance": 2, hidden.table: 2}
    code, envelope = run("fleet", "index", rocket, planet, uri)
    assert code == 0 and [hint["text"] for hint in envelope["hints"]] == [
        "everybody may read rocket now, as --readers was not given; before, only alice, bob"
    ]
    assert records(run("fleet", "index", rocket, uri)) == {"rocket": {"name": "rocket", "commit": hidden.commit}}, (
        "said once"
    )


def test_a_writer_killed_before_the_flip_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri, root = str(tmp_path / "store"), tmp_path / "rocket"
    root.mkdir()
    (root / "rocket.py").write_text("def launch():\n    pass\n")
    tables.put(uri, "rocket", root, tmp_path / "own")
    (root / "rocket.py").write_text("def land():\n    pass\n")
    with monkeypatch.context() as broken:
        broken.setattr(FleetTables, "_flip", _killed)
        with pytest.raises(KeyboardInterrupt):
            tables.put(uri, "rocket", root, tmp_path / "own", commit="1" * 40)
    fleet = Fleet(uri, tmp_path / "home")
    (live,) = fleet.repositories()
    assert live.commit == "0" * 40
    assert fleet.index(live).file_text("rocket.py") == "def launch():\n    pass\n"
    tables.put(uri, "rocket", root, tmp_path / "own", commit="1" * 40)
    fleet.refresh()
    assert fleet.index(fleet.repositories()[0]).file_text("rocket.py") == "def land():\n    pass\n"


def _killed(*_: Any) -> None:
    raise KeyboardInterrupt


def test_the_same_row_comes_of_the_same_commit(tmp_path: Path) -> None:
    from index import build_index
    from index.fleet.tables import rows_of

    root = tmp_path / "rocket"
    root.mkdir()
    for number in range(30):
        (root / f"part{number}.py").write_text(f"def part_{number}():\n    return {number}\n")
    whole = build_index(root, home=tmp_path / "whole", model="embedded").snapshot
    (root / "part3.py").rename(tmp_path / "aside.py")
    build_index(root, home=tmp_path / "steps", model="embedded")
    (tmp_path / "aside.py").rename(root / "part3.py")
    steps = build_index(root, home=tmp_path / "steps", model="embedded").snapshot
    one, other = (rows_of("rocket", "0" * 40, snapshot) for snapshot in (whole, steps))
    assert one.rows.equals(other.rows)
    assert one.rows.num_rows == 30
    assert (one.repository.live == other.repository.live).all()


def test_readers_of_a_repository_and_globs() -> None:
    from dataclasses import replace

    from index.fleet.catalog import Repository

    free = Repository("team/free", "", "", frozenset(), "", np.zeros(0, np.uint64))
    closed = replace(free, name="team/closed", readers=frozenset({"alice"}))

    def names(*arguments: Any, **more: Any) -> list[str]:
        return [one.name for one in visible([closed, free], *arguments, **more)]

    assert names(None) == ["team/free"]
    assert names("alice") == ["team/closed", "team/free"]
    assert names("bob") == ["team/free"]
    assert names(None, owner=True) == ["team/closed", "team/free"]
    assert names("alice", ["*closed"]) == ["team/closed"]


def test_follow_indexes_a_refused_tree_once_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri, other = str(tmp_path / "store"), commit(tmp_path / "b" / "shop", launch("planet"))
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    indexing.index_trees(uri, [str(commit(tmp_path / "a" / "shop", launch("rocket")))])
    tasks: list[indexing.TreeTask] = []
    rounds: list[int] = []

    def staged(own: list[indexing.TreeTask]) -> Iterator[indexing.Outcome]:
        tasks.extend(own)
        return ((task, indexing.stage(task)) for task in own)

    def pause(_: float) -> None:
        rounds.append(len(tasks))
        if len(rounds) == 3:
            commit(other, {"moon.py": ""})
        assert len(rounds) < 6, "enough"

    monkeypatch.setattr(indexing, "_by_processes", staged)
    monkeypatch.setattr("time.sleep", pause)
    news = indexing.follow_trees(uri, [str(other)])
    assert "another repository" in next(news)[0]["problem"]
    with pytest.raises(AssertionError, match="enough"):
        next(news)
    assert rounds == [1, 1, 1, 2, 2, 2]


@pytest.mark.slow
def test_follow_reports_each_commit_and_problem(uri: str, tmp_path: Path, run: Run, conforms: Conforms) -> None:
    rocket = commit(tmp_path / "rocket", launch("rocket"))
    command = [Path(sys.executable).with_name("ctxpack"), "fleet", "follow", str(rocket), uri]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as following:

        def until(name: str) -> Any:
            """The value of the next record with a field of this name."""
            assert following.stdout is not None
            for line in following.stdout:
                conforms(json.loads(line)["data"], "fleet")
                for record in json.loads(line)["data"]["repositories"]:
                    if name in record:
                        return record[name]

        try:
            assert until("appended") == 2
            (rocket / "comet.py").write_text("")
            assert "uncommitted" in until("problem")
            commit(rocket, {"comet.py": "def orbit_comet():\n    return 1\n"})
            assert until("appended") == 1
            assert files_of(run("query", "orbit_comet", "--fleet", uri)) >= {"comet.py"}
        finally:
            following.terminate()
        assert following.wait() == 0


def test_no_store_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    for uri in (str(tmp_path / "none"), "ftp://nowhere/x"):
        with pytest.raises(CtxpackError) as refused:
            Fleet(uri)
        assert "\n" not in refused.value.message


def test_a_store_is_tested_and_left_unchanged(uri: str, run: Run) -> None:
    code, envelope = run("fleet", "prove", uri)
    assert (code, envelope["data"]["lost"], envelope["data"]["commits"]) == (0, 0, 40)
    assert not [key for key in FleetTables(uri)._objects.keys("") if "proof" in key]


def test_a_store_without_conditional_writes_is_refused(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    with Bucket(conditional=False) as careless:
        careless.name_in(monkeypatch)
        code, envelope = run("fleet", "prove", "s3://team/fleet")
    assert code == 1
    assert "conditional writes" in envelope["error"]["message"]


def test_a_lease_has_one_holder_and_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = FolderObjects(tmp_path)
    with Lease(objects), pytest.raises(IndexLocked), Lease(objects, wait_s=0):
        pass
    with Lease(objects, wait_s=0):
        pass
    monkeypatch.setattr("index.fleet.lease.LEASE_S", -1.0)
    dead = Lease(objects, wait_s=0)
    assert dead._take()  # and is killed
    with Lease(objects, wait_s=0):
        pass
    assert len(list(objects.keys(""))) <= 4


@pytest.mark.parametrize("text", ['{"parts": [1]}', "[", '{"parts": {"000000": 3}}', '{"parts": {"000000": {}}}'])
def test_a_damaged_generation_stops_neither_the_next_one_nor_a_purge(tmp_path: Path, text: str) -> None:
    uri, root = str(tmp_path / "store"), tmp_path / "rocket"
    root.mkdir()
    (root / "rocket.py").write_text("def launch():\n    pass\n")
    tables.put(uri, "rocket", root, tmp_path / "own")
    (generation,) = (key for key in FolderObjects(Path(uri)).keys("ctxpack-1") if key.endswith(".json"))
    (Path(uri) / generation).write_text(text)
    FleetTables(uri).upkeep(purge=True)
    (root / "rocket.py").write_text("def land():\n    pass\n")
    tables.put(uri, "rocket", root, tmp_path / "own", commit="1" * 40)
    fleet = Fleet(uri, tmp_path / "home")
    assert fleet.index(fleet.repositories()[0]).chunks == 1


@pytest.mark.parametrize(("name", "data"), [("000009", b'{"until": "x"}'), ("000009", b"["), ("notes", b"")])
def test_a_damaged_lease_is_named(tmp_path: Path, name: str, data: bytes) -> None:
    objects = FolderObjects(tmp_path)
    objects.create(f"{FOLDER}/{name}", data)
    with pytest.raises(IOFailure, match="fleet-lease of the store is damaged"), Lease(objects, wait_s=0):
        pass


def test_a_writer_whose_lease_expired_flips_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet, root = FleetTables(str(tmp_path / "store")), tmp_path / "bank"
    root.mkdir()
    (root / "bank.py").write_text("def bank():\n    return 1\n")
    rows = rows_of("bank", "c" * 40, build_index(root, model="embedded").snapshot)
    with monkeypatch.context() as asleep:
        asleep.setattr("index.fleet.lease.LEASE_S", 0.0)
        with pytest.raises(IndexLocked, match="lost its turn"):
            tables.put_rows(fleet, rows)
    assert not fleet.repositories()
    monkeypatch.setattr("index.fleet.lease.RENEW_S", 0.01)
    objects = FolderObjects(tmp_path / "lease")
    with Lease(objects) as lease, pytest.raises(IndexLocked, match="lost its turn"):
        end = time.monotonic() + 300
        while time.monotonic() < end:  # another process takes over between two renewals
            lease.check()
            objects.create(f"{FOLDER}/{lease._number + 2:06d}", b"{}")
    assert tables.put_rows(fleet, rows) == {"bank": rows.rows.num_rows}


def test_what_was_purged_before_its_commit_is_left_out(tmp_path: Path) -> None:
    fleet = FleetTables(str(tmp_path / "store"))
    made = {}
    for name in ("bank", "bakery"):
        root = tmp_path / name
        root.mkdir()
        (root / f"{name}.py").write_text(f"def {name}():\n    return 1\n")
        made[name] = rows_of(name, "c" * 40, build_index(root, model="embedded").snapshot)
    tables.put_rows(fleet, made["bank"])
    staged = fleet.stage(made["bakery"], None)
    FleetTables(str(tmp_path / "store")).upkeep(purge=True)
    assert fleet.commit([staged]) == ({}, ["bakery"])
    assert set(fleet.repositories()) == {"bank"}
    assert tables.put_rows(fleet, made["bakery"]) == {"bakery": made["bakery"].rows.num_rows}
    assert set(fleet.repositories()) == {"bank", "bakery"}


def test_two_writers_of_one_commit_are_both_done(tmp_path: Path) -> None:
    store, root = FleetTables(str(tmp_path / "store")), tmp_path / "bank"
    root.mkdir()
    (root / "bank.py").write_text("def bank():\n    return 1\n")
    snapshot = build_index(root, model="embedded").snapshot
    first, second = (store.stage(rows_of("bank", "c" * 40, snapshot), None) for _ in range(2))
    other = store.stage(rows_of("bank", "d" * 40, snapshot), None)
    assert store.commit([first]) == ({"bank": 1}, [])
    assert store.commit([second]) == ({}, [])
    assert store.commit([other]) == ({}, ["bank"])


def test_two_concurrent_writers_lose_nothing(run: Run, tmp_path: Path) -> None:
    uri = str(tmp_path / "store")
    trees = [commit(tmp_path / name, launch(name)) for name in ("rocket", "planet", "comet", "orbit")]
    command = [Path(sys.executable).with_name("ctxpack"), "fleet", "index"]
    writers = [
        subprocess.Popen([*command, str(tree), uri], stdout=subprocess.PIPE, env=os.environ) for tree in trees
    ]  # fmt: skip
    assert [writer.wait() for writer in writers] == [0] * 4
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
    assert set(records(run("fleet", "status", uri))) == {"rocket", "planet", "comet", "orbit"}
    assert open_table(uri, "chunks.lance").count_rows() == 8


def test_without_the_extra_one_sentence_says_what_to_install(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lance.py").write_text("raise ImportError('none')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for arguments in (("query", "launch", "--fleet", "x"), ("fleet", "status", "x"), ("fleet", "prove", "x")):
        code, envelope = run(*arguments)
        hint = "run `pip install 'ctxpack-code[fleet]'`, or in a clone of ctxpack: `pipx install --force '.[fleet]'`"
        assert (code, envelope["error"]["hint"]) == (1, hint)


@pytest.mark.slow
def test_ray_makes_the_same_rows(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    trees = [commit(tmp_path / name, launch(name)) for name in ("rocket", "planet", "comet")]
    held = []
    for engine in ("local", "ray"):
        uri = str(tmp_path / engine)
        assert len(records(run("fleet", "index", *trees, uri, "--engine", engine))) == 3
        order = [("repository", "ascending"), ("path", "ascending"), ("start_line", "ascending")]
        held.append(open_table(uri, "chunks.lance").to_table().sort_by(order))
    assert held[0].equals(held[1])
    assert held[0].num_rows == 6
