"""What the commands other than `query` print, as typed records; in a room of their own, for a query's start-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.frozen import frozen
from contracts.records import Why


@frozen
class Hit:
    """One ranked chunk of `ctxpack search`; `score` in 0..1. Only a tie of the code graph has a `distance`."""

    id: str
    file: str
    start_line: int
    end_line: int
    score: float
    symbol: str | None = None
    type: str | None = None
    content: str | None = None
    relationship: tuple[str, ...] = ()
    distance: int | None = None
    why: tuple[Why, ...] = ()


@frozen
class Hits:
    """`data` of `ctxpack search`, best first."""

    query: str
    model_id: str
    profile: str
    hits: tuple[Hit, ...]
    version: int = 1


@frozen
class Place:
    """A chunk that a name stands for."""

    id: str
    file: str
    start_line: int
    end_line: int
    symbol: str | None = None
    type: str | None = None


@frozen
class Related:
    """`data` of `ctxpack related`: what the code graph ties to the places `of` a name, best tie first."""

    query: str
    model_id: str
    profile: str
    of: tuple[Place, ...]
    hits: tuple[Hit, ...]
    version: int = 1


@frozen
class Symbol:
    """Where a symbol is defined; `id` is the chunk that defines it."""

    name: str
    qualified: str
    kind: str
    file: str
    line: int
    id: str


@frozen
class Symbols:
    """`data` of `ctxpack symbols`, in the order of names, then files, then lines."""

    pattern: str | None
    symbols: tuple[Symbol, ...]
    version: int = 1


@frozen
class Status:
    """`data` of `ctxpack status`; `stale` says that the tree has changed since. `coverage` counts files.

    `transformer` counts the chunks that the transformer beside the static model has vectors of, where there is one.
    `intact` answers `--verify`: everything still has the checksums that it was written with (or there is an error).
    """

    generation: int
    model_id: str
    files: int
    chunks: int
    stale: bool
    folder: str
    coverage: Mapping[str, object]
    transformer: Mapping[str, object] | None = None
    version: int = 1
    intact: bool | None = None


@frozen
class Working:
    """How far an indexing has come; `total` 0 where nobody knows how much there is."""

    stage: str
    done: int
    total: int


@frozen
class Configured:
    """An agent's configuration; `state` as the schema lists them."""

    name: str
    title: str
    file: str
    state: str
    diff: str = ""
    backup: str = ""


@frozen
class Configurations:
    """`data` of `ctxpack install` and `ctxpack uninstall`."""

    agents: tuple[Configured, ...]
    version: int = 1


@frozen
class Built:
    """`data` of `ctxpack index`: the generation that is live now, and the files by which it differs from the last."""

    generation: int
    model_id: str
    files: int
    chunks: int
    added: int
    changed: int
    removed: int
    version: int = 1


@frozen
class Model:
    """An embedding model; `where` is empty for one that is not on this machine, `dimensions` 0 while unknown."""

    name: str
    model_id: str
    dimensions: int
    installed: bool
    where: str
    licence: str


@frozen
class Models:
    """`data` of `ctxpack model list` and `ctxpack model pull`."""

    models: tuple[Model, ...]
    version: int = 1


@frozen
class Cleaned:
    """`data` of `ctxpack clean`: the folders that were removed, of the index and of corpora."""

    removed: tuple[str, ...]
    version: int = 1


@frozen
class Consent:
    """`data` of `ctxpack trust`: whether the user agrees to what a folder's own file says.

    `options` are those of the file that only count with this consent.
    """

    folder: str
    file: str
    options: tuple[str, ...]
    trusted: bool
    version: int = 1


@frozen
class BenchEngine:
    """One way to find code. Shares are 0..1, over all questions.

    `hit`: for each depth the share of questions with a right file among so many different files; `recall`: for each
    budget the share of the right files that are shown within it; `lines`: for each budget the share of the lines that a
    commit changed that are shown within it (empty where no question has any); `chars_to_first`: characters to read
    until the end of the first place in a right file, in the median (None: half of the questions or more had none);
    `found`: share of questions with a right file anywhere in the list.
    """

    name: str
    hit: tuple[float, ...]
    recall: tuple[float, ...]
    lines: tuple[float, ...]
    chars_to_first: int | None
    found: float


@frozen
class BenchQuestion:
    """A commit as a question; by engine, the rank of the first right file and the characters up to it.

    `lines`: for each budget the share of the changed lines that is shown; empty where it is not known which they are.
    """

    commit: str
    query: str
    targets: tuple[str, ...]
    rank: Mapping[str, int | None]
    chars: Mapping[str, int | None]
    lines: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """`data` of `ctxpack bench`. `revision` is the tree that was asked: the parent of the oldest commit that asks.

    `line_questions` counts the questions whose changed lines are known, `looked_at` commits without merges, `budgets`
    characters; `asked` is there with `--explain`, newest first.
    """

    revision: str
    newest: str
    oldest: str
    looked_at: int
    questions: int
    line_questions: int
    files: int
    chunks: int
    model_id: str
    depths: tuple[int, ...]
    budgets: tuple[int, ...]
    engines: tuple[BenchEngine, ...]
    asked: tuple[BenchQuestion, ...] = ()
    version: int = 1
