"""The pages of results: where a script's table goes, and the READMEs' figures, which are taken from them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from benchmarks import pages

BENCHMARKS = Path(pages.__file__).parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the READMEs and of the pages of results."""
    copy = tmp_path / "benchmarks"
    shutil.copytree(BENCHMARKS / "results", copy / "results")
    for readme in (BENCHMARKS / "README.md", BENCHMARKS.parent / "README.md"):
        shutil.copy(readme, tmp_path / readme.relative_to(BENCHMARKS.parent))
    return copy


def readmes(folder: Path) -> list[str]:
    return [(place / "README.md").read_text("utf-8") for place in (folder, folder.parent)]


def test_the_figures_of_the_readmes_are_those_of_the_pages(folder: Path) -> None:
    """`python -m benchmarks.pages` writes them again."""
    pages.write_readmes(folder)
    assert readmes(folder) == readmes(BENCHMARKS)


def test_a_table_goes_to_its_page_and_its_figures_to_the_readmes(folder: Path) -> None:
    page = folder / "results" / "lists.md"
    old = page.read_text("utf-8")
    measures = "".join(f"| {name} | 0.{number}23 [0.1, 0.9] | 0.7 [0.1, 0.9] | 0.2 |\n" for number, name in MEASURES)
    table = f"### small: 70 questions\n\n| measure | ctxpack | semble | difference |\n|---|\n{measures}"
    pages.publish("small", table, folder)
    pages.publish("small", table, folder)
    new = page.read_text("utf-8")
    start, end = "<!-- small -->", "<!-- /small -->"
    assert new == f"{old.partition(start)[0]}{start}\n\n{table}\n{end}{old.partition(end)[2]}"
    assert "| our small suite | 70 | 0.123 | 0.7 | 0.2 | 0.523 | 0.7 | 0.2 |" in readmes(folder)[0]


MEASURES = ((1, "ndcg@10"), (5, "hit@10"))


def test_the_figures_of_the_public_suite_are_in_both_readmes(folder: Path) -> None:
    page = folder / "results" / "lists.md"
    page.write_text(page.read_text("utf-8").replace("0.906 [0.889, 0.924]", "0.811 [0.8, 0.9]"))
    pages.write_readmes(folder)
    assert all("| 0.811 | 0.838 |" in text for text in readmes(folder))


@pytest.mark.parametrize("name", ["unknown", "lines"])
def test_a_table_without_a_place_is_an_error(folder: Path, name: str) -> None:
    """`lines` is a place of the README, which no script of a suite may write."""
    with pytest.raises(ValueError, match=f"0 pages of results have a place for {name}"):
        pages.publish(name, "x", folder)


def test_every_command_that_writes_a_table_has_a_place() -> None:
    results = pages.read_results(BENCHMARKS / "results")
    texts = "\n".join(page.read_text("utf-8") for page in (BENCHMARKS / "results").glob("*.md"))
    names = set(re.findall(r"--write ([a-z][\w-]*)", texts)) | {"speed", "mcp", "agent"}
    assert names <= set(results) and len(names) > 15
    assert texts.count("<!-- /") == len(results), "a place occurs once"
