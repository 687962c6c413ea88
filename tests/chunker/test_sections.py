"""Sections of documents that are read line by line: reStructuredText and AsciiDoc."""

from __future__ import annotations

import pytest
from invariants import assert_invariants

from chunker.api import chunk_file
from chunker.languages.heading_readers import HEADING_READERS
from chunker.languages.table import rules_of


def sections(text: str, path: str = "a.rst") -> list[str]:
    """The qualified names of all sections."""
    return [one.qualified for one in chunk_file(text.encode(), path).definitions]


@pytest.mark.parametrize("language", HEADING_READERS)
def test_a_language_with_a_reader_of_headings_is_one_of_documents_that_mention_code(language: str) -> None:
    file = chunk_file(b"See `Cart.total`.\n", {"rst": "a.rst", "asciidoc": "a.adoc"}[language])
    assert file.language == language and rules_of(language).prose
    assert [(one.receiver, one.name) for one in file.references] == [("Cart", "total")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A\n===\n\nB\n---\n\nC\n===\n", ["A", "A > B", "C"]),  # levels by order of appearance
        ("===\n A\n===\n\nB\n===\n", ["A", "A > B"]),  # an overline makes another level
        ("A\r\n===\r\n\r\nB\r\n---\r\n", ["A", "A > B"]),
        ("Überschrift\n===========\n\n日本語の見出し\n----\n", ["Überschrift", "Überschrift > 日本語の見出し"]),
        ("Too long a title\n=====\n", ["Too long a title"]),
        ("Too long a title\n===\n", []),
        ("text\n\n-----\n\ntext\n", []),  # a transition
        ("two lines\nof text\n-------\n", []),
        ("::\n\n  Title\n  =====\n", []),
        ("===  ===\na    b\n===  ===\n1    2\n===  ===\n", []),
        ("+---+\n| a |\n+===+\n| b |\n+---+\n", []),
        ("- item\n------\n", []),
        ("Hm\n..\n\nab\n::\n\n  code\n", []),
        (":mod:`shop.cart` and `Text <target>`_\n=====================================\n", ["shop.cart and Text"]),
    ],
)
def test_titles(text: str, names: list[str]) -> None:
    assert sections(text) == names


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("py:function:: shop.parse(text: str = 'a.b') -> Money", "shop.parse"),
        ("classmethod:: async Cart.load(path)", "Cart.load"),
        ("attribute:: limit: int = 10", "limit"),
        ("option:: -c <file>, --config=<file>", "--config"),
        ("option:: -v", "-v"),
        ("c:function:: const char *shop_name(struct shop *s)", "shop_name"),
        ("c:type:: struct shop", "shop"),
        ("django-admin:: migrate [app]", "migrate"),
        ("rst:directive:: .. price:: amount", "price"),
        ("envvar:: SHOP_HOME", "SHOP_HOME"),
    ],
)
def test_names_of_objects(argument: str, name: str) -> None:
    assert sections(f".. {argument}\n\n   What it is.\n") == [name]


def test_objects_nest_by_indentation_and_only_in_objects() -> None:
    text = (
        ".. class:: A\n\n\t.. method:: f()\n\n\t    What it does, in words.\n\n"
        "\t    .. note::\n\n\t        .. data:: not_one\n\n"
        "\tMore of A.\n\nText.\n\n.. note::\n\n   .. data:: no_more\n"
    )
    file = chunk_file(text.encode(), "a.rst", max_chars=60)
    assert [one.qualified for one in file.definitions] == ["A", "A > f"]
    more = next(chunk for chunk in file.chunks if text.encode()[chunk.start_byte :].startswith(b"\tMore of A."))
    assert (more.symbol, more.part) == ("A", 0) and file.chunks[-1].symbol is None


def test_anchors_and_objects_above_a_title_belong_to_it() -> None:
    text = "Text.\n\n.. _timeout:\n\n.. setting:: timeout\n\n``timeout``\n-----------\n\nSeconds.\n"
    file = chunk_file(text.encode(), "a.rst", max_chars=100)
    assert [(chunk.symbol, chunk.start_line) for chunk in file.chunks] == [(None, 1), ("timeout", 3)]
    assert [one.qualified for one in file.definitions] == ["timeout"]
    text = "= Shop\n\nText.\n\n[[timeout]]\n[.lead]\n== Timeout\n\nSeconds.\n"
    file = chunk_file(text.encode(), "a.adoc", max_chars=100)
    assert [(chunk.symbol, chunk.start_line) for chunk in file.chunks] == [("Shop", 1), ("Shop > Timeout", 5)]


def test_text_after_an_object_belongs_to_the_section_around_it() -> None:
    text = "API\n===\n\n.. class:: Cart\n\n   See `Bill`.\n\n" + "Words about it.\n\n" * 5 + "See `Money`.\n"
    file = chunk_file(text.encode(), "a.rst", max_chars=60)
    places = {one.name: file.definitions[one.symbol or 0].qualified for one in file.references}
    assert places == {"Cart": "API > Cart", "Bill": "API > Cart", "Money": "API"}
    assert {chunk.symbol for chunk in file.chunks[1:]} == {"API"}


def test_roles_name_code_and_labels_do_not() -> None:
    text = ":meth:`run it <~shop.Task.run>`, :ref:`shop_label`, :doc:`text <shop_page>`, ``parse_money``\n"
    file = chunk_file(text.encode(), "a.rst")
    assert [(one.receiver, one.name) for one in file.references] == [("shop.Task", "run"), (None, "parse_money")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("= A\n\n== B ==\n\n=== C\n\n== D\n", ["A", "A > B", "A > B > C", "A > D"]),
        ("A\n=\n\nTitle B\n-------\n\nText of a line\nand another\n-----------\n\n-----------\n", ["A", "A > Title B"]),
        ("----\n== a\n----\n\n== b\n\n|===\n== c\n|===\n", ["b"]),
        ("////\n== a\n////\n\n....\n\n== b\n", ["b"]),  # the second block never ends
        (" == a\n\n==b\n", []),
    ],
)
def test_titles_of_asciidoc(text: str, names: list[str]) -> None:
    assert sections(text, "a.adoc") == names


def test_text_with_directives_is_restructuredtext() -> None:
    assert chunk_file(b"Settings\n========\n\n.. setting:: DEBUG\n\nA boolean.\n", "ref.txt").language == "rst"
    assert chunk_file(b"Settings\n========\n\nA boolean.\n", "ref.txt").language == "text"


@pytest.mark.parametrize("path", ["a.rst", "a.adoc"])
@pytest.mark.parametrize(
    "text",
    [
        "-" * 100_000 + " " * 100_000 + "x\n",
        "".join(".. class:: C\n".rjust(13 + depth) for depth in range(600)),
        ".. option:: -x\n" * 20_000 + "T\n===\n",
        ".. _a:\n" * 20_000 + "T\n===\n",
        "[a]\n" * 20_000 + "== T\n",
        "".join("-" * (4 + size % 900) + "\n" for size in range(2_000)),
        "   x\n" * 50_000 + "T\n===\n",
        ":a:`b <" * 20_000 + "\n",
        "=" + " " * 100_000 + "\n",
        "".join(f"== {'<<' * 97}{number}\n" for number in range(200)),
    ],
    ids=["dashes", "nested", "aliases", "anchors", "attributes", "blocks", "indented", "roles", "spaces", "references"],
)
def test_hostile_documents_are_read_in_time(text: str, path: str) -> None:
    data = text.encode()
    assert_invariants(data, chunk_file(data, path), 1000)
