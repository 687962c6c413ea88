"""How good packs are: recall within a budget, commits through related items, use of the budget, time, integrity.

    python -m benchmarks.pack --suite SUITE [--corpora TREES] [--commits DOCUMENT] [--only NAME ...]
        [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER] [--out RESULT.json] [--table TABLE.md] [--write NAME]

Packs have the default options and cost what contract v1 says: content, imports and 128 characters per item. The peer
has no budget: its results fill ours in order, at the same 128 characters each; a result that does not fit is left out.
SUITE and DOCUMENT are those of benchmarks/quality.py.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import engines, machine, pages, report
from benchmarks.engines import Peer
from benchmarks.intervals import mean_interval
from benchmarks.localisation import LocalisationCounts, figures, localise, summary_lines
from benchmarks.metrics import Place, covers
from benchmarks.suites import Repository, Suite, Target, load_suite
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from contracts.records import Item, Pack
from index import open_index

BUDGETS = {2_000: 0.84, 4_000: 0.92, 8_000: 0.965, 16_000: 0.985}  # characters -> the required recall
FULL = 20_000
ITEM_CHARS = 128
GOOD_USE = 0.85
CHECKED_QUERIES, CHECKED_REPOSITORIES = 200, 10


@dataclass(slots=True)
class PackMeasures:
    """The measurements so far; a list has one entry per question unless its comment says otherwise."""

    ours: dict[int, list[float]] = field(default_factory=lambda: {budget: [] for budget in BUDGETS})
    theirs: dict[int, list[float]] = field(default_factory=lambda: {budget: [] for budget in BUDGETS})
    shares_used: list[float] = field(default_factory=list)  # share of FULL characters
    complete: list[bool] = field(default_factory=list)  # every selected item is shown whole
    with_related_s: list[float] = field(default_factory=list)
    without_related_s: list[float] = field(default_factory=list)
    commits: LocalisationCounts = field(default_factory=LocalisationCounts)
    pack_count: int = 0
    repositories: set[str] = field(default_factory=set)  # that were checked
    faults: list[str] = field(default_factory=list)


def shows(item: Item, target: Target) -> bool:
    """Whether an item shows (a line of) a target; lines that it leaves out do not count."""
    if not covers(Place(item.file, item.start_line, item.end_line, len(item.content)), target):
        return False
    if target.start_line is None or target.end_line is None:
        return True
    left_out = {line for start, end in item.elided for line in range(start, end + 1)}
    lines = range(max(item.start_line, target.start_line), min(item.end_line, target.end_line) + 1)
    return any(line not in left_out for line in lines)


def recall(items: Iterable[Item], targets: Sequence[Target]) -> float:
    shown = list(items)
    return sum(any(shows(item, target) for item in shown) for target in targets) / len(targets)


def first_come(places: Iterable[Place], budget_chars: int) -> list[Place]:
    """The places that fit, in order; each costs its content and the flat charge of an item."""
    selection: list[Place] = []
    for place in places:
        if place.chars + ITEM_CHARS <= budget_chars:
            budget_chars -= place.chars + ITEM_CHARS
            selection.append(place)
    return selection


def faults(pack: Pack, root: Path) -> list[str]:
    """The faults of a pack: repeated or overlapping items, an exceeded budget, lines that differ from the file's."""
    cost = sum(len(i.content.encode()) + sum(len(s.encode()) + 1 for s in i.imports) + ITEM_CHARS for i in pack.items)
    problems = []
    if not cost == pack.budget.used_chars <= pack.budget.max_chars:
        problems.append(f"costs {cost}, says {pack.budget.used_chars} of {pack.budget.max_chars}")
    owners: dict[tuple[str, int], str] = {}
    for item in pack.items:
        for line in range(item.start_line, item.end_line + 1):
            other = owners.setdefault((item.file, line), item.id)
            if other != item.id:
                problems.append(f"{item.id} overlaps {other}")
                break
        if not resolves(item, root):
            problems.append(f"{item.id} is not what the file holds")
    if len({item.id for item in pack.items}) < len(pack.items):
        problems.append("an item comes twice")
    return problems


def resolves(item: Item, root: Path) -> bool:
    """Whether the item's text is its lines of the file, with one mark for each omitted range.

    A chunk of a long line may begin or end within it, and a secret is not shown.
    """
    from chunker.parse.decoding import decode

    text = decode((root / item.file).read_bytes()) or ""
    lines = text.split("\n")[item.start_line - 1 : item.end_line]
    code = item.content.removeprefix("\n".join(item.imports)).removeprefix("\n\n" if item.imports else "").split("\n")
    elided = dict(item.elided)
    expected_lines: list[str | None] = []
    line = item.start_line
    while line <= item.end_line:
        expected_lines.append(None if line in elided else lines[line - item.start_line].rstrip("\r"))
        line = elided.get(line, line) + 1
    if len(code) != len(expected_lines):
        return False
    return all(
        " left out" in shown
        if text is None
        else shown.rstrip("\r") == text or "[REDACTED:" in shown or (at in (0, len(code) - 1) and shown in text)
        for at, (shown, text) in enumerate(zip(code, expected_lines, strict=True))
    )


def measure(repository: Repository, session: Session, done: PackMeasures) -> None:
    """Recall, use, time and integrity for a repository's questions."""
    for question in repository.questions:
        for budget in BUDGETS:
            pack = pack_within(session, question.query, max_chars=budget)
            done.ours[budget].append(recall(pack.items if pack else (), question.targets))
        began = time.perf_counter()
        full = pack_within(session, question.query, max_chars=FULL)
        between = time.perf_counter()
        pack_within(session, question.query, max_chars=FULL, related=0)
        done.with_related_s.append(between - began)
        done.without_related_s.append(time.perf_counter() - between)
        if full is None or not full.items:
            continue
        done.shares_used.append(full.budget.used_chars / FULL)
        done.complete.append(not full.budget.truncated)
        if done.pack_count < CHECKED_QUERIES * (len(done.repositories | {repository.name})) / CHECKED_REPOSITORIES:
            done.pack_count += 1
            done.repositories.add(repository.name)
            done.faults += [f"{repository.name}: {question.query}: {fault}" for fault in faults(full, repository.root)]


def pack_within(session: Session, query: str, **options: Any) -> Pack | None:
    """The pack; None if nothing fits."""
    try:
        return session.query(query, **options).data
    except BudgetTooSmall:
        return None


def measure_peer(repository: Repository, peer: Peer, done: PackMeasures) -> None:
    peer.index(repository.root)
    for question in repository.questions:
        places = peer.search(question.query).deep
        for budget in BUDGETS:
            selection = first_come(places, budget)
            hits = sum(any(covers(place, target) for place in selection) for target in question.targets)
            done.theirs[budget].append(hits / len(question.targets))


def results(done: PackMeasures) -> dict[str, Any]:
    """The figures by name; seconds as medians over the questions."""
    below = [
        used for used, all_in in zip(done.shares_used, done.complete, strict=True) if used < GOOD_USE and not all_in
    ]
    times = [median(times) for times in (done.with_related_s, done.without_related_s)]
    return {
        "recall": {str(budget): mean_interval(values).mean for budget, values in done.ours.items()},
        "peer_recall": {str(budget): mean_interval(values).mean for budget, values in done.theirs.items() if values},
        "commits": figures(done.commits),
        "used": {
            "mean": mean_interval(done.shares_used).mean,
            "packs": len(done.shares_used),
            "below_although_more": len(below),
        },
        "seconds": {"with_related": times[0], "without_related": times[1], "ratio": times[0] / times[1]},
        "integrity": {"queries": done.pack_count, "repositories": len(done.repositories), "faults": done.faults},
    }


def table(about: dict[str, Any], done: PackMeasures) -> str:
    """The figures as Markdown."""
    data = results(done)
    rows = [
        [f"{budget:,}", f"{mark}", str(mean_interval(done.ours[budget]))]
        + ([str(mean_interval(done.theirs[budget]))] if done.theirs[budget] else [])
        for budget, mark in BUDGETS.items()
    ]
    peer = ["semble, in its order"] if data["peer_recall"] else []
    heads = ["recall within N characters", "mark", "ctxpack", *peer]
    used, seconds, whole = (data[name] for name in ("used", "seconds", "integrity"))
    lines = [
        f"### Packs: {about['questions']} questions over {about['repositories']} repositories", "",
        *report.table(heads, rows), "",
        *summary_lines(done.commits),
        f"- Share used of {FULL:,} characters: mean {used['mean']:.3f}; {used['below_although_more']} of "
        f"{used['packs']} packs use less than {GOOD_USE} although something was left out or cut.",
        f"- Time per question in process: {1000 * seconds['with_related']:.1f} ms; without related items "
        f"{1000 * seconds['without_related']:.1f} ms ({seconds['ratio']:.2f}x).",
        f"- Integrity: {len(whole['faults'])} faults in {whole['queries']} packs of {whole['repositories']} "
        "repositories (an item twice, overlapping items, over budget, lines that are not the file's).", "",
        f"Commit {about['commit']}; {about['machine']}; `{about['command']}`.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def run(suite: Suite, commits: Suite | None, peer: Peer | None, scratch: Path) -> PackMeasures:
    done = PackMeasures()
    for repository in suite.repositories:
        measure(repository, _open_session(repository, scratch), done)
        if peer:
            measure_peer(repository, peer, done)
    for repository in commits.repositories if commits else ():
        if peer:
            peer.index(repository.root)
        localise(repository, _open_session(repository, scratch), peer, done.commits)
    return done


def _open_session(repository: Repository, scratch: Path) -> Session:
    index = open_index(repository.root, home=scratch / repository.name, model="embedded")
    return Session(index, Layer({"model": "embedded"}))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, help="folder that holds the suite's trees by name")
    parser.add_argument(
        "--commits", type=Path, help="a document of mined commits, of repositories that nothing was trained on"
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these repositories alone")
    parser.add_argument("--peer-python", type=Path)
    parser.add_argument("--peer-model", type=Path)
    parser.add_argument("--out", type=Path, help="JSON")
    parser.add_argument("--table", type=Path, help="Markdown")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    options = parser.parse_args(arguments)
    suite = load_suite(options.suite, options.corpora).only(names=options.only)
    commits = load_suite(options.commits) if options.commits else None
    with ExitStack() as stack:
        peer = (
            stack.enter_context(engines.peer(options.peer_python, options.peer_model)) if options.peer_python else None
        )
        done = run(suite, commits, peer, Path(stack.enter_context(tempfile.TemporaryDirectory())))
    about = {
        "questions": suite.questions, "repositories": len(suite.repositories), "commit": machine.commit(),
        "machine": machine.machine(), "command": machine.command("benchmarks.pack", arguments),
    }  # fmt: skip
    text = table(about, done)
    print(text)
    if options.table:
        options.table.write_text(text, encoding="utf-8")
    if options.write:
        pages.publish(options.write, text)
    if options.out:
        document = {"about": about, **results(done)}
        options.out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
