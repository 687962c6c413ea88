"""The records that a query and its results consist of, and the types of ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple, NewType

from contracts.frozen import frozen
from contracts.records import Why

# Positions in the tables of one generation (index/collection/tables.py). The records below have plain integers, because
# a caller with several indexes numbers the chunks of all of them consecutively.
FileId = NewType("FileId", int)
ChunkId = NewType("ChunkId", int)

Progress = Callable[[str, int, int], None]  # (stage, done, total)

MEMORY_BYTES = 1_500_000_000  # default limit for indexing
MIN_MEMORY_BYTES = 400_000_000


@frozen
class ChunkRow:
    """One chunk as the index stores it."""

    number: int
    file: str
    language: str
    start_line: int
    end_line: int
    kind: str
    symbol: str | None
    text: str
    signature: tuple[int, int] | None = None  # first and last line; like all lines, 1-based and inclusive
    doc: tuple[int, int] | None = None

    @property
    def id(self) -> str:
        return f"{self.file}:{self.start_line}:{self.end_line}"


class Extent(NamedTuple):
    """The lines of neighbouring chunks of a file, and the bytes of their text, found without reading it."""

    start_line: int
    end_line: int
    chars: int


@frozen
class Outline:
    """A container with its members: the row covers all of it, `numbers` are its chunks, header first.

    `header` is the range of lines of the header itself; `members` pairs each direct member with its signature's lines.
    """

    row: ChunkRow
    numbers: tuple[int, ...]
    header: tuple[int, int]
    members: tuple[tuple[int, tuple[int, int]], ...]


@frozen
class Filters:
    """Limits which files are searched; applied before ranking. Globs are gitignore-style patterns."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    docs: str = "rank"  # "rank": as ranked; "skip": no prose files; "first": prose before code


EXACT_SCORE = 0.5  # least score of an exact hit
RANKED_SCORE = 0.499  # of a ranked hit that is certain: exact ones stay above it


@frozen
class Scored:
    """A ranked chunk; readers see `score`, in 0..1. `reasons` returns the named parts whose sum is `points`.

    `lines` are ranges of the file's lines (1-based, inclusive, inside the chunk's symbol) that the hit is about: the
    line of a place, the failing line of a frame, the line of a definition. Every form of an item shows them.
    """

    chunk: int
    score: float
    points: float
    reasons: Callable[[], tuple[Why, ...]] = field(repr=False, compare=False)
    lines: tuple[tuple[int, int], ...] = ()

    @property
    def why(self) -> tuple[Why, ...]:
        """The named points, computed only here: most callers only need the order."""
        return self.reasons()

    @property
    def reason(self) -> str:
        """The name of the first of these: why a hit is exact, such as `exact.symbol`."""
        return self.why[0].name


@frozen
class FilePlace:
    """Lines of a file, 1-based and inclusive; both are None for the whole file."""

    file: str
    first: int | None = None
    last: int | None = None


@frozen
class TraceReading:
    """The frames of a pasted trace: how many are in this index, in foreign code, and hidden by a filter.

    `places` counts the chunks with own frames. `elsewhere` names the frames whose function has moved, each with its old
    and its new place, or is gone; `lost` names those whose line and function no longer exist.
    """

    own: int
    foreign: int = 0
    filtered: int = 0
    places: int = 0
    elsewhere: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@frozen
class ImportStatement:
    """An import: the names that it takes from other files, these files, and the chunks of its own file that use it."""

    names: tuple[str, ...]
    files: tuple[str, ...]
    users: tuple[int, ...]


Order = Literal["files", "lines", "pack"]
First = Literal["", "documents", "tests"]  # what comes before everything else that is ranked
CONFIDENCES = ("strong", "weak", "none")


@frozen
class Grade:
    """How sure it is that a repository answers a query, and why: `strong`, `weak` or `none`."""

    confidence: Literal["strong", "weak", "none"]
    reason: str


@frozen
class Tie:
    """A chunk linked to another by the code graph; `labels` name the edges of the path, `distance` is its length.

    `reasons` returns the points whose sum is `weight`, as (name, signal, points). For a tie without an edge, `detail`
    returns why the chunks are linked.
    """

    source: int
    chunk: int
    labels: tuple[str, ...]
    distance: int
    weight: float
    reasons: Callable[[], tuple[tuple[str, float, float], ...]] = field(default=tuple, repr=False, compare=False)
    detail: Callable[[], str] = field(default=str, repr=False, compare=False)

    @property
    def parts(self) -> tuple[tuple[str, float, float], ...]:
        """The named points, computed only here."""
        return self.reasons()


RESEMBLES = "resembles"  # the label of a tie without an edge, between chunks with close vectors


@frozen
class Follow:
    """How the graph is followed from the primaries: `per_primary` ties for each on average, up to `depth` steps.

    `edges` limits it to these labels, in both directions, or backward names for one direction (`calls`, `called_by`).
    With `alike`, chunks that resemble a primary count as tied to it (`resembles`), and further ties into a file weigh
    less. `together` treats the primaries as parts of one thing, with `per_primary` ties in total.
    `pulls` rates how well each primary answers, in their order; without it, earlier ones answer better.
    """

    per_primary: int
    depth: int
    edges: tuple[str, ...] = ()
    explore: bool = False
    alike: bool = False
    together: bool = False
    pulls: tuple[float, ...] = ()


@frozen
class SymbolRow:
    """A defined symbol and its place; a `minor` one (a prototype, a signal) is no part of the graph."""

    name: str
    qualified: str
    kind: str
    file: str
    line: int
    chunk: int
    minor: bool = False


@frozen
class Near:
    """A name and its distance from another: 0 for the name itself, about 1 per differing letter."""

    name: str
    distance: float


@frozen
class Coverage:
    """How many files the walk saw and how many were indexed; `skipped` counts the others by reason."""

    files_seen: int
    files_indexed: int
    skipped: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> Coverage:
        """The coverage of a generation, from its manifest."""
        walked, read = about["skipped"], about["unreadable"]  # folders not listed, files not read
        skipped = {reason: walked.get(reason, 0) + read.get(reason, 0) for reason in sorted({*walked, *read})}
        return cls(about["files"] + sum(skipped.values()), about["files"], skipped)


@frozen
class VectorCoverage:
    """How many chunks have vectors of the transformer; `used` tells whether the last answer used them.

    `problem` says why the model cannot be loaded, if so.
    """

    model_id: str
    chunks: int
    covered: int
    used: bool
    problem: str = ""


@frozen
class Refreshed:
    """What one refresh changed, in files."""

    added: int
    changed: int
    removed: int
    duration_ms: float
    notes: tuple[str, ...] = ()  # problems of the walk and of caches
    behind: bool = False  # the tree has changed, but the index could not be written: this is the last generation
