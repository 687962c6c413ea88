"""Docstrings as questions: the first sentence, words that give the answer away, the tree without docstrings."""

from pathlib import Path

import pytest

from benchmarks.research.docstrings import choose, cut_docs, doc_symbols, question_of

# Long enough that the class becomes a header chunk and its members.
PADDING = "".join(f"        self.counter_{number} = first.statistics.of_kind({number})\n" for number in range(40))
SOURCE = b'''"""Module."""


class Pool:
    """Keeps idle connections ready for reuse.

    Longer text.
    """

    size = 3
    limit = 4
    kept = 5

    def acquire(self):
        """Hand out the connection that rested longest."""
        first = self.kept
        self.kept = None
PADDING        return first


def tiny():
    """Return nothing at all, very fast."""
'''.replace(b"PADDING", PADDING.encode())


@pytest.mark.parametrize(
    ("doc", "symbol", "expected"),
    [
        ('"""Return the sum of both sides. More."""', "add", "Return the sum of both sides"),
        ("/**\n * Compute the checksum of a file.\n * @param x the file\n */", "f", "Compute the checksum of a file"),
        ("// Dial opens a new connection to the server.", "Dial", "opens a new connection to the server"),
        ("/// Splits the input\n/// at every <c>comma</c>.", "S", "Splits the input at every comma"),
        ("-- | Parse a list of `Int` values\n--\n-- More.", "p", "Parse a list of Int values"),
        ('@doc """\nSends the mail through the relay.\n"""', "M.send", "Sends the mail through the relay"),
        ("# Whether the e.g. first value wins over others", "w", "Whether the e.g. first value wins over others"),
    ],
)  # fmt: skip
def test_the_first_sentence_without_its_marks(doc: str, symbol: str, expected: str) -> None:
    assert question_of(doc, symbol) == expected


@pytest.mark.parametrize(
    ("doc", "symbol"),
    [
        ('"""Short doc."""', "f"),
        ("/** {@inheritDoc} */", "f"),
        ("// Deprecated: use the other function instead of this.", "f"),
        ("// See openConnection for how the server is reached.", "f"),
        ("// The openConnection function reaches the server.", "C.openConnection"),
        ('"""Gibt die Größe der Liste zurück."""', "f"),
    ],
)
def test_some_docs_give_no_question(doc: str, symbol: str) -> None:
    assert question_of(doc, symbol) is None


def test_symbols_with_a_doc_and_some_code() -> None:
    found = list(doc_symbols("pool.py", SOURCE))
    assert [(one.symbol, one.query) for one in found] == [
        ("Pool", "Keeps idle connections ready for reuse"),
        ("Pool.acquire", "Hand out the connection that rested longest"),
    ]


def test_docs_used_as_questions_are_removed_and_lines_renumbered() -> None:
    method = next(one for one in doc_symbols("pool.py", SOURCE) if one.symbol == "Pool.acquire")
    cut = cut_docs("pool.py", SOURCE, [method])
    (question,) = cut.questions
    lines = cut.text.split("\n")
    assert "Hand out" not in cut.text
    assert "Keeps idle" in cut.text
    assert lines[question.start_line - 1].strip() == "def acquire(self):"
    assert lines[question.end_line - 1].strip() == "return first"


def test_a_choice_is_stable_and_without_overlapping_symbols(tmp_path: Path) -> None:
    found = list(doc_symbols("pool.py", SOURCE))
    twins = [
        one for path in ("a.py", "b.py", "c.py") for one in doc_symbols(path, SOURCE.replace(b"idle", path.encode()))
    ]
    assert choose(found, 5, "seed") == choose(reversed(found), 5, "seed")
    chosen = choose(twins, 5, "seed")
    assert len({one.query for one in chosen}) == len(chosen)
    assert all(
        one is other or one.path != other.path or one.end_line < other.start_line or other.end_line < one.start_line
        for one in chosen
        for other in chosen
    )
    assert len(choose(twins, 1, "seed")) == 1
