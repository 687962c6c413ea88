"""The code that reads constants, variables and fields, or uses definitions of languages without a graph: there are no
edges to them, so it is found by their names."""

from __future__ import annotations

from collections.abc import Sequence

from chunker.kinds import VALUES
from chunker.languages.table import has_graph, is_document
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.removed import MOST_READ, lines_naming, row_filter
from index.search.spelling import only_code_spells
from index.types import Filters, SymbolRow, Tie

MOST_VALUES = 20  # of a place; the chunks that contain the name of each are read
MOST_NAMESAKES = 100  # definitions with the name of a value
READ = 0.4  # weight of a tie to code that reads a value
SHORTEST_CAPITALS = 3  # of a constant in capitals; shorter ones are words of prose


def readers(corpus: Corpus, definitions: Sequence[SymbolRow], filters: Filters) -> list[Tie]:
    """Ties to the code that contains the name of a value, code before tests, if nothing else has the name and only code
    spells it so."""
    passes, ties = row_filter(filters), dict[int, Tie]()
    own = {(row.file, row.qualified) for row in definitions}
    named = [row for row in definitions if _is_only_code(row.name)]
    values = [row for row in named if row.kind in VALUES or not _in_graph(corpus, row)]
    for row in values[:MOST_VALUES]:
        namesakes = corpus.namesakes(row.name, limit=MOST_NAMESAKES)
        others = [one for one in namesakes if (one.file, one.qualified) not in own]
        # Scripts of SQL define a procedure again and again.
        if any(_in_graph(corpus, one) for one in others) or (others and _in_graph(corpus, row)):
            continue
        defining = {row.chunk, *(one.chunk for one in others)}
        for number in corpus.naming(row.name)[:MOST_READ]:
            chunk = corpus.chunk(number)
            is_other = number not in defining and passes(chunk) and not is_document(chunk.language)
            if is_other and lines_naming(chunk, row.name):
                ties.setdefault(number, Tie(row.chunk, number, ("used_by",), 1, READ))
    return list(ties.values())


def _in_graph(corpus: Corpus, row: SymbolRow) -> bool:
    return has_graph(corpus.chunk(row.chunk).language)


def _is_only_code(name: str) -> bool:
    return only_code_spells(name) or (name.isupper() and len(name) >= SHORTEST_CAPITALS)
