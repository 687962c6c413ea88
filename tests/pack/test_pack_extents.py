"""Packs of many sizes over real trees: every item is compared with its file and with the extent of its symbol."""

from __future__ import annotations

import ast
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from contracts.records import Item, Pack

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TREES = {
    "python": ROOT / "chunker",
    "languages": ROOT / "tests" / "chunker" / "fixtures",
    "project": ROOT / "tests" / "cli" / "project",
}
QUESTIONS = {
    "python": (
        "split a long text at its best lines",
        "detect_language",
        "where are comments and strings masked before names are looked for",
        "outline.py",
        "splitting.py:40",
        "class bases and decorators",
        "MAX_CHARS",
    ),
    "languages": ("read the file and count its lines", "class with a constructor", "import", "main", "return the name"),
    "long": ("sum_of_books", "sum_of_all_books", "amount of position 140 is booked", "books.py:70", "all.py:1500"),
    "project": ("resize a picture", "PictureCache", "cache", "README.md"),
}
FORMATS = ("json", "md", "xml")
PACKS = 700
LONG = {"books.py": ("sum_of_books", 300), "all.py": ("sum_of_all_books", 2_000)}  # function, number of lines
MARK = re.compile(r"\.\.\. lines? (\d+)(?:-(\d+))? left out(?: \W+)?$")


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Session]:
    found = {}
    long = tmp_path_factory.mktemp("long")
    for file, (function, count) in LONG.items():
        body = "\n".join(
            f"    total += books[{n}].amount  # the amount of position {n} is booked" for n in range(count)
        )
        (long / file).write_text(f"def {function}(books):\n    total = 0\n{body}\n    return total\n\n\nLAST = 1\n")
    for name, source in {**TREES, "long": long}.items():
        tree = tmp_path_factory.mktemp(name) / name
        shutil.copytree(source, tree, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyc"))
        first = Session.open(tree, {"model": "embedded", "index_dir": tmp_path_factory.mktemp("home")})
        for form in FORMATS:
            found[f"{name} {form}"] = Session(first.corpus, Layer({"model": "embedded", "format": form}))
    return found


def packs(sessions: dict[str, Session]) -> Iterator[tuple[Session, Pack]]:
    """Packs of sizes from a few lines to whole files, small ones more often."""
    chosen = random.Random(11)
    questions = [(name, question) for name in sorted(QUESTIONS) for question in QUESTIONS[name]]
    for number in range(PACKS):
        name, question = questions[number % len(questions)]
        options: dict[str, object] = {
            "max_chars": int(10 ** chosen.uniform(2.4, 4.6)),
            "fit": chosen.choice(("cut", "cut", "cut", "whole")),
            "related": chosen.choice((0, 3, 6)),
        }
        session = sessions[f"{name} {chosen.choice(FORMATS)}"]
        try:
            yield session, session.query(question, **options).data
        except BudgetTooSmall as refusal:
            assert refusal.details["smallest"] > options["max_chars"], (question, options)  # type: ignore[operator]


def test_no_item_of_hundreds_of_packs_is_cut_without_a_mark(sessions: dict[str, Session]) -> None:
    seen: Counter[str] = Counter()
    for session, pack in packs(sessions):
        lines_of = {item.file: (session.corpus.root / item.file).read_text().split("\n") for item in pack.items}
        for item in pack.items:
            seen["cut" if item.elided else "whole"] += 1
            assert_shows_its_lines(item, lines_of[item.file])
            seen["symbols"] += assert_ends_with_its_symbols(item, session)
            if item.file.endswith(".py"):
                seen["functions"] += assert_holds_functions_whole(item, "\n".join(lines_of[item.file]))
        assert len(
            {(item.file, line) for item in pack.items for line in range(item.start_line, item.end_line + 1)}
        ) == (sum(item.end_line - item.start_line + 1 for item in pack.items)), "two items show the same lines"
        assert pack.budget.used_chars <= pack.budget.max_chars
    assert min(seen["cut"], seen["whole"], seen["symbols"], seen["functions"]) > PACKS // 5, seen


def assert_shows_its_lines(item: Item, lines: list[str]) -> None:
    """The item's lines are those of the file, and each missing range has one mark, in its place, with its numbers."""
    head = "\n".join(item.imports) + "\n\n" if item.imports else ""
    assert item.content.startswith(head)
    shown = item.content[len(head) :].split("\n")
    place, left_out = item.start_line, dict(item.elided)
    for text in shown:
        if place in left_out:
            mark = MARK.search(text)
            assert mark, (item.id, text)
            assert (int(mark[1]), int(mark[2] or mark[1])) == (place, left_out[place])
            place = left_out[place]
        else:
            assert text == lines[place - 1].rstrip("\r"), item.id
        place += 1
    assert place == item.end_line + 1, f"{item.id} ends before its last line without a mark"


def assert_ends_with_its_symbols(item: Item, session: Session) -> int:
    """No chunk crosses the edge of an item, and no symbol of several chunks is shown in part."""
    corpus = session.corpus
    numbers = corpus.chunks_of_file(item.file)
    inside = set()
    for number in numbers:
        row = corpus.chunk(number)
        if row.start_line <= item.end_line and item.start_line <= row.end_line:
            assert item.start_line <= row.start_line and row.end_line <= item.end_line, (item.id, row.id)
            inside.add(number)
    assert inside, item.id
    for number in inside:
        assert inside.issuperset(corpus.parts(number)), (item.id, corpus.chunk(number).id)
    return len(inside)


def assert_holds_functions_whole(item: Item, source: str) -> int:
    """By Python's own parser: a function is inside an item with all its lines, or around the item, or elsewhere."""
    count = 0
    for first, last in functions(source):
        if last < item.start_line or item.end_line < first:
            continue
        around = first <= item.start_line and item.end_line <= last
        assert around or (item.start_line <= first and last <= item.end_line), (item.id, first, last)
        count += not around
    return count


_FUNCTIONS: dict[str, list[tuple[int, int]]] = {}


def functions(source: str) -> list[tuple[int, int]]:
    """The first and last lines of all functions, including decorators."""
    if source not in _FUNCTIONS:
        _FUNCTIONS[source] = [
            (min([node.lineno, *(one.lineno for one in node.decorator_list)]), node.end_lineno or node.lineno)
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
    return _FUNCTIONS[source]
