"""The timing code: the costs of a process, marks, the table, composed trees."""

import sys
from pathlib import Path

import pytest

from benchmarks.marks import Row, speed_table
from benchmarks.report import percentile
from benchmarks.shell import Shell, measure_command
from benchmarks.trees import compose


def test_a_process_is_timed_and_its_memory_measured_from_outside() -> None:
    program = "import time; held = bytearray(60_000_000); time.sleep(0.2)"
    taken = measure_command([sys.executable, "-c", program], {})
    assert taken.wall_s >= 0.2
    assert 57 < taken.peak_mib < 150
    assert taken.cpu_s < taken.wall_s


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux's smaps_rollup")
def test_the_memory_of_children_counts_in_a_whole_tree() -> None:
    """The children hold their memory together until the parent, after a few samples, closes the pipes."""
    child = "import sys; held = bytearray(40_000_000); print(flush=True); sys.stdin.read()"
    start = f"Popen([sys.executable, '-c', {child!r}], stdin=PIPE, stdout=PIPE)"
    parent = f"import sys, time; from subprocess import PIPE, Popen; both = [{start}, {start}]; "
    parent += "[one.stdout.readline() for one in both]; time.sleep(1); [one.communicate() for one in both]"
    assert measure_command([sys.executable, "-c", parent], {}, whole_tree=True).peak_mib > 76


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux alone")
def test_orphaned_processes_are_awaited_and_not_counted() -> None:
    """The orphan runs on for half a second after its parent's end, which closes its stdin."""
    orphan = "import sys, time; sys.stdin.read(); time.sleep(0.5)"
    left = f"Popen([sys.executable, '-c', {orphan!r}], stdin=PIPE, start_new_session=True)"
    taken = measure_command([sys.executable, "-c", f"import sys; from subprocess import PIPE, Popen; {left}"], {})
    assert taken.after_s > 0.4


def test_a_command_that_fails_is_an_error() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)exit code 3.*no such tree"):
        measure_command([sys.executable, "-c", "print('no such tree'); raise SystemExit(3)"], {})


def test_places_of_a_command_line_are_filled_in(tmp_path: Path) -> None:
    program = "import os, pathlib, sys; pathlib.Path(os.environ['WHERE'], 'seen').write_text(' '.join(sys.argv[1:]))"
    shell = Shell("any", (sys.executable, "-c", program, "QUERY", "ROOT"), {"WHERE": "HOME"})
    shell.ask("what is it", Path("tree"), tmp_path)
    assert (tmp_path / "seen").read_text() == "what is it tree"


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (Row("a", "s", 0.3, 1.0, most_ratio=0.4), True),
        (Row("a", "s", 0.5, 1.0, most_ratio=0.4), False),
        (Row("a", "s", 0.5, 1.0, most_ratio=0.4, ratio_given=0.39), True),
        (Row("a", "MiB", 130, 500, most=120), False),
        (Row("a", "s", 0.3, 1.0, most_ratio=0.4, most=0.2), False),
        (Row("a", "chunks/s", 6000, least=5000), True),
        (Row("a", "s", 0.3, 1.0), None),
    ],
)
def test_marks(row: Row, met: bool | None) -> None:
    assert row.met is met


def test_the_table_names_ratio_mark_and_origin() -> None:
    about = {"suite": "s", "repositories": 2, "runs": 3, "commit": "abc", "machine": "m", "command": "c"}
    text = speed_table(about, [Row("warm", "s", 0.3, 1.0, most_ratio=0.4), Row("peak", "MiB", 1500, most=1024)])
    assert "| warm | 0.30 s | 1.00 s | 0.30 × | ≤ 0.4 × | yes |" in text
    assert "| peak | 1,500 MiB |  |  | ≤ 1024 MiB | **no** |" in text
    assert "Commit abc; m; `c`." in text


def test_nearest_rank_percentiles() -> None:
    assert percentile([1, 2, 3, 4], 50) == 2
    assert percentile(list(range(1, 101)), 99) == 99
    assert percentile([7], 99) == 7


def test_trees_are_composed_in_order_up_to_a_size(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "sub").mkdir(parents=True)
        for number in range(3):
            (tmp_path / name / "sub" / f"{number}.py").write_text("a\nb\n")
        (tmp_path / name / "picture").write_bytes(b"\0")
        (tmp_path / name / ".hidden").write_text("no\n")
    sources = {name: tmp_path / name for name in ("one", "two")}
    assert compose(tmp_path / "by_files", sources, files=4).files == 4
    assert (tmp_path / "by_files" / "two" / "sub" / "0.py").exists()
    assert not (tmp_path / "by_files" / "two" / "sub" / "1.py").exists()
    assert compose(tmp_path / "by_lines", sources, lines=5).lines == 6
    with pytest.raises(ValueError, match="6 files"):
        compose(tmp_path / "too_few", sources, files=7)
