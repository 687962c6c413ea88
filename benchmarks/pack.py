"""What a pack is worth: recall within a budget, commits through related items, use of the budget, time, integrity.

    python -m benchmarks.pack --suite SUITE [--corpora TREES] [--commits DOCUMENT] [--only NAME ...]
        [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER] [--out RESULT.json] [--table TABLE.md] [--write NAME]

Packs are made with the options that hold when none is given, and cost what contract v1 says: content, imports and 128
characters an item. The peer has no budget: its results go in first come, at the same 128 characters each, and one that
does not fit is passed over. SUITE and DOCUMENT are those of benchmarks/quality.py.
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

from benchmarks import engines, machine, report
from benchmarks.engines import Peer
from benchmarks.intervals import mean_interval
from benchmarks.localisation import Localised, figures, localise, told
from benchmarks.metrics import Place, covers
from benchmarks.suites import Repository, Suite, Target, load_suite
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from contracts.records import Item, Pack
from index import open_index

BUDGETS = {2_000: 0.84, 4_000: 0.92, 8_000: 0.965, 16_000: 0.985}  # characters -> the recall that is asked for
FULL = 20_000
ITEM_CHARS = 128
WELL_USED = 0.85
CHECKED_QUERIES, CHECKED_REPOSITORIES = 200, 10


@dataclass(slots=True)
class Measured:
    """What was measured so far; every list has one entry a question unless it says otherwise."""

    ours: dict[int, list[float]] = field(default_factory=lambda: {budget: [] for budget in BUDGETS})
    theirs: dict[int, list[float]] = field(default_factory=lambda: {budget: [] for budget in BUDGETS})
    used: list[float] = field(default_factory=list)  # share of FULL characters
    exhausted: list[bool] = field(default_factory=list)  # everything that was selected is shown whole
    with_related_s: list[float] = field(default_factory=list)
    without_related_s: list[float] = field(default_factory=list)
    commits: Localised = field(default_factory=Localised)
    checked: int = 0
    repositories: set[str] = field(default_factory=set)  # that were checked
    faults: list[str] = field(default_factory=list)


def shows(item: Item, target: Target) -> bool:
    """Whether an item shows (a line of) a target: what it leaves out does not count."""
    if not covers(Place(item.file, item.start_line, item.end_line, len(item.content)), target):
        return False
    if target.start_line is None or target.end_line is None:
        return True
    left_out = {line for start, end in item.elided for line in range(start, end + 1)}
    wanted = range(max(item.start_line, target.start_line), min(item.end_line, target.end_line) + 1)
    return any(line not in left_out for line in wanted)


def recall(items: Iterable[Item], targets: Sequence[Target]) -> float:
    shown = list(items)
    return sum(any(shows(item, target) for item in shown) for target in targets) / len(targets)


def first_come(places: Iterable[Place], budget_chars: int) -> list[Place]:
    """The places that fit, in their order, each at its content and the flat charge of an item."""
    kept: list[Place] = []
    for place in places:
        if place.chars + ITEM_CHARS <= budget_chars:
            budget_chars -= place.chars + ITEM_CHARS
            kept.append(place)
    return kept


def faults(pack: Pack, root: Path) -> list[str]:
    """What is wrong with a pack: items that come twice or overlap, a budget exceeded, lines that are not the file's."""
    cost = sum(len(i.content.encode()) + sum(len(s.encode()) + 1 for s in i.imports) + ITEM_CHARS for i in pack.items)
    found = []
    if not cost == pack.budget.used_chars <= pack.budget.max_chars:
        found.append(f"costs {cost}, says {pack.budget.used_chars} of {pack.budget.max_chars}")
    taken: dict[tuple[str, int], str] = {}
    for item in pack.items:
        for line in range(item.start_line, item.end_line + 1):
            other = taken.setdefault((item.file, line), item.id)
            if other != item.id:
                found.append(f"{item.id} overlaps {other}")
                break
        if not resolves(item, root):
            found.append(f"{item.id} is not what the file holds")
    if len({item.id for item in pack.items}) < len(pack.items):
        found.append("an item comes twice")
    return found


def resolves(item: Item, root: Path) -> bool:
    """Whether the item's text is its lines of the file, with one mark for each range that is left out.

    A chunk of a long line may begin or end within it, and a secret is not shown.
    """
    from chunker.parse.decoding import decode

    text = decode((root / item.file).read_bytes()) or ""
    lines = text.split("\n")[item.start_line - 1 : item.end_line]
    code = item.content.removeprefix("\n".join(item.imports)).removeprefix("\n\n" if item.imports else "").split("\n")
    elided = dict(item.elided)
    expected: list[str | None] = []
    line = item.start_line
    while line <= item.end_line:
        expected.append(None if line in elided else lines[line - item.start_line].rstrip("\r"))
        line = elided.get(line, line) + 1
    if len(code) != len(expected):
        return False
    return all(
        " left out" in shown
        if text is None
        else shown.rstrip("\r") == text or "[REDACTED:" in shown or (at in (0, len(code) - 1) and shown in text)
        for at, (shown, text) in enumerate(zip(code, expected, strict=True))
    )


def measure(repository: Repository, session: Session, done: Measured) -> None:
    """Recall, use, time and integrity for a repository's questions."""
    for question in repository.questions:
        for budget in BUDGETS:
            pack = packed(session, question.query, max_chars=budget)
            done.ours[budget].append(recall(pack.items if pack else (), question.targets))
        began = time.perf_counter()
        full = packed(session, question.query, max_chars=FULL)
        between = time.perf_counter()
        packed(session, question.query, max_chars=FULL, related=0)
        done.with_related_s.append(between - began)
        done.without_related_s.append(time.perf_counter() - between)
        if full is None or not full.items:
            continue
        done.used.append(full.budget.used_chars / FULL)
        done.exhausted.append(not full.budget.truncated)
        if done.checked < CHECKED_QUERIES * (len(done.repositories | {repository.name})) / CHECKED_REPOSITORIES:
            done.checked += 1
            done.repositories.add(repository.name)
            done.faults += [f"{repository.name}: {question.query}: {fault}" for fault in faults(full, repository.root)]


def packed(session: Session, query: str, **options: Any) -> Pack | None:
    """The pack; None where nothing fits."""
    try:
        return session.query(query, **options).data
    except BudgetTooSmall:
        return None


def measure_peer(repository: Repository, peer: Peer, done: Measured) -> None:
    peer.index(repository.root)
    for question in repository.questions:
        places = peer.search(question.query).deep
        for budget in BUDGETS:
            kept = first_come(places, budget)
            found = sum(any(covers(place, target) for place in kept) for target in question.targets)
            done.theirs[budget].append(found / len(question.targets))


def results(done: Measured) -> dict[str, Any]:
    """The figures by name; seconds as medians over the questions."""
    below = [used for used, all_in in zip(done.used, done.exhausted, strict=True) if used < WELL_USED and not all_in]
    times = [median(times) for times in (done.with_related_s, done.without_related_s)]
    return {
        "recall": {str(budget): mean_interval(values).mean for budget, values in done.ours.items()},
        "peer_recall": {str(budget): mean_interval(values).mean for budget, values in done.theirs.items() if values},
        "commits": figures(done.commits),
        "used": {"mean": mean_interval(done.used).mean, "packs": len(done.used), "below_although_more": len(below)},
        "seconds": {"with_related": times[0], "without_related": times[1], "ratio": times[0] / times[1]},
        "integrity": {"queries": done.checked, "repositories": len(done.repositories), "faults": done.faults},
    }


def table(about: dict[str, Any], done: Measured) -> str:
    """The figures as Markdown."""
    found = results(done)
    rows = [
        [f"{budget:,}", f"{mark}", str(mean_interval(done.ours[budget]))]
        + ([str(mean_interval(done.theirs[budget]))] if done.theirs[budget] else [])
        for budget, mark in BUDGETS.items()
    ]
    heads = ["recall within N characters", "mark", "ctxpack", *(["semble, first come"] if found["peer_recall"] else [])]
    used, seconds, whole = (found[name] for name in ("used", "seconds", "integrity"))
    lines = [
        f"### Packs: {about['questions']} questions over {about['repositories']} repositories", "",
        *report.table(heads, rows), "",
        *told(done.commits),
        f"- Use of {FULL:,} characters: mean {used['mean']:.3f}; {used['below_although_more']} of {used['packs']} "
        f"packs use less than {WELL_USED} of it although something was left out or cut.",
        f"- Time of a question in process: {1000 * seconds['with_related']:.1f} ms, without related items "
        f"{1000 * seconds['without_related']:.1f} ms ({seconds['ratio']:.2f}x).",
        f"- Integrity: {len(whole['faults'])} faults in {whole['queries']} packs of {whole['repositories']} "
        "repositories (twice, overlapping, over budget, not the file's lines).", "",
        f"Commit {about['commit']}; {about['machine']}; `{about['command']}`.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def run(suite: Suite, commits: Suite | None, peer: Peer | None, scratch: Path) -> Measured:
    done = Measured()
    for repository in suite.repositories:
        measure(repository, _opened(repository, scratch), done)
        if peer:
            measure_peer(repository, peer, done)
    for repository in commits.repositories if commits else ():
        if peer:
            peer.index(repository.root)
        localise(repository, _opened(repository, scratch), peer, done.commits)
    return done


def _opened(repository: Repository, scratch: Path) -> Session:
    index = open_index(repository.root, home=scratch / repository.name, model="embedded")
    return Session(index, Layer({"model": "embedded"}))


def main(arguments: Sequence[str] | None = None) -> None:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--suite", type=Path, required=True)
    made.add_argument("--corpora", type=Path, help="folder that holds the suite's trees by name")
    made.add_argument(
        "--commits", type=Path, help="a document of mined commits, of repositories that nothing was trained on"
    )
    made.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these repositories alone")
    made.add_argument("--peer-python", type=Path)
    made.add_argument("--peer-model", type=Path)
    made.add_argument("--out", type=Path, help="JSON")
    made.add_argument("--table", type=Path, help="Markdown")
    made.add_argument("--write", metavar="NAME", help="put the table at this place of benchmarks/README.md")
    chosen = made.parse_args(arguments)
    suite = load_suite(chosen.suite, chosen.corpora).only(names=chosen.only)
    commits = load_suite(chosen.commits) if chosen.commits else None
    with ExitStack() as opened:
        peer = opened.enter_context(engines.peer(chosen.peer_python, chosen.peer_model)) if chosen.peer_python else None
        done = run(suite, commits, peer, Path(opened.enter_context(tempfile.TemporaryDirectory())))
    about = {
        "questions": suite.questions, "repositories": len(suite.repositories), "commit": machine.commit(),
        "machine": machine.machine(), "command": machine.command("benchmarks.pack", arguments),
    }  # fmt: skip
    text = table(about, done)
    print(text)
    if chosen.table:
        chosen.table.write_text(text, encoding="utf-8")
    if chosen.write:
        report.replace_between(Path(__file__).with_name("README.md"), chosen.write, text)
    if chosen.out:
        held = {"about": about, **results(done)}
        chosen.out.write_text(json.dumps(held, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
