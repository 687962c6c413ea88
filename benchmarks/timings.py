"""The measurements of the speed table. In each, the tools take turns, and medians are compared."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.embedded_texts import embed_texts
from benchmarks.engines import Ctxpack, Peer
from benchmarks.marks import Row
from benchmarks.report import percentile
from benchmarks.shell import ProcessUsage, Shell
from benchmarks.suites import Repository, Suite
from benchmarks.trees import compose
from index import open_index

FILES_TO_REFRESH = 2000
LARGE_LINES = 500_000
EMBEDDED_TEXTS = 5000
ROUNDS_OF_QUESTIONS = 3
NOTHING_S = 0.05  # even a tool that leaves no process behind measures up to this after its answer
SHELL_REPOSITORIES = 8  # of a suite, evenly spread, for runs from the shell: most of a process is the same for all
Shells = tuple[Shell, Shell]


@dataclass(slots=True)
class _Latencies:
    ours: list[float] = field(default_factory=list)
    packs: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)


def inside(suite: Suite, ours: Ctxpack, peers: Sequence[Peer], runs: int) -> list[Row]:
    """In one process: index every repository from scratch, and answer every question of the suite.

    The peer indexes with its library's setting and with its command line's; the faster of the two counts.
    """
    index_seconds: dict[str, tuple[float, float]] = {}
    latencies = _Latencies()
    for repository in suite.repositories:
        own: list[float] = []
        other: list[list[float]] = [[] for _ in peers]
        for _ in range(runs):
            own.append(ours.index(repository.root).seconds)
            for peer, seconds in zip(peers, other, strict=True):
                seconds.append(peer.index(repository.root).seconds)
        index_seconds[repository.name] = statistics.median(own), min(map(statistics.median, other))
        _ask(repository, ours, peers[0], latencies)
    totals = [sum(pair[side] for pair in index_seconds.values()) for side in (0, 1)]
    ratio = statistics.median(mine / theirs for mine, theirs in index_seconds.values())
    mine, theirs, packs = sorted(latencies.ours), sorted(latencies.theirs), sorted(latencies.packs)
    return [
        Row("index all repositories, in process", "s", totals[0], totals[1], most_ratio=1.0),
        Row(
            "index, median of the ratios by repository",
            "s",
            *_medians(index_seconds),
            most_ratio=1.0,
            ratio_given=ratio,
        ),
        Row("ten places in process, p50", "ms", *_ms(mine, theirs, 50), most_ratio=1.5),
        Row("ten places in process, p99", "ms", *_ms(mine, theirs, 99), most_ratio=3.0),
        Row("pack of 20,000 characters in process, p50", "ms", 1000 * percentile(packs, 50), most=6),
    ]


def _ask(repository: Repository, ours: Ctxpack, peer: Peer, latencies: _Latencies) -> None:
    for warm_up in (True, *[False] * ROUNDS_OF_QUESTIONS):
        for question in repository.questions:
            mine = ours.search(question.query, deep=0).seconds
            theirs = peer.search(question.query, deep=0).seconds
            if not warm_up:
                latencies.ours.append(mine)
                latencies.theirs.append(theirs)
        # In a round of their own: a pack that follows a search for the same question takes over its measurements.
        packs = [ours.pack_seconds(question.query) for question in repository.questions]
        latencies.packs += [] if warm_up else packs


def _medians(index_seconds: dict[str, tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(pair[0] for pair in index_seconds.values()), statistics.median(
        pair[1] for pair in index_seconds.values()
    )


def _ms(mine: Sequence[float], theirs: Sequence[float], share: int) -> tuple[float, float]:
    return 1000 * percentile(mine, share), 1000 * percentile(theirs, share)


def from_shell(suite: Suite, shells: Shells, scratch: Path, runs: int, *, warm: bool) -> list[Row]:
    """One process per question: with an index that is up to date (warm), or without an index (cold)."""
    usages: dict[str, list[list[ProcessUsage]]] = {shell.name: [] for shell in shells}
    for repository in suite.repositories[:: max(1, len(suite.repositories) // SHELL_REPOSITORIES)]:
        query = repository.questions[0].query
        homes = {shell.name: scratch / shell.name / repository.name for shell in shells}
        if warm:
            for shell in shells:
                shell.ask(query, repository.root, homes[shell.name])
        of_this: dict[str, list[ProcessUsage]] = {shell.name: [] for shell in shells}
        for _ in range(runs):
            for shell in shells:
                if not warm:
                    shutil.rmtree(homes[shell.name], ignore_errors=True)
                of_this[shell.name].append(shell.ask(query, repository.root, homes[shell.name]))
        for shell in shells:
            usages[shell.name].append(of_this[shell.name])
            shutil.rmtree(homes[shell.name], ignore_errors=True)
    what = "query from the shell, warm" if warm else "first query from the shell, without an index"
    rows = [_row(what, shells, usages, "wall_s", "s", most_ratio=0.4 if warm else 1.2)]
    rows.append(_row(f"{what}: processor time", shells, usages, "cpu_s", "s"))
    memory = _row(f"{what}: peak memory", shells, usages, "peak_mib", "MiB", most=120 if warm else None)
    if not warm:
        rows.append(_row(f"{what}: background work after the answer", shells, usages, "after_s", "s"))
    return [*rows, memory]


def _row(
    what: str, shells: Shells, usages: dict[str, list[list[ProcessUsage]]], name: str, unit: str, *,
    most_ratio: float | None = None, most: float | None = None,
) -> Row:  # fmt: skip
    """The median over repositories of each tool's median over runs, and the median of the repositories' ratios."""
    mine, theirs = (
        [statistics.median(getattr(one, name) for one in runs) for runs in usages[shell.name]] for shell in shells
    )
    ratios = [a / b for a, b in zip(mine, theirs, strict=True) if b >= NOTHING_S]
    return Row(
        what, unit, statistics.median(mine), statistics.median(theirs), most_ratio=most_ratio, most=most,
        ratio_given=statistics.median(ratios) if ratios else None, comparable=bool(ratios),
    )  # fmt: skip


def refresh(suite: Suite, shells: Shells, scratch: Path, runs: int) -> list[Row]:
    """After an edit of one file of 2,000: the time until the index is fresh again, and until an answer is printed."""
    root = scratch / "tree"
    size = compose(root, _sources(suite), files=FILES_TO_REFRESH)
    file = sorted(path for path in root.rglob("*") if path.is_file() and path.suffix in (".py", ".go", ".rs"))[0]
    query = suite.repositories[0].questions[0].query
    home = scratch / "inside"
    open_index(root, home=home, model="embedded")
    open_seconds: list[float] = []
    usages: dict[str, list[ProcessUsage]] = {shell.name: [] for shell in shells}
    for shell in shells:
        shell.ask(query, root, scratch / shell.name)
    for number in range(runs):
        _edit(file, number)
        began = time.perf_counter()
        open_index(root, home=home, model="embedded")
        open_seconds.append(time.perf_counter() - began)
        for shell in shells:
            usages[shell.name].append(shell.ask(query, root, scratch / shell.name))
    shutil.rmtree(scratch)
    label = f"{size.files:,} files of {size.lines:,} lines, one changed"
    mine, theirs = (statistics.median(one.wall_s for one in usages[shell.name]) for shell in shells)
    return [
        Row(f"refresh in process, {label}", "s", statistics.median(open_seconds), most=0.4),
        Row(f"query from the shell, {label}", "s", mine, theirs),
    ]


def _edit(path: Path, number: int) -> None:
    marks = "#" if path.suffix == ".py" else "//"
    path.write_text(f"{path.read_text('utf-8')}\n{marks} edit {number}\n", encoding="utf-8")


def large(suite: Suite, shells: Shells, scratch: Path, runs: int) -> list[Row]:
    """A tree of half a million lines: memory of all processes while it is indexed, and the time of queries."""
    root = scratch / "tree"
    size = compose(root, _sources(suite), lines=LARGE_LINES)
    query = suite.repositories[0].questions[0].query
    usages = [shell.ask(query, root, scratch / shell.name, whole_tree=True) for shell in shells]
    index = open_index(root, home=scratch / shells[0].name, model="embedded")
    questions = [question.query for repository in suite.repositories for question in repository.questions]
    seconds = []
    for number, text in enumerate(questions):
        began = time.perf_counter()
        index.search(text, top_k=10)
        if number:
            seconds.append(time.perf_counter() - began)
    label = f"{size.lines:,} lines, {index.chunks:,} chunks"
    shutil.rmtree(scratch)
    return [
        Row(f"index and answer, {label}", "s", usages[0].wall_s, usages[1].wall_s),
        Row(f"peak memory of all processes, {label}", "MiB", usages[0].peak_mib, usages[1].peak_mib, most=2048),
        Row(f"query in process, {label}, p50", "ms", 1000 * percentile(sorted(seconds), 50), most=40),
    ]


def embedding(suite: Suite) -> list[Row]:
    """Chunks per second that the embedded model turns into vectors, on one core."""
    from index.embed.static import StaticEmbedder

    embedder = StaticEmbedder.load()
    texts: list[str] = []
    for repository in suite.repositories:
        if len(texts) >= EMBEDDED_TEXTS:
            break
        with tempfile.TemporaryDirectory() as home:
            index = open_index(repository.root, home=Path(home), model="embedded")
            rows = (index.chunk(number) for number in range(index.chunks))
            texts += [f"{row.file}\n{row.text}" for row in rows]
    texts = texts[:EMBEDDED_TEXTS]
    embed_texts(embedder, texts[:100])
    began = time.process_time()
    embed_texts(embedder, texts)
    return [Row("embedded model, one core", "chunks/s", len(texts) / (time.process_time() - began), least=5000)]


def _sources(suite: Suite) -> dict[str, Path]:
    return {repository.name: repository.root for repository in suite.repositories}
