"""A pattern that is compiled on first use behaves like any other pattern."""

from __future__ import annotations

import re

import pytest

from contracts.lazy_regex import lazy_regex


def test_it_compiles_once_and_only_when_it_is_asked() -> None:
    broken = lazy_regex("(")  # not compiled yet
    with pytest.raises(re.error):
        broken.search("x")
    words = lazy_regex(r"[a-z]+", re.IGNORECASE)
    assert words.findall("Ab 1 c") == ["Ab", "c"]
    assert words.search is words.search
    assert (words.pattern, words.groups) == (r"[a-z]+", 0)


def test_bytes_and_texts() -> None:
    found = lazy_regex(rb"\d").search(b"a1")
    assert found is not None
    assert (found[0], lazy_regex(r"\d").sub("", "a1b2")) == (b"1", "ab")
