"""Whoever still names what a change removed: the places that a reviewer would search for by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from context_pack.io.changes import Changes
from context_pack.io.patches import ChangedFile
from context_pack.kinds.code.corpus import Corpus
from context_pack.redaction import redact
from contracts.records import Why
from index.types import Filters

RANKED = 1_000  # definitions of a name that are looked at
MAX_OLD_FILES = 50  # files whose old text is read for symbols that are gone
MAX_REMOVED = 20  # removed symbols that are looked for
MENTIONS = 10  # places looked at for each of them
SHORTEST_NAME = 4  # a shorter name is found in too many places that mean something else


def removed_names(corpus: Corpus, changes: Changes) -> dict[str, str]:
    """Names whose definition the change took away, and nothing else defines now, with the file that had it."""
    names: dict[str, str] = {}
    files = [file for file in changes.files if file.removed or (file.state == "deleted" and file.hunks)]
    for file in files[:MAX_OLD_FILES]:
        for name in _gone(corpus, changes, file):
            names.setdefault(name, file.was or file.path)
    return dict(sorted(names.items())[:MAX_REMOVED])


def _gone(corpus: Corpus, changes: Changes, file: ChangedFile) -> Iterator[str]:
    from chunker.api import chunk_file

    data = changes.before(file)
    for definition in chunk_file(data, file.was or file.path).definitions if data else ():
        touched = any(start <= definition.line <= end for start, end in file.removed)
        is_named = touched and len(definition.name) >= SHORTEST_NAME and not redact(definition.name).counts
        if is_named and all(row.name != definition.name for row in corpus.symbols(definition.name, limit=RANKED)):
            yield definition.name


def naming(name: str) -> Callable[[str], object]:
    """A test whether a text holds a name as a whole word."""
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])").search


def mentions(corpus: Corpus, removed: Mapping[str, str], filters: Filters) -> list[tuple[int, Why]]:
    """The chunks that still name what was removed, each once."""
    chunks: dict[int, Why] = {}
    for name, file in removed.items():
        names = naming(name)
        for scored in corpus.search(name, top_k=MENTIONS, filters=filters):
            if names(corpus.chunk(scored.chunk).text):
                chunks.setdefault(scored.chunk, Why("names_removed", 1.0, 1.0, f"{name}, removed from {file}"))
    return list(chunks.items())
