"""`ctxpack watch`: one line per refresh, until it is stopped."""

from __future__ import annotations

import asyncio
import json
import resource
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from context_pack.follow import loop

SCRIPT = Path(sys.executable).with_name("ctxpack")


class Watch:
    """A running watch, read line by line."""

    def __init__(self, environment: dict[str, str], *repos: Path) -> None:
        options = [part for repo in repos for part in ("--repo", str(repo))]
        self.process = subprocess.Popen(
            [SCRIPT, "watch", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, bufsize=0
        )

    def line(self) -> Any:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], 60)
        assert ready, "the watch says nothing"
        return json.loads(self.process.stdout.readline())

    def stop(self, how: int) -> tuple[int, bytes, bytes]:
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


@pytest.fixture
def mine(project: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    shutil.copytree(project, folder)
    return folder


@pytest.fixture
def watch(environment: dict[str, str]) -> Iterator[Any]:
    started: list[Watch] = []

    def start(*repos: Path) -> Watch:
        started.append(Watch(environment, *repos))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_follows_the_tree_and_stops_cleanly(watch: Any, ctxpack: Any, conforms: Any, mine: Path, how: int) -> None:
    running = watch(mine)
    first = running.line()
    conforms(first, "envelope")
    conforms(first["data"], "index")
    assert first["data"]["added"] == 5
    (mine / "src" / "added.py").write_text("def zebra_crossing():\n    return 1\n")
    second = running.line()
    assert (second["data"]["added"], second["data"]["files"]) == (1, 6)
    stale = ctxpack("query", "zebra_crossing", "--no-refresh", cwd=mine)
    assert stale.data["items"][0]["file"] == "src/added.py", "no question has to wait"
    assert running.stop(how) == (0, b"", b"")


STOP_AT_START = """
import asyncio, sys
from contextlib import suppress
from pathlib import Path
from context_pack.follow.loop import watch

async def main():
    this, create = asyncio.current_task(), asyncio.create_subprocess_exec

    def started(*command, **options):
        this.cancel()  # takes effect once the child runs, before its pipes are connected
        return create(*command, **options)

    asyncio.create_subprocess_exec = started
    async for _ in watch({"mine": Path(sys.argv[1])}, {}):
        raise AssertionError("stopped too late")

with suppress(asyncio.CancelledError):
    asyncio.run(main())
"""


def test_it_stops_while_a_refresh_is_being_started(mine: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", STOP_AT_START, str(mine)]
    subprocess.run(command, env=environment, timeout=60, check=True)


def test_a_write_failure_is_reported_and_following_resumes(watch: Any, mine: Path) -> None:
    """A limit on the size of files simulates the full disk."""
    one = watch(mine)
    assert one.line()["data"]["files"] > 1
    before = resource.prlimit(one.process.pid, resource.RLIMIT_FSIZE, (2_048, resource.RLIM_INFINITY))
    (mine / "more.py").write_text("MORE = 1\n")
    told = one.line()
    if told["status"] == "ok" and not told["meta"]["index"]["stale"]:  # of a process from before the limit
        (mine / "more.py").write_text("MORE = 333\n")
        told = one.line()
    assert "uses the previous index" in told["hints"][-1]["text"] and told["meta"]["index"]["stale"] is True
    resource.prlimit(one.process.pid, resource.RLIMIT_FSIZE, before)
    (mine / "still_more.py").write_text("MORE = 22\n")
    assert one.line()["data"]["added"] >= 1


def test_several_roots_are_followed_even_if_one_is_deleted(watch: Any, mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.py").write_text("def a(): ...\n")
    running = watch(mine, other)
    said = {running.line()["hints"][0]["text"].partition(":")[0] for _ in range(2)}
    assert said == {"mine", "other"}
    shutil.rmtree(other)
    last = running.line()
    while last["status"] == "ok" or last["error"]["code"] == "no_files":
        last = running.line()  # the files were removed before the folder
    assert last["error"]["code"] == "not_a_directory" and "other no longer exists" in last["error"]["message"]
    (mine / "src" / "added.py").write_text("def zebra_crossing():\n    return 1\n")
    assert running.line()["data"]["added"] == 1
    shutil.rmtree(mine)
    out, _ = running.process.communicate(timeout=20)
    assert running.process.returncode == 1 and json.loads(out.splitlines()[-1])["status"] == "error"


def test_a_folder_that_is_deleted_during_a_refresh_is_reported(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refreshed(followed: loop.Followed) -> loop.Result:
        if not followed.gone:
            shutil.rmtree(followed.root)
            followed.notice()  # as the watcher does while the refresh is still running
        return {"envelope": {"status": "error", "error": {"code": "no_files"}}}

    async def envelopes() -> list[dict[str, Any]]:
        async with asyncio.timeout(20):
            return [envelope async for envelope in loop.watch({"mine": mine}, {})]

    monkeypatch.setattr(loop.Followed, "_result", refreshed)
    monkeypatch.setattr(loop.Followed, "_watch", lambda _: asyncio.sleep(60))
    assert [one["error"]["code"] for one in asyncio.run(envelopes())] == ["not_a_directory"]
