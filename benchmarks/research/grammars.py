"""How much code no grammar reads, by language, and which files have most of it.

    python -m benchmarks.research.grammars TREES [TREES ...] [--worst 5] [--language NAME]

TREES is a folder of repositories. The files with the most unread bytes show what a grammar does not know, which a mask
may hide from it (chunker/languages/table_patterns.py), or that a file was taken for one of another language.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import report
from chunker.languages.detection import detect_language
from chunker.languages.table import rules_of
from chunker.parse.parsing import parse, unread_bytes

MAX_BYTES = 600_000  # of a file; longer ones are mostly generated


class Reading(NamedTuple):
    """A file: how many of its bytes the grammar could not read, each piece at least 1. All, if it was not parsed."""

    path: Path
    language: str
    size: int
    unread: int


def readings(trees: Sequence[Path], only: str = "") -> list[Reading]:
    """The files of the trees in languages with symbols, or in one of them, in order of their paths."""
    paths = sorted(path for folder in trees for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    files = []
    for path in paths:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
        rules = rules_of(detect_language(path.name, data))
        if data and rules.grammar and rules.symbols and only in ("", rules.name):
            roots = parse(data, rules)
            files.append(Reading(path, rules.name, len(data), sum(map(unread_bytes, roots)) if roots else len(data)))
    return files


def table(files: Sequence[Reading]) -> str:
    """One row per language, the least read first. A piece within another counts again: a share may exceed 100 %."""
    by_language: dict[str, list[Reading]] = defaultdict(list)
    for file in files:
        by_language[file.language].append(file)
    rows = []
    for name, own in by_language.items():
        size, unread = sum(file.size for file in own), sum(file.unread for file in own)
        rows.append((-unread / size, [name, f"{len(own):,}", f"{size:,}", f"{unread:,}", f"{unread / size:.2%}"]))
    return "\n".join(report.table(("language", "files", "bytes", "unread", "share"), [row for _, row in sorted(rows)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--worst", type=int, default=5, help="files listed for each language")
    parser.add_argument("--language", default="")
    arguments = parser.parse_args()
    files = readings(arguments.trees, arguments.language)
    print(table(files))
    for language in dict.fromkeys(file.language for file in files):
        own = sorted((file for file in files if file.language == language and file.unread), key=lambda one: -one.unread)
        for file in own[: arguments.worst]:
            print(f"{language}: {file.unread:,} of {file.size:,} bytes of {file.path}")


if __name__ == "__main__":
    main()
