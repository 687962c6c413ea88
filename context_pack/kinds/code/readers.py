"""The code that reads constants, variables and fields, which the graph has no edges for: it is found by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunker.kinds import VALUES
from chunker.languages.table import LANGUAGES, is_document
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.removed import MOST_READ, is_only_code, row_filter, whole_word
from index.types import ChunkRow, Filters, SymbolRow, Tie

MOST_VALUES = 20  # of a place; the chunks that contain the name of each are read
MOST_NAMESAKES = 100  # definitions with the name of a value
READ = 0.4  # weight of a tie to code that reads a value


def readers(corpus: Corpus, definitions: Sequence[SymbolRow], filters: Filters) -> list[Tie]:
    """Ties to the code that contains the name of a value, code before tests; for a member, first to code that reads it.

    If something else has the name, or prose spells it, too, then only files that name the type of the value count; a
    name that prose spells must be that of a member there.
    """
    passes, ties = row_filter(filters), dict[int, Tie]()
    own = {(row.file, row.qualified) for row in definitions}
    values = [row for row in definitions if row.kind in VALUES]
    for row in values[:MOST_VALUES]:
        is_word = not is_only_code(row.name)
        others = () if is_word else (*corpus.namesakes(row.name, limit=MOST_NAMESAKES), *corpus.fields(row.name))
        is_narrow = is_word or any((one.file, one.qualified) not in own for one in others)
        for one in _users(corpus, row, is_word, is_narrow):
            if passes(one) and not is_document(one.language):
                ties.setdefault(one.number, Tie(row.chunk, one.number, ("used_by",), 1, READ))
    return list(ties.values())


def _users(corpus: Corpus, value: SymbolRow, is_word: bool, is_narrow: bool) -> list[ChunkRow]:
    """The chunks that contain the name of a value, in the order of its readers."""
    owner, numbers = value.qualified.rpartition(".")[0].rpartition(".")[2], corpus.naming(value.name)
    names_value, reads = whole_word(value.name), re.compile(rf"(?:\.|->|::){re.escape(value.name)}(?![\w$])").search
    if is_narrow:
        if not owner:
            return []
        files = {value.file, *(corpus.chunk(number).file for number in corpus.naming(owner)[:MOST_READ])}
        inside = {number for file in files for number in corpus.chunks_of_file(file)}
        numbers = [number for number in numbers if number in inside]

    def is_user(one: ChunkRow) -> bool:
        is_bare = one.file == value.file and LANGUAGES[one.language].implicit_self
        return bool(reads(one.text) if is_word and not is_bare else names_value(one.text))

    rows = (corpus.chunk(number) for number in numbers[:MOST_READ] if number != value.chunk)
    users = [*filter(is_user, rows)]
    return sorted(users, key=lambda one: (corpus.is_test(one.number), not reads(one.text))) if owner else users
