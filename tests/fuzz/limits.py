"""A worker process that runs cases one by one, each within its time and memory, and the runs that feed it."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

CPU_S = 10.0  # of a case; a machine under load does not add to it
WALL_S = 300.0  # ends a case that waits
MEMORY_MB = 1_000
START_S = 300.0
WATCHED_EVERY_S = 0.02
SHOWN_CHARS = 4_000  # of the input of a case that failed
SEED = int(os.environ.get("CTXPACK_FUZZ_SEED", "0"))  # another seed gives other cases
TIMES = int(os.environ.get("CTXPACK_FUZZ_TIMES", "1"))  # multiplies the number of cases, for a longer run by hand

Case = Callable[..., None]


def fuzzed(examples: int, **strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test that is called with a number of drawn inputs, the same for the same seed. The first failure ends it."""
    bounded = settings(
        max_examples=examples * TIMES, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        decorated: Callable[..., None] = seed(SEED)(bounded(given(**strategies)(test)))
        return decorated

    return decorate


def told(name: str, problem: str, given: object) -> str:
    """The message of a failed case: how to draw it again, what went wrong, and its input."""
    text = repr(given)
    rest = f"... and {len(text) - SHOWN_CHARS:,} characters more" if len(text) > SHOWN_CHARS else ""
    return f"seed {SEED}: {name} {problem}\ninput: {text[:SHOWN_CHARS]}{rest}"


def peak_mb(pid: int) -> int:
    """The peak memory of a running process so far; 0 if it has ended."""
    with suppress(OSError):
        for line in (Path("/proc") / str(pid) / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) // 1024
    return 0


def cpu_s(pid: int) -> float:
    """The processor time of a running process so far; 0 if it has ended."""
    with suppress(OSError):
        fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


class Worker:
    """A process with its own cache folder, restarted after a case that was too much for it.

    It runs `prepare` first, without a limit: what many cases need does not count for any of them.
    """

    def __init__(
        self,
        cpu_s: float = CPU_S,
        wall_s: float = WALL_S,
        memory_mb: int = MEMORY_MB,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self.cpu_s, self.wall_s, self.memory_mb, self.prepare = cpu_s, wall_s, memory_mb, prepare
        self._start()

    def run(self, case: Case, *arguments: object) -> None:
        """Runs one case. AssertionError, with the seed and the input, if it fails, ends the process or takes too much.

        The memory is that of the whole process, including the loaded libraries.
        """
        problem = self._problem(case, arguments)
        if problem:
            self.stop()
            self._start()
            raise AssertionError(told(case.__name__, problem, arguments))

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self.prepare), daemon=True)
        self._process.start()
        theirs.close()
        assert self._pipe.poll(START_S), "the worker does not start"
        self._pipe.recv()

    def _problem(self, case: Case, arguments: tuple[object, ...]) -> str:
        assert self._process.pid
        self._pipe.send((case, arguments))
        end, before_s = monotonic() + self.wall_s, cpu_s(self._process.pid)
        try:
            while not self._pipe.poll(WATCHED_EVERY_S):
                if cpu_s(self._process.pid) - before_s > self.cpu_s:
                    return f"took more than {self.cpu_s:g} s of processor time"
                if monotonic() > end:
                    return f"took longer than {self.wall_s:g} s"
                if peak_mb(self._process.pid) > self.memory_mb:
                    break
            else:
                problem: str = self._pipe.recv()
                if problem:
                    return problem
        except EOFError:
            self._process.join()
            return f"ended the process (exit code {self._process.exitcode})"
        peak = peak_mb(self._process.pid)
        return f"took {peak:,} MB of memory, more than {self.memory_mb:,}" if peak > self.memory_mb else ""


def _serve(pipe: Connection, prepare: Callable[[], None] | None) -> None:
    with tempfile.TemporaryDirectory(prefix="ctxpack-fuzz-") as folder:
        os.environ.update(CTXPACK_CACHE_DIR=f"{folder}/cache", CTXPACK_NO_BACKGROUND="1", TMPDIR=folder)
        tempfile.tempdir = folder
        if prepare is not None:
            prepare()
        pipe.send("ready")
        with suppress(EOFError, OSError):  # the parent has closed the pipe
            while True:
                case, arguments = pipe.recv()
                try:
                    case(*arguments)
                    problem = ""
                except Exception:
                    problem = f"failed:\n{traceback.format_exc()}"
                pipe.send(problem)
