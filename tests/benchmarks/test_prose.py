"""Documentation turned into a vault with questions."""

from __future__ import annotations

from pathlib import Path

from benchmarks.research.prose import MIN_WORDS, by_index, by_pages, measure, sections, write_vault

LONG = " ".join(["word"] * MIN_WORDS)


def test_unique_headings_of_long_sections_are_questions(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        f"# *Getting* started\n{LONG}\n## See also\n{LONG}\n## Too short\nx\n## Overview\n{LONG}\n"
    )
    (tmp_path / "b.md").write_text(f"## See also\n{LONG}\n## How it works\n{LONG}\n")
    assert [heading.split() for heading, _ in sections([tmp_path])] == [["Getting", "started"], ["How", "it", "works"]]


def test_ranks_become_measures() -> None:
    ranked = {"one": ["a", "b"], "two": ["a", "b"], "three": []}
    asked = [("one", "a"), ("two", "b"), ("three", "c")]
    assert measure(lambda question: ranked[question], asked) == {
        "mrr": 0.5, "hit@1": 0.333, "hit@3": 0.667, "hit@10": 0.667,
    }  # fmt: skip


def test_both_searchers_return_pages_of_the_vault(tmp_path: Path) -> None:
    asked = write_vault(tmp_path, [("bread", "dough and bread"), ("tide", "the moon and the tide")])
    for searcher in (by_pages, by_index):
        assert measure(searcher(tmp_path), asked)["hit@1"] == 1.0
