"""Requests that no client should send, memory over thousands of calls, and secrets through every tool."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import ClientSession
from serving import PATIENCE_S, SCRIPT, Servers, Wire, project_in, servers_in

from benchmarks.research.secret_corpus import random_string, secrets

pytestmark = pytest.mark.slow

DEEP = b"[" * 500 + b"]" * 500
MAX_GROWTH_KB = 4_000  # over 1,500 calls: 2.7 KB a call


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server for all of the requests that it should survive."""
    folder = tmp_path_factory.mktemp("wire")
    wire = Wire(servers_in(folder), project_in(folder))
    yield wire
    wire.end()


def test_half_a_surrogate_pair_is_answered(wire: Wire) -> None:
    reply = wire.call(1, b'{"query": "PictureCache \\ud800"}', b"context_pack")
    assert (reply["id"], reply["result"]["isError"]) == (1, False)
    assert reply["result"]["content"][0]["text"].startswith("# `PictureCache \ufffd`")
    reply = wire.call(2, b'{"query": "x", "\\udfff": 1}')
    assert reply["result"]["_meta"]["ctxpack"]["error"]["code"] == "invalid_request"


@pytest.mark.parametrize("deep", [DEEP, b'{"a":' * 500 + b"1" + b"}" * 500, b"[" * 100_000 + b"]" * 100_000])
def test_deep_json_is_answered(wire: Wire, deep: bytes) -> None:
    reply = wire.call(1, b'{"query": %s}' % deep)
    assert reply["id"] == 1 and "nested too deeply" in reply["error"]["message"]
    assert wire.call(2, b'{"query": "PictureCache"}')["result"]["isError"] is False


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [(b"no JSON", None, -32700), (b"[]", None, -32600), (DEEP, None, -32600),
     (b'{"jsonrpc": "2.0", "id": 7}', 7, -32600),
     (b'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"a": ', 7, -32700),
     (b'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"a": {"id": 8}', None, -32700),
     (b'{"jsonrpc": "2.0", "id": 7, "method": "no\\ud800"}', 7, -32601)],
)  # fmt: skip
def test_malformed_messages_get_an_error(wire: Wire, line: bytes, number: int | None, code: int) -> None:
    reply = wire.ask(line)
    assert (reply["id"], reply["error"]["code"]) == (number, code)
    assert wire.call(9, b'{"query": "PictureCache"}')["id"] == 9


@pytest.mark.parametrize("late", [False, True], ids=["at once", "after the first refreshes"])
def test_an_answer_says_that_a_damaged_index_was_built_again(
    servers: Servers, project: Path, tmp_path: Path, late: bool
) -> None:
    subprocess.run([SCRIPT, "index", project], env=servers.environment, check=True, stdout=subprocess.DEVNULL)
    (arrays,) = (tmp_path / "cache").rglob("arrays.bin")
    arrays.write_bytes(bytes(byte ^ 0x10 for byte in arrays.read_bytes()))
    wire = Wire(servers, project)
    if late:
        aside = arrays.parent.with_name(f"{arrays.parent.name}.damaged")
        until = time.monotonic() + PATIENCE_S
        while not aside.exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1.0)  # time for the server's other work at its start
    answers = [wire.call(number, b'{"query": "PictureCache"}')["result"] for number in range(4)]
    wire.end()
    assert (
        len({answer["content"][0]["text"] for answer in answers}) == 1
        and "picture_cache.py" in answers[0]["content"][0]["text"]
    )
    assert ["rebuilt" in json.dumps(answer["content"][1:]) for answer in answers][::3] == [True, False]


def test_an_index_that_cannot_be_written_answers_marked_stale_until_it_can(servers: Servers, project: Path) -> None:
    """A limit on the size of files simulates a full disk; it is lifted while the server runs."""
    subprocess.run([SCRIPT, "index", project], env=servers.environment, check=True, stdout=subprocess.DEVNULL)
    (project / "more.py").write_text("def more_pictures():\n    return 1\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        wire = Wire(servers, project)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    answer = wire.call(1, b'{"query": "PictureCache"}')["result"]
    assert "picture_cache.py" in answer["content"][0]["text"] and answer["_meta"]["ctxpack"]["stale"] is True
    assert "uses the previous index" in json.dumps(answer["content"][1:])
    resource.prlimit(wire.process.pid, resource.RLIMIT_FSIZE, before)
    answer = wire.call(2, b'{"query": "more_pictures"}')["result"]
    wire.end()
    assert "1. `more.py:" in answer["content"][0]["text"] and "stale" not in answer["_meta"]["ctxpack"]


def test_two_thousand_calls_do_not_grow_the_memory(servers: Servers, project: Path) -> None:
    """One process answers all of them, each about other words: caches are bounded."""
    subprocess.run([SCRIPT, "index", project], env=servers.environment, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-P", "-m", "context_pack.mcp.worker", json.dumps({str(project): {}})]
    worker = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=servers.environment, start_new_session=True
    )
    assert worker.stdin is not None and worker.stdout is not None
    sizes = []
    for number in range(2_000):
        asked = f"picture cache w{number}x"
        tool, args = (
            ("search", {"query": asked, "include": [f"src/{{a,{number}}}*", "*"]}),
            ("context_pack", {"query": asked}), ("related", {"target": f"src/picture_cache.py:{number % 20 + 1}"}),
            ("symbols", {"pattern": f"*{number}*"}),
        )[number % 4]  # fmt: skip
        request = {"tool": tool, "args": args, "roots": {"project": str(project)}, "limit_s": 60, "look": True}
        worker.stdin.write(json.dumps({**request, "hints": [], "stale": False, "states": []}).encode() + b"\n")
        worker.stdin.flush()
        reply = json.loads(worker.stdout.readline())
        assert reply["texts"] and "error" not in reply, reply
        if number in (499, 1_999):
            status = (Path("/proc") / str(worker.pid) / "status").read_text()
            sizes.append(next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")))
    worker.kill()
    worker.communicate()
    assert sizes[1] - sizes[0] < MAX_GROWTH_KB, sizes


NAME = "gh" + "p_" + random_string("the name of a file", 36)
HIDDEN = [case.secret for case in secrets()] + [NAME]
EVERY = "".join(f"\n{case.text}\n" for case in secrets())
PLACES = {
    "graph": ".mdkg/work/task-1-store-offsets.md", "task": ".nexus/01-governance/STATE.md", "turn": "docs/PLAN.md",
    "wiki": "wiki/concepts/autolyse.md",
}  # fmt: skip


def test_no_secret_of_any_kind_comes_out_of_any_tool(
    servers: Servers, examples: dict[str, Path], tmp_path: Path
) -> None:
    code = tmp_path / "code"
    for number, case in enumerate(secrets()):
        folder = code / f"s{number}"
        folder.mkdir(parents=True)
        name = case.path.rpartition("/")[2].lstrip(".") or "env"
        (folder / f"{name}.txt").write_text(f"deploy settings number {number}\n{case.text}", "utf-8")
    for kind, place in PLACES.items():
        file = examples[kind] / place
        file.write_text(f"{file.read_text('utf-8')}\n{EVERY}", "utf-8")
    (code / NAME).mkdir()
    (code / NAME / f"{NAME}.py").write_text("def deploy_settings():\n    return 'settings to deploy'\n")
    for kind, place in (("graph", ".mdkg/work"), ("wiki", "wiki/concepts"), ("turn", "docs"), ("task", "src/auth")):
        file = next(path for path in sorted((examples[kind] / place).iterdir()) if path.is_file())
        (file.parent / f"{NAME}{file.suffix}").write_text(
            file.read_text("utf-8").replace("id: ", "id: other-"), "utf-8"
        )
        (file.parent / NAME).mkdir()
        (file.parent / NAME / f"other{file.suffix}").write_text("---\nbroken: [\n")
    request = json.loads((examples["turn"] / "request.json").read_text("utf-8"))
    request["errors"] = [case.text for case in secrets()][:40]
    asked = {"repo": "code", "query": "deploy settings", "explain": True}
    calls = [
        ("context_pack", {**asked, "max_chars": 400_000, "limit": 400}),
        ("search", {**asked, "top_k": 400, "content": True}),
        ("symbols", {"repo": "code", "limit": 500}), ("related", {"repo": "code", "target": "s1", "content": True}),
        ("related", {"repo": "code", "target": "deploy_settings", "explain": True}),
        ("related", {"repo": "code", "target": f"{NAME}.py:99"}), ("context_pack", {**asked, "query": f"{NAME}.py:2"}),
        ("graph_pack", {"repo": "graph-example", "id": "task-1"}),
        ("task_packet", {"repo": "task-example", "task": "T02"}),
        ("turn_pack", {"repo": "turn-example", "request": request}),
        ("page_pack", {"repo": "wiki-example", "seed": "autolyse", "explain": True}), ("index_status", {}),
    ]  # fmt: skip

    async def talk(session: ClientSession) -> list[str]:
        return [(await session.call_tool(tool, args)).model_dump_json() for tool, args in calls]

    printed = servers.run(talk, code, *examples.values())
    assert sum("REDACTED" in one for one in printed) >= 4
    for (tool, _), one in zip(calls, printed, strict=True):
        shown = json.dumps(json.loads(one), ensure_ascii=False)
        left = [secret for secret in HIDDEN if secret in shown or json.dumps(secret)[1:-1] in shown]
        assert not left, (tool, left)
