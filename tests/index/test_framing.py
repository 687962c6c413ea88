"""Words that only ask for an answer, and the project's own name, change nothing in what is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import open_index
from index.search.query import parse_query
from index.search.query.framing import unframed
from index.search.query.own_names import OwnNames
from tests.clock import within
from tests.index.conftest import WriteTree

FRAMES = {
    "how does the loop end?": [
        "I want to understand the following: how does the loop end?",
        "Find the code that answers this: how does the loop end?",
        "Hi, can you please tell me how does the loop end?",
        "how does the loop end in this codebase?",
    ],
    "expired session cookies": [
        "find the code for expired session cookies",
        "Please show me the code that handles expired session cookies in our repo",
        "where is the logic for expired session cookies?",
        "explain expired session cookies",
        "expired session cookies implementation",
        "how expired session cookies work",
        "help me find the function for expired session cookies, please",
    ],
    "a path": ["find the function for a path", "Where is the function for a path?"],
    "the cache": ["cache implementation", "find the code for cache", "how does cache work"],
    "Cache": ["Cache implementation", "explain Cache"],
    "cache": ["explain cache"],
}
UNCHANGED = [
    "Find users without email",
    "Show the progress bar while uploading",
    "list files that changed",
    "find all classes that extend Foo",
    "where is the file written",
    "which function parses the header",
    "can you explain",
    "where do plans explain themselves",
    "in this repository",
    "Help text is wrapped twice",
    "list the files of a commit",
    "explain plan for a query",
    "EXPLAIN SELECT id FROM carts",
    "how does the worker do work",
    "how a request is read and how headers work",
    "the default implementation",
    "how is a branch deleted from the repository",
    "how is an order saved in the repository?",
]


@pytest.mark.parametrize(("plain", "framed"), [(plain, one) for plain, some in FRAMES.items() for one in some])
def test_a_frame_is_removed(plain: str, framed: str) -> None:
    assert unframed(framed) == plain
    assert parse_query(framed).terms == parse_query(plain).terms


@pytest.mark.parametrize("text", UNCHANGED)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert unframed(text) == text


@pytest.mark.parametrize(
    "text", ["how " * 5000, "please " * 3000, "find the " + "code in " * 2000, " " * 20000 + "repo"]
)
def test_a_long_text_is_read_quickly(text: str) -> None:
    with within(0.5):
        unframed(text)


PYTHON = {f"basket/part_{number}.py": f"from basket import error, gin\n\nrows_{number} = 1\n" for number in range(8)}
TREE = {
    **PYTHON,
    "basket/basket_error.py": "class BasketError(Exception):\n    error = 'basket'\n",
    "error.md": "error\n",
    "gin.md": "gin\n",
}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("In Basket, where are rows read?", "where are rows read?"),
        ("where are rows read in basket?", "where are rows read?"),
        ("why does basket drop rows", "why does it drop rows"),
        ("basket rows order", "rows order"),
        ("basket error codes", "basket error codes"),  # `BasketError`
        ("basket rows", "basket rows"),  # no word would say anything about it
        ("In production, where are rows read?", "In production, where are rows read?"),
        ("gin rows order", "rows order"),  # the name of a file in the root, and a word of every file
        ("error rows order", "error rows order"),  # which is no name of a project
        ("where are rows read with error", "where are rows read with error"),
        ("how does error change rows", "how does error change rows"),
    ],
)
def test_the_own_name_of_a_project_is_left_out(write_tree: WriteTree, tmp_path: Path, text: str, plain: str) -> None:
    index = open_index(write_tree(TREE), home=tmp_path / "home", model="embedded")
    assert OwnNames(index.collection).without(text) == plain
    assert [one.chunk for one in index.search(text)] == [one.chunk for one in index.search(plain)]


def test_a_message_may_contain_the_own_name(write_tree: WriteTree, tmp_path: Path) -> None:
    tree = {**TREE, "basket/rows.py": "def read(row):\n    raise ValueError(f'No {row} was delivered in basket')\n"}
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    best = index.search("No apple was delivered in basket")[0]
    assert (index.chunk(best.chunk).file, best.why[0].name) == ("basket/rows.py", "exact.message")


def test_a_frame_around_a_plain_word_makes_no_name_of_it() -> None:
    assert parse_query("cache implementation").kind == "words"
    assert parse_query("Cache implementation").kind == parse_query("cache").kind == "identifier"
