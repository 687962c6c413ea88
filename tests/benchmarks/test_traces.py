"""Generated traces: the same each time, in every format, read back as they were made; which frames count as shown."""

from __future__ import annotations

from pathlib import Path

from benchmarks.research.trace_samples import PRINTERS, samples
from benchmarks.research.traces import shows
from contracts.records import Item
from index.search.traces.frames import read_trace

FUNCTION = "def step_{0}(amount):\n    amount = check(amount)\n    return amount + {0}\n\n\n"


def tree(root: Path) -> Path:
    for file in range(3):
        folder = root / "src" / "shop"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"part_{file}.py").write_text("".join(FUNCTION.format(10 * file + n) for n in range(6)))
    return root


def test_the_same_tree_gives_the_same_traces(tmp_path: Path) -> None:
    root = tree(tmp_path)
    first, again = (list(samples(root, "shop", "python", 3)) for _ in range(2))
    assert first == again
    assert {sample.kind for sample in first} == set(PRINTERS["python"])
    assert len(first) == 3 * len(PRINTERS["python"])


def test_own_frames_are_lines_inside_functions_innermost_first(tmp_path: Path) -> None:
    root = tree(tmp_path)
    for sample in samples(root, "shop", "python", 4):
        for one in sample.own:
            above = (root / one.path).read_text().split("\n")[: one.line]
            assert [line for line in above if line.startswith("def ")][-1].startswith(f"def {one.function}(")
        read = [(frame.path.rpartition("/")[2], frame.line) for frame in read_trace(sample.text).frames]
        own = [(one.path.rpartition("/")[2], one.line) for one in sample.own]
        assert [place for place in read if place in own] == own


def test_a_line_that_is_left_out_is_not_shown() -> None:
    item = Item(
        id="a.py:1:9", role="primary", file="a.py", start_line=1, end_line=9, score=1.0, imports=(), content="",
        elided=((4, 6),),
    )  # fmt: skip
    assert shows([item], "a.py", 3) and shows([item], "a.py", 9)
    assert not shows([item], "a.py", 5) and not shows([item], "a.py", 10) and not shows([item], "b.py", 3)
