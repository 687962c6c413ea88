"""A question about the repository itself finds its own description first, or the entry points of its programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import Index, open_index
from tests.index.conftest import WriteTree

FILES = {
    "README.md": "# Shop\n\nSells things.\n",
    "docs/architecture.md": "# Layers\n\nThe till is below the cart.\n",
    "src/till/main.go": "package main\n\nfunc main() {\n\topen()\n}\n",
    "src/till/open.go": "package main\n\nfunc open() {\n}\n",
    "src/cart/index.js": "export * from './cart.js'\nexport const version = 1\n",
    "src/cart/cart.js": "// the purpose of a cart is to hold lines\nexport function main() {\n  return 1\n}\n",
    "tests/main.go": "package tests\n\nfunc main() {\n}\n",
}
GUIDES = {
    "README.md": "# Shop\n\nSells things.\n\n## Getting started\n\nBuy a till.\n",
    "docs/INSTALL.rst": "Put the till on the counter to install it.\n",
    "CONTRIBUTING.md": "# Contributing\n\nBe kind.\n\n## Testing\n\nPress all keys.\n",
    "LICENSE": "Everybody may sell.\n",
    "LICENSE-MIT": "Everybody may buy.\n",
    "install": "#!/bin/sh\ncp till /usr/bin/till  # to install it\n",
    "vendor/till/LICENSE": "Nobody may sell.\n",
    "docs/BUILDING.md": "# Building\n\nNail the till together.\n",
    "SECURITY.md": "# Thieves\n\nCall the owner.\n",
    "CHANGES": "2.0: the till is faster\n",
    "src/till/install.go": "package till\n\nfunc install() {\n}\n",
}
ABOUT = ["README.md", "docs/architecture.md"]
STARTS = ["src/till/main.go", "src/cart/index.js", "src/cart/cart.js"]


@pytest.fixture
def index(write_tree: WriteTree, tmp_path: Path) -> Index:
    return open_index(write_tree(FILES), home=tmp_path / "home", model="embedded")


def exact(index: Index, query: str) -> list[str]:
    hits = [hit for hit in index.search(query) if hit.why[0].name == "exact.overview"]
    return list(dict.fromkeys(index.chunk(hit.chunk).file for hit in hits))


@pytest.mark.parametrize(
    "text",
    [
        "Give me an overview of this repository",
        "what does this project do?",
        "Explain the codebase.",
        "project structure",
        "how is the code organized?",
    ],
)
def test_a_question_about_the_whole_begins_with_its_own_words(index: Index, text: str) -> None:
    assert exact(index, text) == [*ABOUT, *STARTS]


@pytest.mark.parametrize("text", ["entry points", "where does the program start?", "What is the main entry point"])
def test_a_question_about_the_start_begins_with_it(index: Index, text: str) -> None:
    assert exact(index, text) == [*STARTS, *ABOUT]


@pytest.mark.parametrize(
    "text", ["what is the purpose of a cart?", "overview of the till", "main", "what does open do", "explain README.md"]
)
def test_other_questions_get_no_overview(index: Index, text: str) -> None:
    assert exact(index, text) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("How do I install it?", ["docs/INSTALL.rst:1", "README.md:5"]),
        ("running the tests", ["CONTRIBUTING.md:5"]),
        ("contribution guidelines", ["CONTRIBUTING.md:1", "CONTRIBUTING.md:5"]),
        ("what license is it under?", ["LICENSE:1", "LICENSE-MIT:1"]),
        ("what is new in the latest version", ["CHANGES:1"]),
        ("build instructions", ["docs/BUILDING.md:1"]),
        ("How can I compile it?", ["docs/BUILDING.md:1"]),
        ("how to contribute", ["CONTRIBUTING.md:1", "CONTRIBUTING.md:5"]),
        ("how should I report a vulnerability", ["SECURITY.md:1"]),
        ("how do we install the till?", []),
        ("code of conduct", []),
    ],
)
def test_a_question_about_work_with_the_repository_begins_with_its_guides(
    text: str, places: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(GUIDES), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk) for hit in index.search(text) if hit.why[0].name == "exact.overview"]
    assert [f"{hit.file}:{hit.start_line}" for hit in hits] == places
