"""Ties to markup and data that name code, which the code graph does not have: the layout of a screen, a manifest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from chunker.languages.table import rules_of
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import wants
from context_pack.options.resolve import Settings
from index.graph.path_ends import shared_parts
from index.types import Tie

MAX_READ = 60  # chunks that contain all parts of a name
MAX_FILES = 4
WIRED = 0.4  # weight of a tie, as of one to code that reads a value
LABEL = "used_by"


def wired(corpus: Corpus, name: str, numbers: Sequence[int], definition: int, settings: Settings) -> list[Tie]:
    """Ties from the chunk that defines a name of code to the first place in each of a few files of markup or data that
    contains it, nearest first. `numbers` are the chunks of markup and data with all parts of the name.

    The name must be one that prose does not spell so. That of a file (`Cart.cpp` in a project file) does not count.
    """
    defined = corpus.chunk(definition)
    rules = rules_of(defined.language)
    if not numbers or not rules.symbols or not wants(settings, LABEL):
        return []
    endings = "|".join(re.escape(one) for one in (*rules.extensions, ".h"))
    holds = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$]|(?:{endings})(?!\w))").search
    passes, place = corpus.allowed(settings.filters), tuple(defined.file.split("/"))
    rows = [row for row in map(corpus.chunk, filter(passes, numbers[:MAX_READ])) if holds(row.text)]
    rows.sort(key=lambda row: (corpus.is_test(row.number), -shared_parts(tuple(row.file.split("/")), place)))
    first = dict[str, int]()  # chunk of each file
    for row in rows:
        first.setdefault(row.file, row.number)
    return [Tie(definition, number, (LABEL,), 1, WIRED) for number in islice(first.values(), MAX_FILES)]
