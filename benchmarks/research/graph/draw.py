"""Draw a sample of a tree's current edges and calls, for a person to check.

    python -m benchmarks.research.graph.draw TREE LANGUAGE [--edges 30] [--bases 8] [--sites 20]

The sample is the first rows in the order of a hash of each row, so it is random at any size. When edges change, a new
sample differs from the last one only by the changed edges. Rows with a verdict in `checked/<language>.json` are printed
with it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.research.graph.__main__ import snapshot_of
from benchmarks.research.graph.verdicts import bindings, entries
from chunker.kinds import REFERENCE_KINDS
from index.generation.reader import Snapshot


def rank(row: Sequence[Any]) -> str:
    """The rank of a row in a random order that depends only on the row."""
    return hashlib.blake2b(json.dumps(list(row)).encode(), digest_size=8).hexdigest()


def first(rows: Iterable[tuple[Any, ...]], count: int) -> list[tuple[Any, ...]]:
    return sorted(set(rows), key=lambda row: (rank(row), row))[:count]


def edges(snapshot: Snapshot, kind: str, language: str) -> set[tuple[str, int, str, str, int]]:
    """The bound references in the files of a language."""
    languages = dict(zip(*(snapshot.segment.strings(f"file.{part}") for part in ("path", "language")), strict=True))
    return {one.edge for one in bindings(snapshot, kind) if languages[one.file] == language}


def sites(snapshot: Snapshot, language: str) -> set[tuple[str, int, str]]:
    """Every call in the files of a language: file, line, name."""
    segment = snapshot.segment
    paths, languages = segment.strings("file.path").to_list(), segment.strings("file.language").to_list()
    file = np.repeat(np.arange(segment.files), np.diff(segment.rows["reference"]))
    line, name, kind = (segment.array(f"reference.{part}") for part in ("line", "name", "kind"))
    return {
        (paths[file[row]], int(line[row]), segment.names[int(name[row])])
        for row in np.flatnonzero(kind == REFERENCE_KINDS.index("call")).tolist()
        if languages[file[row]] == language
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("language")
    parser.add_argument("--edges", type=int, default=30)
    parser.add_argument("--bases", type=int, default=8)
    parser.add_argument("--sites", type=int, default=20)
    options = parser.parse_args(arguments)
    snapshot = snapshot_of(options.tree)
    verdicts = _verdicts(options.language)
    samples: dict[str, list[tuple[Any, ...]]] = {
        "edges": first(edges(snapshot, "call", options.language), options.edges),
        "bases": first(edges(snapshot, "base", options.language), options.bases),
        "sites": first(sites(snapshot, options.language), options.sites),
    }
    for kind, rows in samples.items():
        print(kind)
        for row in rows:
            print(json.dumps(row, ensure_ascii=False), verdicts.get((kind, *row), "?"))


def _verdicts(language: str) -> dict[tuple[Any, ...], Any]:
    """The verdicts so far."""
    return {
        (kind, *row[:-1]): row[-1]
        for entry in entries()
        if entry["language"] == language
        for kind in ("edges", "bases", "sites")
        for row in entry.get(kind, ())
    }


if __name__ == "__main__":
    main()
