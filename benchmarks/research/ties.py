"""Count the code that names a symbol, and how much of it the code graph ties to the symbol.

    python -m benchmarks.research.ties TREE [TREE ...] [--kinds KIND ...] [--sample 400] [--misses 20] [--index-dir DIR]

A symbol counts if its name is long and defined once in the tree. What names it in code of its language, outside
comments, strings, imports, prototypes and the symbol itself, then most likely means it: without a tie, it is a gap of
the graph, or the name of a variable or of something in a library. A gap is `unread` if no reference to the name was
read there, else `unbound`.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from chunker.kinds import KINDS, ROUTINES
from chunker.languages.table import rules_of
from index import Index, open_index
from index.collection.tables import DefinitionRow
from index.text import terms_of_text
from index.types import ChunkId, FileId

MIN_CHARS = 8  # of a name: a shorter one is more often also one of a library
SEED = 3
TYPES = ("class", "struct", "enum", "interface", "trait", "type")
# Comments, strings on one line
_NO_CODE = re.compile(r'"(?:\\.|[^"\\])*"|//.*|#[^\[!{].*|^\s*\*.*|--.*')
_WORDS = re.compile(r"[a-z0-9][A-Z]|[^_]_[^_]")  # between two words of a name: one word is often a variable's, too


@dataclass(frozen=True, slots=True)
class Use:
    """Code that names a symbol; `tied` if an edge leads from there to the symbol, `read` if the name is a reference."""

    language: str
    kind: str
    symbol: str
    defined_at: str
    used_at: str
    line: str
    read: bool
    tied: bool

    @property
    def state(self) -> str:
        return "tied" if self.tied else "unbound" if self.read else "unread"


def uses(index: Index, kinds: Sequence[str], sample: int) -> Iterator[Use]:
    """The uses of up to `sample` symbols of these kinds; the same ones each time."""
    data = index.collection
    paths, cells, names = data.files.paths, data.cells, data.snapshot.segment.names
    imports, read = _import_lines(index), _read_names(index)
    symbols = _defined_once(index, kinds)
    random.Random(SEED).shuffle(symbols)
    for symbol, *prototypes in symbols[:sample]:
        own, family = set(data.parts_of(symbol.chunk)), _family(data.files.languages[symbol.file])
        declared = {chunk for prototype in prototypes for chunk in data.parts_of(prototype.chunk)}
        for chunk in map(ChunkId, data.lexical.holding(terms_of_text(symbol.name)).tolist()):
            file = FileId(cells.file[chunk])
            language, around = data.files.languages[file], cells.symbol[chunk]
            inside = around >= 0 and names[around].startswith(f"{symbol.qualified}.")
            if chunk in own | declared or inside or _family(language) != family or not data.is_code(chunk):
                continue
            text = data.text_of(chunk).decode("utf-8", "replace")
            line = _first_line(text, symbol.name, cells.start_line[chunk], imports[file])
            if line is not None:
                number, code = line
                near = {other for part in data.parts_of(chunk) for other, _ in data.edges_out.neighbours(ChunkId(part))}
                yield Use(
                    language, symbol.kind, symbol.qualified, f"{paths[symbol.file]}:{symbol.line}",
                    f"{paths[file]}:{number}", code, (chunk, symbol.name) in read, bool(near & own),
                )  # fmt: skip


def _defined_once(index: Index, kinds: Sequence[str]) -> list[list[DefinitionRow]]:
    """The symbols of these kinds with a long name that nothing else has, each with its prototype if it has one."""
    data = index.collection
    by_name: dict[int, list[int]] = defaultdict(list)
    for number, name in enumerate(data.definitions.name.tolist()):
        by_name[name].append(number)
    symbols = []
    for numbers in by_name.values():
        rows = [data.definitions[number] for number in numbers[:3]]
        first = rows[0]
        if (
            first.kind in kinds and len(first.name) >= MIN_CHARS and first.name.isidentifier()
            and (first.kind not in ROUTINES or _WORDS.search(first.name))
            and not first.is_minor and len(rows) < 3 and all(row.is_minor for row in rows[1:])
            and {row.qualified for row in rows} == {first.qualified}
            and data.is_code(first.chunk) and rules_of(data.files.languages[first.file]).graph
        ):  # fmt: skip
            symbols.append(rows)
    return symbols


@cache
def _family(language: str) -> str:
    return rules_of(language).family


def _import_lines(index: Index) -> dict[FileId, set[int]]:
    """The lines of import statements, by file."""
    segment = index.snapshot.segment
    lines: dict[FileId, set[int]] = defaultdict(set)
    files = np.repeat(np.arange(segment.files), np.diff(segment.rows["import"])).tolist()
    spans = (segment.array(f"import.{end}").tolist() for end in ("start_line", "end_line"))
    for file, first, last in zip(files, *spans, strict=True):
        lines[FileId(file)].update(range(first, last + 1))
    return lines


def _read_names(index: Index) -> set[tuple[ChunkId, str]]:
    """The names of the references of each chunk."""
    segment = index.snapshot.segment
    chunks, names = segment.absolute("reference", "chunk", "chunk"), segment.array("reference.name")
    return {(ChunkId(chunk), segment.names[name]) for chunk, name in zip(chunks.tolist(), names.tolist(), strict=True)}


def _first_line(text: str, name: str, first: int, imports: set[int]) -> tuple[int, str] | None:
    """The first line whose code has the name, with its number."""
    word = re.compile(rf"(?<![\w\"'/-]){name}(?![\w\"'-])")
    for number, line in enumerate(text.split("\n"), first):
        if number not in imports and word.search(_NO_CODE.sub("", line)):
            return number, line.strip()
    return None


def table(by_tree: dict[str, list[Use]]) -> str:
    rows = ["| tree | language | kind | uses | tied | unbound | unread |", "|---|---|---|---:|---:|---:|---:|"]
    for tree, some in by_tree.items():
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for use in some:
            counts[use.language, use.kind][use.state] += 1
        for (language, kind), by_state in sorted(counts.items(), key=lambda one: (-one[1].total(), one[0])):
            share = 100 * by_state["tied"] / by_state.total()
            rows.append(
                f"| {tree} | {language} | {kind} | {by_state.total()} | {share:.1f} % | {by_state['unbound']} | "
                f"{by_state['unread']} |"
            )
    return "\n".join(rows)


def misses(some: Sequence[Use], most: int) -> str:
    """A sample of the uses without a tie."""
    rows = [use for use in some if not use.tied]
    random.Random(SEED).shuffle(rows)
    return "\n".join(
        f"{use.state} {use.language} {use.kind} {use.symbol} ({use.defined_at}) at {use.used_at}: {use.line[:110]}"
        for use in rows[:most]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=[*sorted(ROUTINES), *TYPES])
    parser.add_argument("--sample", type=int, default=400, help="symbols of each tree")
    parser.add_argument("--misses", type=int, default=0, help="uses without a tie to list for each tree")
    parser.add_argument("--index-dir", type=Path, help="where indexes are kept, in place of a scratch folder")
    options = parser.parse_args(arguments)
    by_tree: dict[str, list[Use]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for root in options.trees:
            index = open_index(root, home=(options.index_dir or Path(scratch)) / root.name, model="embedded")
            by_tree[root.name] = list(uses(index, options.kinds, options.sample))
    print(table(by_tree))
    for tree, some in by_tree.items() if options.misses else ():
        print("", f"{tree}, uses without a tie:", misses(some, options.misses), sep="\n")


if __name__ == "__main__":
    main()
