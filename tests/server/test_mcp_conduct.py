"""How the server behaves when things change, take long, break, or end."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import filelock
import pytest
from mcp import ClientSession, MCPError
from serving import PATIENCE_S, SCRIPT, Servers, about, alive, children, error_code, places, text_of, until, workers

pytestmark = pytest.mark.slow

ASKED = {"query": "zebra_crossing", "related": 0}


def _files(result: Any) -> set[str]:
    assert not result.is_error, text_of(result)
    return set(places(result))


def test_answers_follow_the_tree(servers: Servers, project: Path) -> None:
    """The next call finds what was written: in known folders by a check, in new ones through the watcher."""

    async def talk(session: ClientSession) -> None:
        assert _files(await session.call_tool("context_pack", ASKED)) == set()
        (project / "src" / "added.py").write_text("def zebra_crossing():\n    return 1\n")
        assert _files(await session.call_tool("context_pack", ASKED)) == {"src/added.py"}
        (project / "src" / "added.py").write_text("def walk_home():\n    return 1\n")
        assert "src/added.py" not in _files(await session.call_tool("context_pack", ASKED))
        deep = project / "new" / "folder"
        deep.mkdir(parents=True)
        (deep / "deep.py").write_text("def zebra_crossing():\n    return 2\n")
        assert _files(await session.call_tool("context_pack", ASKED)) == {"new/folder/deep.py"}
        shutil.rmtree(project / "new")
        assert "new/folder/deep.py" not in _files(await session.call_tool("context_pack", ASKED))

    servers.run(talk, project)


def test_the_index_follows_by_itself(servers: Servers, project: Path) -> None:
    """Without a call: the watcher sees the change, and the work is done before the query."""

    async def talk(session: ClientSession) -> None:
        await _settled(session)
        before = (await _status(session))["index"]["generation"]
        (project / "src" / "added.py").write_text("def zebra_crossing():\n    return 1\n")
        while (await _status(session))["index"]["generation"] == before:
            await asyncio.sleep(0.05)

    servers.run(talk, project)


def test_a_large_tree_is_indexed_by_several_processes(servers: Servers, project: Path) -> None:
    """Forked workers never wait for a lock of the thread that reads messages, also after `ctxpack clean`."""
    _enlarge(project, 60)

    async def talk(session: ClientSession) -> None:
        asked = {"query": "step_59_99", "related": 0, "time_limit_s": 120}
        assert "src/large_59.py" in _files(await session.call_tool("context_pack", asked))
        assert await asyncio.to_thread(_run, servers, "clean", "--repo", str(project))
        assert "src/large_59.py" in _files(await session.call_tool("context_pack", asked))

    servers.run(talk, project)


def _enlarge(project: Path, files: int) -> None:
    for number in range(files):
        body = "\n".join(f"def step_{number}_{line}(value):\n    return value + {line}\n" for line in range(100))
        (project / "src" / f"large_{number:02}.py").write_text(body)


async def _settled(session: ClientSession) -> int:
    """Waits until the index is fresh and watched; returns the worker that answers now."""
    rows = await _status(session)
    while not rows["watched"] or rows["state"] != "ready":
        await asyncio.sleep(0.05)
        rows = await _status(session)
    await session.call_tool("search", {"query": "picture"})
    (worker,) = workers()
    return worker


async def _status(session: ClientSession) -> Any:
    result = await session.call_tool("index_status", {})
    return about(result)["repositories"][0]


def test_progress_is_reported_while_indexing(servers: Servers, project: Path) -> None:
    _enlarge(project, 60)
    told: list[tuple[float, float | None, str | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("search", {"query": "picture"}, progress_callback=tell)

    assert not servers.run(talk, project).is_error
    assert any(message and message.startswith("read ") for _, _, message in told)
    assert [progress for progress, *_ in told] == sorted({progress for progress, *_ in told}), "it only grows"
    assert all(total is None or progress <= total for progress, total, _ in told)


def test_a_time_limit_ends_the_work(servers: Servers, project: Path) -> None:
    """A worker that hangs is gone when the call is answered, and the next call gets another one."""

    async def talk(session: ClientSession) -> None:
        worker = await _settled(session)
        os.kill(worker, signal.SIGSTOP)
        result = await session.call_tool("search", {"query": "picture", "time_limit_s": 1.0})
        assert about(result)["error"] == {"code": "timed_out", "details": {"limit_s": 1.0}}
        assert "time_limit_s" in text_of(result)
        await until(lambda: not alive(worker))
        assert not (await session.call_tool("search", {"query": "picture"})).is_error

    servers.run(talk, project)


def test_ready_indexes_answer_while_another_is_being_written(servers: Servers, project: Path) -> None:
    """Another program holds the writer's lock: the answer comes from the existing index, and says so."""

    async def talk(session: ClientSession) -> None:
        assert _files(await session.call_tool("context_pack", {"query": "PictureCache"}))
        (home,) = Path(servers.environment["CTXPACK_CACHE_DIR"]).glob("repos/*/*/CURRENT")
        with filelock.FileLock(home.parent / "writer.lock"):
            (project / "src" / "added.py").write_text("def zebra_crossing():\n    return 1\n")
            limits_s = (1.5, 6.0, 60.0)  # a longer one if the machine is busy
            for limit_s in limits_s:
                arguments = {"query": "PictureCache", "time_limit_s": limit_s}
                result = await session.call_tool("context_pack", arguments)
                if error_code(result) != "timed_out":
                    break
        assert "src/picture_cache.py" in _files(result)
        assert about(result)["stale"] is True
        assert "this answer covers what was indexed so far" in text_of(result)
        assert _files(await session.call_tool("context_pack", ASKED)) == {"src/added.py"}

    servers.run(talk, project)


def test_without_a_first_index_nothing_is_ready(servers: Servers, project: Path) -> None:
    assert _run(servers, "index", str(project)).returncode == 0
    (home,) = Path(servers.environment["CTXPACK_CACHE_DIR"]).glob("repos/*/*/CURRENT")
    shutil.rmtree(home.parent / "generations")
    home.unlink()

    async def talk(session: ClientSession) -> None:
        with filelock.FileLock(home.parent / "writer.lock"):
            result = await session.call_tool("context_pack", {"query": "PictureCache", "time_limit_s": 1.0})
            assert error_code(result) == "timed_out"
            assert "is not ready yet" in text_of(result) and "ask again" in text_of(result)
            assert (await _status(session))["state"] == "indexing"
        assert _files(await session.call_tool("context_pack", {"query": "PictureCache"}))

    servers.run(talk, project)


def test_cancelling_a_call_ends_its_work(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> None:
        worker = await _settled(session)
        os.kill(worker, signal.SIGSTOP)
        while alive(worker):  # on a busy machine, a call may be cancelled before the worker has it
            call = asyncio.create_task(session.call_tool("search", {"query": "picture"}))
            await asyncio.sleep(0.3)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await asyncio.sleep(0.1)
        assert not (await session.call_tool("search", {"query": "picture"})).is_error

    servers.run(talk, project)


def test_a_worker_that_dies_is_replaced_within_the_call(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> None:
        worker = await _settled(session)
        os.kill(worker, signal.SIGSTOP)
        call = asyncio.create_task(session.call_tool("search", {"query": "picture"}))
        await asyncio.sleep(0.3)
        os.kill(worker, signal.SIGKILL)
        assert not (await call).is_error

    servers.run(talk, project)


def test_a_slow_call_does_not_keep_others_waiting(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> None:
        worker = await _settled(session)
        os.kill(worker, signal.SIGSTOP)
        slow = asyncio.create_task(session.call_tool("search", {"query": "picture"}))
        await asyncio.sleep(0.3)
        assert not (await session.call_tool("search", {"query": "thumbnail"})).is_error
        assert not slow.done()
        os.kill(worker, signal.SIGCONT)
        assert not (await slow).is_error

    servers.run(talk, project)


def test_an_index_that_is_removed_is_made_again(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> None:
        first = await session.call_tool("context_pack", {"query": "PictureCache"})
        assert _run(servers, "clean", "--repo", str(project)).returncode == 0
        again = await session.call_tool("context_pack", {"query": "PictureCache"})
        assert _files(again) == _files(first)

    servers.run(talk, project)


def test_a_repository_deleted_under_the_server(servers: Servers, project: Path, tmp_path: Path) -> None:
    async def talk(session: ClientSession) -> None:
        assert _files(await session.call_tool("context_pack", {"query": "PictureCache"}))
        project.rename(tmp_path / "aside")
        for _ in range(2):
            result = await session.call_tool("context_pack", {"query": "PictureCache"})
            assert error_code(result) == "not_a_directory"
            assert "no longer exists" in text_of(result)
        assert (await _status(session))["state"] == "gone"
        (tmp_path / "aside").rename(project)
        (project / "src" / "added.py").write_text("def zebra_crossing():\n    return 1\n")
        assert _files(await session.call_tool("context_pack", ASKED)) == {"src/added.py"}

    servers.run(talk, project)


def test_a_repository_without_files_is_an_error_until_it_has_some(servers: Servers, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()

    async def talk(session: ClientSession) -> None:
        result = await session.call_tool("context_pack", ASKED)
        assert error_code(result) == "no_files"
        (empty / "added.py").write_text("def zebra_crossing():\n    return 1\n")
        assert _files(await session.call_tool("context_pack", ASKED)) == {"added.py"}

    servers.run(talk, empty)


def test_a_refresh_that_fails_leaves_the_older_index_to_answer(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> None:
        assert _files(await session.call_tool("context_pack", {"query": "PictureCache"}))
        (project / "ctxpack.toml").write_text("max_file_bytes = 'many'\n")
        for _ in range(2):
            result = await session.call_tool("context_pack", {"query": "PictureCache"})
            assert "src/picture_cache.py" in _files(result) and about(result)["stale"] is True
            assert "could not be refreshed: ctxpack.toml: max_file_bytes" in text_of(result)
        (project / "ctxpack.toml").unlink()
        assert "stale" not in about(await session.call_tool("context_pack", {"query": "PictureCache"}))

    servers.run(talk, project)


def test_two_clients_at_once(servers: Servers, project: Path) -> None:
    """Two servers index the same tree from scratch at the same time; both give the same answer."""

    async def talk(session: ClientSession) -> Any:
        results = await asyncio.gather(*(session.call_tool("context_pack", {"query": "thumbnail"}) for _ in range(4)))
        return [text_of(result) for result in results]

    async def both() -> list[Any]:
        return await asyncio.gather(*(asyncio.to_thread(servers.run, talk, project) for _ in range(2)))

    first, second = asyncio.run(both())
    assert first == second and "src/picture_cache.py" in first[0]
    assert len({*first}) == 1


def _run(servers: Servers, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([SCRIPT, *arguments], capture_output=True, env=servers.environment, check=False)


INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Pipes:
    """A server controlled by hand, line by line."""

    def __init__(self, servers: Servers, *repos: Path) -> None:
        self.process = subprocess.Popen(
            [SCRIPT, *servers.arguments(*repos)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=servers.environment,
        )  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout

    def send(self, *messages: Any) -> None:
        for message in messages:
            self._in.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self._in.flush()

    def answer(self, number: int) -> Any:
        """The answer to a request; every line before it is JSON-RPC."""
        for line in self._out:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            if message.get("id") == number:
                return message
        raise AssertionError("the server has ended")

    def end(self) -> bytes:
        """Closes stdin; returns the rest of stdout."""
        self._in.close()
        rest = self._out.read()
        assert self.process.wait(PATIENCE_S) == 0
        self.process.stderr.close()  # type: ignore[union-attr]
        self._out.close()
        return rest


def test_malformed_messages_are_survived_and_stdout_carries_the_protocol_alone(servers: Servers, project: Path) -> None:
    pipes = Pipes(servers, project)
    pipes.send(b"no json at all\n", b"\xff\xfe\n", b"[]\n", b'{"jsonrpc": "2.0"}\n', INITIALIZE)
    assert pipes.answer(1)["result"]["serverInfo"]["name"] == "ctxpack"
    pipes.send(
        INITIALIZED,
        b'{"jsonrpc": "2.0", "id": 2, "method": "no/such/method"}\n',
        b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 5}}\n',
        b'{"half": \n',
        {
            "jsonrpc": "2.0",
            "id": 4,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"query": "picture"}},
        },
    )
    assert pipes.answer(2)["error"]["code"] == -32601
    assert "error" in pipes.answer(3)
    result = pipes.answer(4)["result"]
    assert result["isError"] is False and "error" not in result["_meta"]["ctxpack"]
    for line in pipes.end().splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0"


def test_the_server_and_its_processes_end_with_the_client(servers: Servers, project: Path) -> None:
    pipes = Pipes(servers, project)
    pipes.send(INITIALIZE)
    pipes.answer(1)
    started = _when_started(pipes.process.pid)
    pipes.end()
    _all_gone(started)


def test_a_killed_server_leaves_no_process(servers: Servers, project: Path) -> None:
    pipes = Pipes(servers, project)
    pipes.send(INITIALIZE)
    pipes.answer(1)
    started = _when_started(pipes.process.pid)
    pipes.process.kill()
    pipes.process.communicate()
    _all_gone(started)


def _when_started(pid: int) -> list[int]:
    deadline = time.monotonic() + PATIENCE_S
    while not (started := children(pid)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return started


def _all_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while any(map(alive, pids)):
        assert time.monotonic() < deadline, "a process of the server outlives it"
        time.sleep(0.02)


def test_a_first_call_answers_from_what_is_read_so_far(servers: Servers, project: Path) -> None:
    """Reading the tree takes longer than the call may: the answer is from a part of the tree, and says so."""
    _enlarge(project, 1_000)

    async def talk(session: ClientSession) -> None:
        asked = {"query": "step", "mode": "places", "time_limit_s": 3}
        result = await session.call_tool("context_pack", asked)
        while error_code(result) == "timed_out":  # the machine is busy
            result = await session.call_tool("context_pack", asked)
        assert not result.is_error and places(result) and about(result)["stale"] is True
        assert "is still being indexed" in text_of(result) and "Ask again for the rest" in text_of(result)
        result = await session.call_tool("context_pack", {"query": "step_999_99", "time_limit_s": 240})
        assert "stale" not in about(result) and "src/large_999.py" in _files(result)

    servers.run(talk, project)


def test_hundreds_of_calls_at_once_are_answered_by_two_workers_at_most(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> None:
        most = 0
        calls = [asyncio.create_task(session.call_tool("related", {"target": "PictureCache"})) for _ in range(300)]
        while not all(call.done() for call in calls):
            most = max(most, len([*workers()]))
            await asyncio.sleep(0.1)
        assert {(await call).is_error for call in calls} == {False}
        assert 1 <= most <= 2

    servers.run(talk, project)


def test_three_hundred_calls_leave_memory_where_it_was(servers: Servers, project: Path) -> None:
    """Bounded caches are full after a few hundred calls; a leak of 60 KB per call would show as 18 MB."""
    queries = ["PictureCache", "thumbnail of a picture", "gallery", "how are pictures kept", "src/picture_cache.py:5"]
    others = {*children(os.getpid())}  # processes that other tests have left running

    async def talk(session: ClientSession) -> tuple[int, int]:
        async def ask(times: int) -> int:
            for number in range(times):
                await session.call_tool("context_pack", {"query": queries[number % len(queries)]})
            return _memory_kib(others)

        return await ask(300), await ask(300)

    before, after = servers.run(talk, project)
    assert after - before < 6_000, f"{before} KiB became {after} KiB"


def _memory_kib(others: set[int]) -> int:
    """Resident memory of the servers that this process has started, with their workers, without `others`."""
    pending, total = [pid for pid in children(os.getpid()) if pid not in others], 0
    while pending:
        pid = pending.pop()
        pending += children(pid)
        with suppress(OSError):  # it has just ended
            status = (Path("/proc") / str(pid) / "status").read_text()
            total += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return total


def test_a_wrong_start_is_reported_on_stdout_like_any_other_command(servers: Servers, tmp_path: Path) -> None:
    for arguments, code in [
        (["mcp", "--repo", str(tmp_path / "nowhere")], "not_a_directory"),
        (["mcp", "--time-limit", "0"], "invalid_request"),
    ]:
        run = _run(servers, *arguments)
        error = json.loads(run.stdout)["error"]
        assert run.returncode == 1 and error["code"] == code
        assert error["message"] in run.stderr.decode(), "agents show what a server writes there"


def test_the_protocols_own_errors_reach_the_client(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> None:
        with pytest.raises(MCPError):
            await session.read_resource("file:///etc/passwd")

    servers.run(talk, project)
