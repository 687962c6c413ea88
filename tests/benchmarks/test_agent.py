"""The policy of the simulated agent, with a tree and a tool whose characters are counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.agent import (
    AROUND,
    LIMIT_CHARS,
    NUMBER_CHARS,
    Grep,
    ReadingCost,
    ToolAnswer,
    Tree,
    comparison,
    middle,
    play,
    within,
)
from benchmarks.explore.suite import Question, Repository, Span
from benchmarks.metrics import Place


class Scripted:
    """A tool that returns the answers of a script, query by query."""

    name = "scripted"

    def __init__(self, script: dict[str, ToolAnswer]) -> None:
        self.script = script
        self.asked: list[str] = []

    def open(self, repository: Repository, tree: Tree) -> None: ...

    def begin(self) -> None: ...

    def ask(self, query: str) -> ToolAnswer:
        self.asked.append(query)
        return self.script[query]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two files of 200 lines, each of nine characters including its line end."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("".join(f"x = {number:04}\n" for number in range(1, 200)) + "open_door()\n")
    return tmp_path


def question(*spans: tuple[str, int, int]) -> Question:
    return Question("r", "python", "behaviour", "where do doors open", tuple(Span(*span, 2) for span in spans))


def test_answers_and_windows_cost_until_the_lines_are_seen(root: Path) -> None:
    line = 9 + NUMBER_CHARS
    tool = Scripted(
        {
            "where do doors open": ToolAnswer("see open_door() here", set(), [Place("a.py", 100, 110, 0)]),
            "open_door": ToolAnswer("12345", {("b.py", number) for number in range(1, 6)}, []),
        }
    )
    tree = Tree(root)
    played = play(tool, tree, question(("a.py", 71, 80), ("b.py", 1, 6)))
    window = 11 + 2 * AROUND
    assert tool.asked == ["where do doors open", "open_door"]
    assert played == ReadingCost(played.question, len("see open_door() here") + window * line + 5, None, 2), (
        "5 of 6 lines"
    )
    whole = play(Scripted(tool.script), tree, question(("a.py", 71, 80)))
    assert (whole.most, whole.all, whole.turns) == (len("see open_door() here") + window * line,) * 2 + (1,)


def test_a_line_of_a_window_costs_only_once(root: Path) -> None:
    places = [Place("a.py", 100, 110, 0), Place("a.py", 101, 110, 0)]
    tool = Scripted({"where do doors open": ToolAnswer("", {("a.py", 100)}, places)})
    assert play(tool, Tree(root), question(("a.py", 71, 140))).all == (11 + 2 * AROUND - 1) * (9 + NUMBER_CHARS)


def test_grep_prefers_windows_with_most_of_the_rarest_words(root: Path) -> None:
    (root / "door.py").write_text("door\nopen the door\n")
    tool = Grep()
    tool.open(Repository("r", root, "python", ()), Tree(root))
    told = tool.ask("where do doors open")
    assert told.places[0].path == "a.py" and "a.py:200:open_door()\n" in told.text and ("door.py", 2) in told.lines


def test_a_question_that_is_never_answered_is_over_the_limit() -> None:
    assert middle([100, None, None]) == f"over {LIMIT_CHARS:,}" and middle([100, 200, None]) == "200"
    assert within([100, 200, None], 150) == pytest.approx(1 / 3)


def test_a_question_that_is_not_solved_counts_as_the_limit() -> None:
    one, other = (
        [ReadingCost(question(), most, None, 1) for most in some] for some in ((100, 300, None), (LIMIT_CHARS,))
    )
    sentence = comparison({"ours": one, "theirs": other})
    assert "theirs" in sentence and f"{300 / LIMIT_CHARS:.2f} by the median" in sentence
    assert f"{(400 + LIMIT_CHARS) / 3 / LIMIT_CHARS:.2f} by the mean" in sentence
