"""Ties of import statements: to what they import, and to the code of their file that uses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from context_pack.kinds.code.corpus import Corpus
from index.search.spelling import is_code_name
from index.types import Follow, ImportStatement, SymbolRow, Tie

MAX_STATEMENTS = 20  # of the lines that are asked about
MAX_USES = 200  # ties of the code that uses a statement
MAX_MEANT = 8  # definitions that a statement imports: a wildcard may import hundreds
MAX_NAMESAKES = 8
IMPORTS = 0.8  # weight of a tie to an imported definition
USED_BY = 0.6  # weight of a tie to code that uses the statement
_USES = ("calls", "uses", "extends", "implements")


def ties_of_imports(corpus: Corpus, chunk: int, first: int, last: int) -> list[Tie]:
    """The ties of the import statements at these lines of a chunk's file: to the definitions that they import, or else
    to the start of the module's code, then to the code that uses them."""
    statements = corpus.import_statements(chunk, first, last)[:MAX_STATEMENTS]
    own = {*corpus.chunks_of_file(corpus.chunk(chunk).file)}
    meant = [number for one in statements for number in _meant(corpus, one) if number not in own]
    users = [user for one in statements for user in one.users]
    ties = [Tie(chunk, number, ("imports",), 1, IMPORTS) for number in dict.fromkeys(meant)]
    ties += [Tie(chunk, number, ("used_by",), 1, USED_BY) for number in dict.fromkeys(users)]
    return [tie for tie in ties if tie.chunk != chunk]


def _meant(corpus: Corpus, statement: ImportStatement) -> list[int]:
    """The chunks of the definitions that a statement imports. What its users use says which definition a name means
    that other files only pass on."""
    files, names = {*statement.files}, {*statement.names}
    used = corpus.related(statement.users, "", Follow(MAX_USES, 1, _USES, together=True)) if statement.users else ()
    rows = [corpus.chunk(tie.chunk) for tie in used if tie.labels[0] in _USES]
    named = [row.number for row in rows if (row.symbol or "").rpartition(".")[2] in names]
    named += [row.chunk for name in statement.names for row in _definitions(corpus, name, files)]
    of_module = [row.number for row in rows if row.file in files]
    return [*dict.fromkeys(named or of_module or _starts(corpus, statement.files))][:MAX_MEANT]


def _definitions(corpus: Corpus, name: str, files: set[str]) -> list[SymbolRow]:
    """The outermost definition of a name in some files; otherwise the only one of a name that is no word of prose, such
    as `default`."""
    every = [row for row in corpus.namesakes(name, limit=MAX_NAMESAKES) if not row.minor]
    own = sorted((row for row in every if row.file in files), key=lambda row: row.qualified.count("."))
    is_name = is_code_name(name) or name[:1].isupper()
    return own[:1] or (every if is_name and len(every) == 1 else [])


def _starts(corpus: Corpus, files: Sequence[str]) -> Iterator[int]:
    """The first symbol of each file, or else its first chunk."""
    for chunks in filter(None, map(corpus.chunks_of_file, files)):
        yield next((number for number in chunks if corpus.chunk(number).symbol), chunks[0])
