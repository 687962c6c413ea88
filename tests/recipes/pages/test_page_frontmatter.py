"""The frontmatter of wiki pages: YAML whose scalars are texts."""

from __future__ import annotations

from contextlib import suppress

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from context_pack.io.markdown_files import FrontmatterError
from context_pack.kinds.pages.frontmatter import mapping, source_of

COMMON = """\
title: Retrieval: an overview
date-modified: 2026-02-11
page-type: source-note
domain: [ai, "machine learning", 'it is']
tags:
  - llm
  - "quoted # not a comment"
empty:
none: ~
aliases: []
# a comment
related:
- "[[a]]"
-   b c
url: https://a.b/c#d
"""


def test_inline_and_block_lists() -> None:
    assert mapping(COMMON.replace("Retrieval: an", "Retrieval, an")) == {
        "title": "Retrieval, an overview", "date-modified": "2026-02-11", "page-type": "source-note",
        "domain": ["ai", "machine learning", "it is"], "tags": ["llm", "quoted # not a comment"], "empty": None,
        "none": None, "aliases": [], "related": ["[[a]]", "b c"], "url": "https://a.b/c#d",
    }  # fmt: skip


def test_a_colon_in_a_value_and_yaml_of_every_form() -> None:
    with pytest.raises(FrontmatterError) as caught:
        mapping(COMMON)
    assert caught.value.line == 1
    assert mapping("a: |\n  two\n  lines\nb: {c: [d]}\ne: &x [1]\nf: *x\n") == {
        "a": "two\nlines\n", "b": {"c": ["d"]}, "e": ["1"], "f": ["1"],
    }  # fmt: skip


def test_every_scalar_is_text() -> None:
    source = "a: [on, 2024, 1.5, 2026-01-02, 0x1f, null, 'null', yes]\nb: 12:30\n"
    assert mapping(source) == {"a": ["on", "2024", "1.5", "2026-01-02", "0x1f", None, "null", "yes"], "b": "12:30"}


@pytest.mark.parametrize("tag", ["timestamp", "bool", "int", "float", "binary"])
@pytest.mark.parametrize("value", ["", "x", "2026-02-11"])
def test_a_scalar_with_a_tag_is_text(tag: str, value: str) -> None:
    assert mapping(f"a: !!{tag} {value!r}\n") == {"a": value}


def test_no_tag_makes_an_object() -> None:
    with pytest.raises(FrontmatterError):
        mapping("a: !!python/object/apply:os.system [echo]\n")
    with pytest.raises(FrontmatterError):
        mapping("a: &a {x: y}\nb: {? !!merge k : *a}\n")


@pytest.mark.parametrize(
    ("source", "line"),
    [("a: b\nc: [d\n", 3), ("a: b\n  c: d\n", 2), ("- a\n", 1), ("text\n", 1), ("a: 'b\n", 2), ("a: \x00\n", 1)],
)
def test_frontmatter_that_is_not_a_mapping_is_named_with_a_line(source: str, line: int) -> None:
    with pytest.raises(FrontmatterError) as caught:
        mapping(source)
    assert caught.value.line == line


@pytest.mark.parametrize("source", ["a: " + "[" * 100_000, "- " * 100_000, "a: {" * 5_000, "? " * 5_000])
def test_deep_nesting_is_refused(source: str) -> None:
    """It crashes PyYAML's C loader."""
    with pytest.raises(FrontmatterError):
        mapping(source)


def test_many_brackets_side_by_side_are_fine() -> None:
    links = ", ".join(["[[a]]"] * 500)
    assert len(mapping(f"related: [{links}]\n")["related"]) == 500


def test_the_text_between_the_fences() -> None:
    assert source_of("---\na: b\n---\nbody") == source_of("---  \na: b\n---\t\n") == source_of("---\na: b\n---")
    assert source_of("---\na: b\n---\nbody\n---\n") == "a: b\n"
    for without in ("", "body", "----\na: b\n---\n", " ---\n", "---", "---\n---\nbody", "---x\n---\n"):
        assert source_of(without) == ""
    for open_fence in ("---\na: b\n--- x\n", "---\n", "---\n ---\n"):
        with pytest.raises(FrontmatterError, match="no closing"):
            source_of(open_fence)


@settings(max_examples=500)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_is_read_or_refused(source: str) -> None:
    with suppress(FrontmatterError):
        assert isinstance(mapping(source), dict)


def test_the_safe_loader_is_the_one_in_c_if_available() -> None:
    from context_pack.kinds.pages.frontmatter import _text_loader

    assert issubclass(_text_loader(), yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
