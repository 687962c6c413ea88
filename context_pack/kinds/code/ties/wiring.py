"""Ties to markup and data that name code, which the code graph does not have: the layout of a screen, a manifest."""

from __future__ import annotations

import re
from itertools import islice
from posixpath import commonprefix

from chunker.languages.table import rules_of
from context_pack.kinds.code.corpus import Corpus
from context_pack.options.resolve import Settings
from index.search.spelling import is_only_code
from index.types import Tie

MAX_READ = 60  # chunks that contain all parts of a name
MAX_FILES = 4
WIRED = 0.4  # weight of a tie, as of one to code that reads a value
LABEL = "used_by"


def wired(corpus: Corpus, name: str, definition: int, settings: Settings) -> list[Tie]:
    """Ties from the chunk that defines a name of code to the first place in each of a few files of markup or data that
    contains it, nearest first.

    The name must be one that prose does not spell so. That of a file (`Cart.cpp` in a project file) does not count.
    """
    if not is_only_code(name) or (settings.edges and LABEL not in settings.edges):
        return []
    numbers, defined = corpus.naming_in_data(name)[:MAX_READ], corpus.chunk(definition)
    rules = rules_of(defined.language)
    if not numbers or not rules.symbols:
        return []
    endings = "|".join(re.escape(one) for one in (*rules.extensions, ".h"))
    holds = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$]|(?:{endings})(?!\w))").search
    passes, place = corpus.allowed(settings.filters), defined.file.split("/")
    rows = [row for row in map(corpus.chunk, filter(passes, numbers)) if holds(row.text)]
    rows.sort(key=lambda row: (corpus.is_test(row.number), -len(commonprefix([row.file.split("/"), place]))))
    first = {row.file: row for row in reversed(rows)}
    nearest = dict.fromkeys(row.file for row in rows)
    return [Tie(definition, first[file].number, (LABEL,), 1, WIRED) for file in islice(nearest, MAX_FILES)]
