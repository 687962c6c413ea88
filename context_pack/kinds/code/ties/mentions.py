"""Texts that mention a name, as the file that defines it spells it, and how many of them are read."""

from __future__ import annotations

import re
from collections.abc import Callable

from chunker.languages.detection import detect_language
from chunker.languages.table import rules_of
from context_pack.core.text import whole_word
from contracts.lazy_regex import lazy_regex
from index.search.spelling import pattern_in_any_case

ANDROID_VALUES = lazy_regex(r"(?:^|/)res/values/[^/]+\.xml$")  # a file of resources of an Android app
MAX_NAMESAKES = 400  # definitions of one name that are looked at
MAX_READ = 400  # chunks that are read per name to find those that mention it


def mention_of(name: str, file: str, *, other: bool = False) -> Callable[[str], object]:
    """A predicate for texts that contain a name which a file defines: that of a schema in any case, because generated
    code spells it in that of its language, that of a resource behind its kind; `other`: in any case but its own."""
    pattern = pattern_in_any_case(name, other=other) if is_of_schema(file) else ""
    if ANDROID_VALUES.search(file):
        pattern = rf"(?:\bR\.[a-z]+\.|[@?]\+?(?:\w+:)?[a-z]+/){name}(?!\w)"
    return re.compile(pattern).search if pattern else whole_word(name)


def is_of_schema(path: str) -> bool:
    """Whether a file is of a schema, whose names generated code spells in the case of its language."""
    return rules_of(detect_language(path)).schema
