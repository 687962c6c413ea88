"""The code graph: which chunk contains, calls, uses or extends which, which file imports or tests which.

A reference is bound to a definition by scope, imports and receiver. A name that several definitions could answer gives
no edge rather than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.columns import Array, spread
from index.resolve import ModuleResolver
from index.segment import Segment
from index.snapshot import Snapshot

LABELS = ("contains", "calls", "uses", "extends", "imports", "tests")
_LABEL_OF_REFERENCE = {"call": "calls", "type": "uses", "base": "extends"}
MAX_SAME_NAME = 200  # a name with more definitions than this says nothing without a scope
# Names by which a method speaks of its own object.
SELF_NAMES = ("self", "this", "cls", "Self", "super", "@", "$this", "static", "__MODULE__")
# Languages in which the files of a folder (or the whole program) see each other without an import.
OPEN_SCOPE = frozenset(
    "go java kotlin scala csharp swift c cpp ruby php elixir haskell zig bash".split()
)  # fmt: skip
_TEST = re.compile(
    r"(^|/)(tests?|specs?|__tests__|testing)/"  # a folder of tests
    r"|(^|[/_.-])(test|spec)s?[_.-]"  # test_x.py, x_test.go, x.spec.ts
    r"|[a-z0-9](Tests?|Spec)\.\w+$"  # XTest.java
)
_SEPARATOR = re.compile(rb"[.:]")
_TEST_AFFIX = re.compile(r"^(test|spec)[_-]?|[_.-]?(tests?|specs?)$", re.IGNORECASE)


def is_test_path(path: str) -> bool:
    """Whether a path follows one of the usual conventions for test files."""
    return _TEST.search(path) is not None


@dataclass(frozen=True, slots=True)
class Known:
    """What a refresh need not resolve again: the import edges of the published generation, as (file, file) pairs, and
    the files that changed. It holds for a generation of the same paths: an import depends on them and on its file."""

    imports: Array
    changed: frozenset[int]


def known_edges(snapshot: Snapshot, changed: frozenset[int]) -> Known:
    """The import edges of a generation, for one with the same paths in which these files changed."""
    edges = Edges.of(snapshot, "file_edge", "out")
    source = np.repeat(np.arange(len(edges.indptr) - 1), np.diff(edges.indptr))
    imports = edges.label == LABELS.index("imports")
    return Known(np.column_stack([source, edges.node])[imports].astype(np.int64), changed)


def derive_edges(segment: Segment, known: Known | None = None) -> dict[str, Array]:
    """The edges that a snapshot keeps: between chunks sorted by source, and between files sorted by source."""
    paths = segment.strings("file.path").to_list()
    imports = _import_edges(segment, paths, known)
    tests = _test_edges(paths, imports)
    chunk_edges = np.concatenate([_contains(segment), _bound_references(segment, imports)])
    chunk_edges = np.unique(chunk_edges, axis=0) if len(chunk_edges) else chunk_edges.reshape(0, 3)
    file_edges = np.unique(np.concatenate([_labelled(imports, "imports"), _labelled(tests, "tests")]), axis=0)
    return {
        **_both_ways("edge", chunk_edges, int(segment.rows["chunk"][-1])),
        **_both_ways("file_edge", file_edges, segment.files),
    }


def _labelled(pairs: Array, label: str) -> Array:
    return np.column_stack([pairs, np.full(len(pairs), LABELS.index(label), np.int64)]).astype(np.int64)


def _both_ways(name: str, edges: Array, nodes: int) -> dict[str, Array]:
    """CSR of (source, target, label) rows, forwards and backwards."""
    arrays: dict[str, Array] = {}
    for way, near, far in (("out", 0, 1), ("in", 1, 0)):
        order = np.lexsort((edges[:, 2], edges[:, far], edges[:, near]))
        indptr = np.zeros(nodes + 1, np.int64)
        np.cumsum(np.bincount(edges[:, near], minlength=nodes)[:nodes], out=indptr[1:])
        arrays[f"{name}/{way}/indptr"] = indptr
        arrays[f"{name}/{way}/node"] = edges[order, far].astype(np.int32)
        arrays[f"{name}/{way}/label"] = edges[order, 2].astype(np.uint8)
    return arrays


def _contains(segment: Segment) -> Array:
    chunk = np.arange(int(segment.rows["chunk"][-1]), dtype=np.int64)
    inside = segment.array("chunk.parent") >= 0
    parent = segment.absolute("chunk", "parent", "chunk")
    return _labelled(np.column_stack([parent[inside], chunk[inside]]), "contains")


def _import_edges(segment: Segment, paths: Sequence[str], known: Known | None) -> Array:
    """int64[n, 2] (importing file, imported file), sorted."""
    resolver = ModuleResolver(paths)
    languages = segment.strings("file.language")
    rows, texts, modules = segment.rows, segment.names, segment.array("import.module")
    pairs: set[tuple[int, int]] = set()
    for file in range(segment.files) if known is None else sorted(known.changed):
        first, last = int(rows["import"][file]), int(rows["import"][file + 1])
        if first == last:
            continue
        run = slice(int(rows["binding"][file]), int(rows["binding"][file + 1]))
        bound: dict[int, list[str]] = {}
        for statement, target in zip(
            segment.array("binding.import")[run].tolist(), segment.array("binding.target")[run].tolist(), strict=True
        ):
            bound.setdefault(statement, []).append(texts[target])
        language = languages[file]
        asked = {(texts[module], tuple(bound.get(at, ()))) for at, module in enumerate(modules[first:last].tolist())}
        pairs.update(
            (file, found) for module, names in asked for found in resolver.resolve(file, language, module, names)
        )
    if known is not None:
        pairs.update((a, b) for a, b in known.imports.tolist() if a not in known.changed)
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def _test_edges(paths: Sequence[str], imports: Array) -> Array:
    """int64[n, 2] (test file, tested file): by name where one file answers to it, by import where several do."""
    subjects: dict[str, list[int]] = {}
    for number, path in enumerate(paths):
        if not is_test_path(path):
            subjects.setdefault(_stem(path).lower(), []).append(number)
    imported = set(map(tuple, imports.tolist()))
    pairs: list[tuple[int, int]] = []
    for number, path in enumerate(paths):
        if not is_test_path(path):
            continue
        found = subjects.get(_TEST_AFFIX.sub("", _stem(path)).lower(), [])
        chosen = [one for one in found if (number, one) in imported] or (found if len(found) == 1 else [])
        pairs += [(number, one) for one in chosen]
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].split(".")[0]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Candidate bindings: positions of references and of the definitions that share their name."""

    reference: Array
    definition: Array

    def keep(self, mask: Array) -> _Pairs:
        return _Pairs(self.reference[mask], self.definition[mask])


def _bound_references(segment: Segment, imports: Array) -> Array:
    """int64[n, 3] (chunk, chunk, label) of the references that one definition answers, nearest scope first."""
    pairs = _same_name(segment.array("reference.name"), segment.array("definition.name"))
    if not len(pairs.reference):
        return np.zeros((0, 3), np.int64)
    scope = _Scopes(segment, imports, pairs)
    count = len(segment.array("reference.name"))
    bound = np.full(count, -1, np.int64)
    for mask in scope.nearest_first():
        open_pairs = pairs.keep(mask & (bound[pairs.reference] < 0))
        answers = np.bincount(open_pairs.reference, minlength=count)
        single = open_pairs.keep(answers[open_pairs.reference] == 1)
        bound[single.reference] = single.definition
        # Two answers in one scope: the name is ambiguous there, and a wider scope would only guess.
        bound[(answers > 1) & (bound < 0)] = -2
    found = np.flatnonzero(bound >= 0)
    source = segment.absolute("reference", "chunk", "chunk")[found].astype(np.int64)
    target = segment.absolute("definition", "chunk", "chunk")[bound[found]].astype(np.int64)
    labels = np.array([LABELS.index(_LABEL_OF_REFERENCE[kind]) for kind in REFERENCE_KINDS], np.int64)
    edges = np.column_stack([source, target, labels[segment.array("reference.kind")[found]]])
    apart: Array = edges[source != target]
    return apart


def _same_name(references: Array, definitions: Array) -> _Pairs:
    order = np.argsort(definitions, kind="stable")
    names = definitions[order]
    first, last = np.searchsorted(names, references, "left"), np.searchsorted(names, references, "right")
    counts = last - first
    counts = np.where(counts > MAX_SAME_NAME, 0, counts)
    return _Pairs(np.repeat(np.arange(len(references)), counts), order[spread(first, counts)])


class _Scopes:
    """For every candidate pair, in which scopes the definition is visible to the reference."""

    def __init__(self, segment: Segment, imports: Array, pairs: _Pairs) -> None:
        def file_of(level: str) -> Array:
            return np.repeat(np.arange(segment.files), np.diff(segment.rows[level]))

        reference_chunk = segment.absolute("reference", "chunk", "chunk")[pairs.reference]
        self._from = file_of("reference")[pairs.reference]
        self._to = file_of("definition")[pairs.definition]
        self._container = segment.array("definition.container")[pairs.definition]
        own = segment.array("chunk.symbol")[reference_chunk]
        outer = segment.array("chunk.container")[reference_chunk]
        self._own_class = (self._container >= 0) & ((self._container == own) | (self._container == outer))
        self._receiver = segment.array("reference.receiver")[pairs.reference]
        spoken = np.array(sorted(number for number in (segment.names.find(name) for name in SELF_NAMES) if number >= 0))
        self._is_self = np.isin(self._receiver, spoken)
        self._on_class = self._receiver_is_container(segment)
        keys = imports[:, 0] * segment.files + imports[:, 1] if len(imports) else np.zeros(0, np.int64)
        self._imported = np.isin(self._from * segment.files + self._to, keys)
        language = segment.strings("file.language").to_list()
        family = {name: number for number, name in enumerate(sorted(set(language)))}
        speaks = np.array([family[name] for name in language], np.int64)
        is_open = np.array([name in OPEN_SCOPE for name in language], bool)
        self._same_language = speaks[self._from] == speaks[self._to]
        folders: dict[str, int] = {}
        paths = segment.strings("file.path").to_list()
        folder = np.array([folders.setdefault(path.rpartition("/")[0], len(folders)) for path in paths], np.int64)
        self._neighbour = is_open[self._from] & (folder[self._from] == folder[self._to])
        self._anywhere = is_open[self._from] & self._same_language

    def _receiver_is_container(self, segment: Segment) -> Array:
        """Whether `X.name` was written of a definition whose container is `X` (its last part counts)."""
        used = np.zeros(len(segment.names) + 1, bool)  # the last place is that of -1: no name
        used[self._receiver] = used[self._container] = True
        numbered: dict[bytes, int] = {b"": 0}
        last = np.zeros(len(used), np.int64)
        for number in np.flatnonzero(used[:-1]).tolist():
            part = _SEPARATOR.split(segment.names.raw(number))[-1]
            last[number] = numbered.setdefault(part, len(numbered))
        receiver, container = last[self._receiver], last[self._container]
        same: Array = (receiver == container) & (receiver > 0)
        return same

    def nearest_first(self) -> list[Array]:
        """Masks over the pairs, from the nearest scope to the widest."""
        plain = self._receiver < 0
        top = self._container < 0
        same_file = self._from == self._to
        return [
            (plain | self._is_self) & same_file & self._own_class,
            plain & same_file,
            self._on_class & (same_file | self._imported | self._neighbour),
            (plain | ~self._is_self) & self._imported & top,
            plain & self._neighbour,
            self._on_class & self._same_language,
            plain & self._anywhere,
            ~plain & ~self._is_self & self._same_language & ~top & (same_file | self._imported | self._neighbour),
        ]


@dataclass(frozen=True, slots=True)
class Edges:
    """One direction of a graph: node n's neighbours are node[indptr[n]:indptr[n + 1]], with their labels."""

    indptr: Array
    node: Array
    label: Array

    @classmethod
    def of(cls, snapshot: Snapshot, name: str, way: str) -> Edges:
        return cls(*(snapshot.array(f"{name}/{way}/{part}") for part in ("indptr", "node", "label")))

    def neighbours(self, node: int) -> list[tuple[int, str]]:
        """(neighbour, label), by neighbour."""
        run = slice(self.indptr[node], self.indptr[node + 1])
        return [
            (other, LABELS[label])
            for other, label in zip(self.node[run].tolist(), self.label[run].tolist(), strict=True)
        ]

    def degrees(self, label: str | None = None) -> Array:
        """How many neighbours each node has, by one label where it is named."""
        if label is None:
            return np.diff(self.indptr)
        counted = np.concatenate([[0], np.cumsum(self.label == LABELS.index(label))])
        return counted[self.indptr[1:]] - counted[self.indptr[:-1]]  # type: ignore[no-any-return]
