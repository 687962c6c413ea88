"""Messages of a client of the server, valid or mutated: one reply within 10 s, from processes of at most 1 GB."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import strategies as st
from limits import CPU_S, MEMORY_MB, WALL_S, cpu_s, fuzzed, peak_mb, told
from test_fuzz import OF_RECORDS, VALUES, Cuts, mutated

from tests.server.serving import PROJECT, Servers, Wire, children

pytestmark = pytest.mark.slow

NAMES = "query target pattern id task request seed limit max_chars include edges folder time_limit_s x".split()
TOOLS = "context_pack search related symbols graph_pack task_packet turn_pack page_pack index_status none".split()
INTERNAL_ERROR = -32603


class Server:
    """A server that gets one message after the other, and is restarted after one that was too much for it."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        shutil.copytree(PROJECT, self.project, ignore=shutil.ignore_patterns("__pycache__"))
        cache = str(folder / "cache")
        self.servers = Servers({"CTXPACK_CACHE_DIR": cache, "CTXPACK_NO_BACKGROUND": "1", "PATH": os.environ["PATH"]})
        self.pings = 0
        self.wall_s, self.memory_mb = WALL_S, MEMORY_MB
        self.start()

    def start(self) -> None:
        self.wire = Wire(self.servers, self.project)
        # The index is built and the processes are started before anything is timed.
        assert self.wire.call(0, b'{"query": "PictureCache"}')["result"]["isError"] is False

    def send(self, line: bytes) -> None:
        """Sends a line, then a ping, because the line may get no reply. AssertionError as in `Worker.run`."""
        self.pings += 1
        ping = f"ping {self.pings}"
        problem, before_s = "", sum(map(cpu_s, self.processes()))
        self.wire.send(line)
        self.wire.send(json.dumps({"jsonrpc": "2.0", "id": ping, "method": "ping"}).encode())
        try:
            replies = [self.wire.reply(line, self.wall_s)]
            while len(replies) < 2 and (replies[-1].get("id") != ping or _wants_a_reply(line)):
                replies.append(self.wire.reply(line, self.wall_s))
            problem = next((f"got {reply}" for reply in replies if _is_fault(reply)), "")
        except (AssertionError, ValueError) as error:
            problem = f"got none: {error!r}"
        memory = max(map(peak_mb, self.processes()), default=0)
        if not problem and not memory:
            problem = "ended the server"
        if sum(map(cpu_s, self.processes())) - before_s > CPU_S:
            problem = f"took more than {CPU_S:g} s of processor time"
        if memory > self.memory_mb:
            problem = f"took {memory:,} MB of memory, more than {self.memory_mb:,}"
        if problem:
            self.wire.end()
            self.start()
            raise AssertionError(told("a line", problem, line))

    def processes(self) -> list[int]:
        """The server and all processes that it has started."""
        found = [self.wire.process.pid]
        for pid in found:
            found += children(pid)
        return found


def _wants_a_reply(line: bytes) -> bool:
    """Whether a line is a valid request, which gets its own reply in addition to the ping's."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return True  # an error is its reply
    return isinstance(document, dict) and document.get("method") == "tools/call" and "id" in document


def _is_fault(reply: dict[str, object]) -> bool:
    error, result = reply.get("error"), reply.get("result")
    if isinstance(error, dict):
        return bool(error["code"] == INTERNAL_ERROR)
    about = result["_meta"]["ctxpack"] if isinstance(result, dict) and "content" in result else {}
    return bool(about.get("error", {}).get("code") == "internal")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("server"))
    yield one
    one.wire.end()


def line_of(tool: str, arguments: object) -> bytes:
    params = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).encode()


@fuzzed(
    80, tool=st.sampled_from(TOOLS),
    arguments=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4) | VALUES,
)  # fmt: skip
def test_any_arguments_of_any_tool_get_one_reply(server: Server, tool: str, arguments: object) -> None:
    server.send(line_of(tool, arguments))


@fuzzed(60, tool=st.sampled_from(TOOLS), changes=OF_RECORDS)
def test_any_line_leaves_the_server_to_answer(server: Server, tool: str, changes: Cuts) -> None:
    server.send(mutated(line_of(tool, {"query": "PictureCache", "limit": 3}), changes).replace(b"\n", b" "))


def test_a_server_that_is_too_slow_or_too_large_fails(tmp_path: Path) -> None:
    one = Server(tmp_path)
    one.memory_mb = 10
    with pytest.raises(AssertionError, match="of memory, more than 10") as failure:
        one.send(line_of("search", {"query": "planted"}))
    assert "seed" in str(failure.value) and "planted" in str(failure.value)
    one.memory_mb, one.wall_s = MEMORY_MB, 0.0
    with pytest.raises(AssertionError, match="no reply within 0 s"):
        one.send(line_of("search", {"query": "planted"}))
    one.wire.end()
