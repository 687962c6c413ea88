"""The nouns that a query meets on its way through the index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NewType, Protocol

from contracts.frozen import frozen

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

from contracts.records import Why

# Positions in the tables of one generation (index/collection/tables.py). The records below hold plain numbers: who asks
# several indexes at once counts their chunks through all of them.
FileId = NewType("FileId", int)
ChunkId = NewType("ChunkId", int)
SymbolId = NewType("SymbolId", int)

MEMORY_BYTES = 1_500_000_000  # that indexing takes at most where nobody says how much
LEAST_MEMORY_BYTES = 400_000_000


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
    signature: tuple[int, int] | None = None  # first and last line, as all lines 1-based and inclusive
    doc: tuple[int, int] | None = None

    @property
    def id(self) -> str:
        return f"{self.file}:{self.start_line}:{self.end_line}"


class Extent(NamedTuple):
    """How far neighbouring chunks of a file reach, and how many bytes of text they are; nothing of it is read."""

    start_line: int
    end_line: int
    chars: int

    @property
    def lines(self) -> int:
        return self.end_line - self.start_line + 1


@frozen
class Outline:
    """A container with its members: the row covers all of it, `numbers` are its chunks, header first.

    `header` are the lines of the header itself; `members` pairs each direct member with its signature's lines.
    """

    row: ChunkRow
    numbers: tuple[int, ...]
    header: tuple[int, int]
    members: tuple[tuple[int, tuple[int, int]], ...]


@frozen
class Filters:
    """What may be searched at all; applied before anything is ranked. Globs are gitignore-style patterns."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    docs: str = "rank"  # "rank": as they come; "skip": no prose files; "first": prose before code


@frozen
class Scored:
    """A ranked chunk; `score` in 0..1 is what readers see. `reasons` names the parts that `points` is the sum of.

    `lines` are ranges of the file's lines (1-based, inclusive, inside the chunk's symbol) that the hit is about: the
    line of a place, the failing line of a frame, the line of a definition. An item shows them in every form.
    """

    chunk: int
    score: float
    points: float
    reasons: Callable[[], tuple[Why, ...]] = field(repr=False, compare=False)
    lines: tuple[tuple[int, int], ...] = ()

    @property
    def why(self) -> tuple[Why, ...]:
        """The named points, looked up only here: most callers only want the order."""
        return self.reasons()


@frozen
class FilePlace:
    """Lines of a file, 1-based and inclusive; both are None for all of it."""

    file: str
    first: int | None = None
    last: int | None = None


@frozen
class TraceReading:
    """What a pasted trace says of this index: frames in it, frames of other people's code, frames that a filter hides.

    `places` counts the chunks with own frames. `elsewhere` names the frames whose function has another place now, each
    with both; `lost` those whose line and function are gone.
    """

    own: int
    foreign: int = 0
    filtered: int = 0
    places: int = 0
    elsewhere: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


Order = Literal["files", "lines", "pack"]
CONFIDENCES = ("strong", "weak", "none")


@frozen
class Grade:
    """How sure it is that a repository answers a query, and why: `strong`, `weak` or `none`."""

    confidence: Literal["strong", "weak", "none"]
    reason: str


@frozen
class Tie:
    """A chunk tied to another by the code graph; `labels` name the path's edges, `distance` is its length.

    `reasons` names the points that `weight` is the sum of, as (name, signal, points).
    """

    source: int
    chunk: int
    labels: tuple[str, ...]
    distance: int
    weight: float
    reasons: Callable[[], tuple[tuple[str, float, float], ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def parts(self) -> tuple[tuple[str, float, float], ...]:
        """The named points, looked up only here."""
        return self.reasons()


RESEMBLES = "resembles"  # in place of an edge's label, where the vectors are close


@frozen
class Follow:
    """How the graph is followed from the primaries: so many ties for each on average, so many steps far.

    `edges` keeps to these labels, in both directions, or backward names for one direction (`calls`, `called_by`).
    With `alike`, chunks that resemble a primary count as tied to it (`resembles`), and more of one file counts less.
    `together` takes the primaries as parts of one thing, which has `per_primary` ties altogether.
    `pulls` says how well each primary answers, in their order; without it, earlier ones answer better.
    """

    per_primary: int = 3
    depth: int = 1
    edges: tuple[str, ...] = ()
    explore: bool = False
    alike: bool = False
    together: bool = False
    pulls: tuple[float, ...] = ()


@frozen
class SymbolRow:
    """A defined symbol and where it stands."""

    name: str
    qualified: str
    kind: str
    file: str
    line: int
    chunk: int


@frozen
class Near:
    """A name and its distance from another: 0 for the name itself, about 1 for each letter that differs."""

    name: str
    distance: float


@frozen
class Coverage:
    """What the walk saw and what became of it; `skipped` counts files by reason."""

    files_seen: int
    files_indexed: int
    skipped: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> Coverage:
        """What the walk of a generation saw, from its manifest, and what of it was indexed."""
        walked, read = about["skipped"], about["unreadable"]  # a folder that may not be listed, a file not read
        skipped = {reason: walked.get(reason, 0) + read.get(reason, 0) for reason in sorted({*walked, *read})}
        return cls(about["files"] + sum(skipped.values()), about["files"], skipped)


@frozen
class VectorCoverage:
    """How many chunks the transformer beside the static model has vectors of; `used` by the last answer or not.

    `problem` says why the model cannot be loaded, where that is so.
    """

    model_id: str
    chunks: int
    covered: int
    used: bool
    problem: str = ""


@frozen
class Refreshed:
    """What one refresh changed, in files."""

    generation: int
    added: int
    changed: int
    removed: int
    duration_ms: float
    coverage: Coverage
    notes: tuple[str, ...] = ()  # what the walk and the caches could not do as they should
    behind: bool = False  # the tree has changed, and the index could not be written: this is the last one


class Embedder(Protocol):
    """Turns questions into unit vectors."""

    @property
    def model_id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed_query(self, text: str) -> Floats:
        """float32[d]."""
        ...
