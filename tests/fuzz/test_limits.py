"""Fuzz cases can fail: planted ones take too long, use too much memory, raise, or end the process."""

from __future__ import annotations

import os
import time

import pytest
from hypothesis import strategies as st
from limits import SEED, Worker, fuzzed

pytestmark = pytest.mark.slow


def slow(data: bytes) -> None:
    while True:
        pass


def waiting(data: bytes) -> None:
    time.sleep(600)


def huge(data: bytes) -> None:
    assert bytearray(b"x") * 300_000_000


def huge_and_slow(data: bytes) -> None:
    huge(data)
    time.sleep(600)


def faulty(data: bytes) -> None:
    raise ZeroDivisionError("planted")


def deadly(data: bytes) -> None:
    os.abort()


def harmless(data: bytes) -> None:
    return


PLANTED = [
    (slow, "slow took more than 0.5 s of processor time"), (waiting, "waiting took longer than 1 s"),
    (huge, "MB of memory, more than 200"), (faulty, "ZeroDivisionError: planted"),
    (deadly, "deadly ended the process (exit code -6)"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "said"), PLANTED, ids=[case.__name__ for case, _ in PLANTED])
def test_a_planted_case_fails_with_its_seed_and_input(case: object, said: str) -> None:
    worker = Worker(cpu_s=0.5 if case is slow else 60, wall_s=1 if case is waiting else 300, memory_mb=200)

    @fuzzed(5, data=st.sampled_from([b"planted input"]))
    def ask(data: bytes) -> None:
        worker.run(case, data)  # type: ignore[arg-type]

    with pytest.raises(AssertionError) as failure:
        ask()
    assert said in str(failure.value)
    assert str(failure.value).startswith(f"seed {SEED}: ")
    assert "b'planted input'" in str(failure.value)
    worker.run(harmless, b"")  # a new process runs the next one
    worker.stop()


def test_a_case_that_holds_too_much_is_not_waited_for() -> None:
    worker = Worker(memory_mb=200)
    with pytest.raises(AssertionError, match="of memory"):
        worker.run(huge_and_slow, b"")
    worker.stop()
