"""The typed records that commands other than `query` print; a query does not import them and so starts faster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.frozen import frozen
from contracts.records import Why


@frozen
class Hit:
    """One ranked chunk of `ctxpack search`; `score` in 0..1. Only hits from the code graph have a `distance`."""

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
    """A chunk that a name refers to."""

    id: str
    file: str
    start_line: int
    end_line: int
    symbol: str | None = None
    type: str | None = None


@frozen
class Related:
    """`data` of `ctxpack related`: chunks that the code graph links to `of`, the places of a name, best first.

    `total` counts them, up to about 400, if not all are among the hits.
    """

    query: str
    model_id: str
    profile: str
    of: tuple[Place, ...]
    hits: tuple[Hit, ...]
    total: int | None = None
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
    """`data` of `ctxpack symbols`, sorted by name, then file, then line."""

    pattern: str | None
    symbols: tuple[Symbol, ...]
    version: int = 1


@frozen
class Status:
    """`data` of `ctxpack status`; `stale` if the tree has changed since the index was built. `coverage` counts files.

    `transformer` counts the chunks with vectors of the transformer used in addition to the static model, if any.
    `intact` is set by `--verify`: everything has the checksums that it was written with (otherwise it is an error).
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
    """Progress of indexing; `total` is 0 if unknown."""

    stage: str
    done: int
    total: int


@frozen
class Configured:
    """An agent's configuration; the schema lists the values of `state`."""

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
    """`data` of `ctxpack index`: the generation that is live now, and how many files differ from the previous one."""

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
    """An embedding model; `where` is empty if it is not on this machine, `dimensions` is 0 if unknown."""

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
    """`data` of `ctxpack clean`: the removed folders of the index and of corpora."""

    removed: tuple[str, ...]
    version: int = 1


@frozen
class Consent:
    """`data` of `ctxpack trust`: whether the user trusts the configuration file of a folder.

    `options` are those in the file that have no effect without this consent.
    """

    folder: str
    file: str
    options: tuple[str, ...]
    trusted: bool
    version: int = 1


@frozen
class BenchEngine:
    """One way to find code. Shares are 0..1, over all questions.

    `hit`: for each depth, the share of questions with a right file among that many different files; `recall`: for each
    budget, the share of the right files shown within it; `lines`: for each budget, the share of the lines changed by a
    commit that are shown within it (empty if no question has any); `chars_to_first`: median number of characters to
    read until the end of the first place in a right file (None: at least half of the questions have none); `found`:
    share of questions with a right file anywhere in the list.
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

    `lines`: for each budget, the share of the changed lines that are shown; empty if the changed lines are unknown.
    """

    commit: str
    query: str
    targets: tuple[str, ...]
    rank: Mapping[str, int | None]
    chars: Mapping[str, int | None]
    lines: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """`data` of `ctxpack bench`. `revision` is the tree that was searched: the parent of the oldest question's commit.

    `line_questions` counts the questions whose changed lines are known, `looked_at` counts commits without merges,
    `budgets` are in characters; `asked` is set with `--explain`, newest first.
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
