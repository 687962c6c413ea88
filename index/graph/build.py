"""A segment to the arrays of its graph."""

from __future__ import annotations

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.columns import Array
from index.graph.edges import LABELS, Rows, both_ways, joined_rows
from index.graph.files import find_imports, test_pairs
from index.graph.known import Kept, Known
from index.graph.learned import Uses
from index.graph.lookup import Lookup
from index.graph.names import Names
from index.graph.references import Binder
from index.graph.subjects import documented, tested_by_name, tested_by_use
from index.graph.world import World, kinds
from index.segment import Segment

_CALLABLE = kinds("function", "method", "class", "struct", "enum", "macro", "type", "trait", "interface", "impl")
_CONTRACT = kinds("interface", "trait")
_METHODS = kinds("function", "method")
_CALL, _BASE, _MENTION = (REFERENCE_KINDS.index(kind) for kind in ("call", "base", "mention"))


def derive_edges(segment: Segment, known: Known | None = None) -> dict[str, Array]:
    """The edges that a snapshot keeps: between symbols, between chunks, between files; and where imports lead."""
    paths = segment.strings("file.path").to_list()
    imports = find_imports(segment, paths, known.imports if known else None)
    tests = known.tests(imports.pairs) if known else None
    tests = test_pairs(paths, imports.pairs) if tests is None else tests
    world = World(segment, imports)
    kept = known.taken_over() if known else None
    learned = kept.learned if kept else None
    names = Names(world, learned)
    binder = Binder(names, learned)
    if known and not kept:
        kept = known.undoubted(names, binder.learned)
    uses = _uses(binder, kept)
    used, chunk_of_use = _used(world, uses)
    about = kept.about if kept and kept.about else _about(names, tests, imports.pairs, known)
    tested = tested_by_use(world, used, tests)
    symbols = joined_rows([_contains(world), used, about, tested])
    chunk_of = np.concatenate([segment.absolute("definition", "chunk", "chunk"), np.full(world.files, -1)])
    chunks = joined_rows(
        [
            _parts(segment),
            Rows(chunk_of_use, chunk_of[used.target], used.label, used.shared),
            *(Rows(chunk_of[rows.source], chunk_of[rows.target], rows.label, rows.shared) for rows in (about, tested)),
        ]
    )
    files = joined_rows([_files(imports.pairs, "imports"), _files(tests, "tests")])
    return {
        **both_ways("symbol_edge", _apart(symbols), world.definitions + world.files),
        **both_ways("edge", _apart(chunks), int(segment.rows["chunk"][-1])),
        **both_ways("file_edge", files, segment.files),
        "import/pairs": imports.pairs,
        "import/module": imports.module,
        "import/names": imports.names,
        **uses.arrays(),
        **binder.learned.arrays(),
        **{f"about/{part}": getattr(about, part).astype(np.int32) for part in Rows.__slots__},
    }


def _apart(rows: Rows) -> Rows:
    """Without edges of a node to itself, or from nowhere: what stands at the top of a file is in no symbol's chunk."""
    return rows.keep((rows.source != rows.target) & (rows.source >= 0))


def _uses(binder: Binder, kept: Kept | None) -> Uses:
    """What every reference is bound to, by reference; what is known is not asked for again."""
    only = kept.fresh if kept else None
    parts = [binder.bind(only), documented(binder.world, only), *([kept.uses] if kept else [])]
    columns = [np.concatenate([getattr(part, name) for part in parts]) for name in Uses.__slots__]
    order = np.lexsort((columns[1], columns[0]))
    return Uses(*(column[order] for column in columns))


def _about(names: Names, tests: Array, imported: Array, known: Known | None) -> Rows:
    """What depends on the names of definitions and on imports alone."""
    tested = known.tested_by_name(imported) if known else None
    if tested is None:
        tested = tested_by_name(names.world, np.concatenate([tests, imported]))
    return joined_rows([_overrides(names), tested])


def _used(world: World, uses: Uses) -> tuple[Rows, Array]:
    """The uses as edges from symbol or file to symbol; and the chunk of each."""
    segment = world.segment
    rows, targets, shared = uses.reference, uses.definition, uses.shared
    at_top = segment.array("reference.symbol")[rows] < 0
    home = segment.absolute("reference", "symbol", "definition").astype(np.int64)[rows]
    source = np.where(at_top, world.file_of("reference")[rows] + world.definitions, home)
    label = _labels(world.kind[targets], segment.array("reference.kind")[rows])
    chunk = segment.absolute("reference", "chunk", "chunk").astype(np.int64)[rows]
    return Rows.of(source, targets, label, shared), chunk


def _contains(world: World) -> Rows:
    """Every symbol in the one around it, or in its file."""
    row = np.arange(world.definitions)
    first = world.first_file + world.file
    own = Lookup(world.keys.of(world.file, -1, world.qualified), row)
    start, count = own.place(world.keys.of(world.file, -1, world.container))
    around = np.where(count > 0, own.values[start] if world.definitions else row, -1)
    beside = np.flatnonzero((around < 0) & (world.container >= 0))
    around[beside] = world.class_at(world.file[beside], world.container[beside])
    return Rows.of(np.where(around < 0, first, around), row, "contains")


def _overrides(names: Names) -> Rows:
    """Methods by what they override in the nearest base that has them."""
    world = names.world
    rows = np.flatnonzero(_METHODS[world.kind] & (world.container >= 0) & world.holds[world.container])
    owner = world.class_at(world.file[rows], world.container[rows])
    rows, owner = rows[owner >= 0], owner[owner >= 0]
    base = names.inherited(owner, world.name[rows])
    good = (base >= 0) & (base < world.definitions)
    good[good] = _METHODS[world.kind[base[good]]]
    return Rows.of(rows[good], base[good], "overrides")


def _labels(target: Array, kind: Array) -> Array:
    """By the kinds of the target and of the reference. Calling what a variable holds only uses the variable."""
    labels = np.full(len(kind), LABELS.index("uses"), np.int64)
    labels[(kind == _CALL) & _CALLABLE[target]] = LABELS.index("calls")
    labels[kind == _BASE] = LABELS.index("extends")
    labels[(kind == _BASE) & _CONTRACT[target]] = LABELS.index("implements")
    labels[kind == _MENTION] = LABELS.index("documents")
    return labels


def _parts(segment: Segment) -> Rows:
    """Chunks by the header chunk of what they stand in."""
    chunk = np.arange(int(segment.rows["chunk"][-1]), dtype=np.int64)
    inside = segment.array("chunk.parent") >= 0
    return Rows.of(segment.absolute("chunk", "parent", "chunk")[inside], chunk[inside], "contains")


def _files(pairs: Array, label: str) -> Rows:
    return Rows.of(pairs[:, 0], pairs[:, 1], label)
