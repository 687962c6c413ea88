"""How good a fleet's answers are: `python -m benchmarks.fleet.questions --fleet URI --suite SUITE [--corpora TREES]`.

The repositories of the store have the names of the suite's. Each question is asked three times: of all repositories
(NDCG@10, where a place of another repository is wrong; whether the right one is searched), of the right one alone
through the fleet, and of its local tree: the last two must be equal, byte for byte. With `--one TREE`, a folder that
contains all trees is asked as one corpus, for comparison; its paths start with the repository's name.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from benchmarks.metrics import Place, first_ranks, ndcg
from benchmarks.report import percentile
from benchmarks.suites import Question, load_suite
from context_pack.envelope import encoded
from context_pack.fleet.questions import OWNER, ask
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.records import as_data
from index import Index, build_index
from index.fleet.fleet import Fleet

TOP = 10


def gain(places: Sequence[tuple[str, int, int]], question: Question) -> float:
    """NDCG@10 of places whose paths start with their repository's name."""
    prefix = f"{question.repository}/"
    shown = [
        Place(file.removeprefix(prefix) if file.startswith(prefix) else f"\0{rank}", start, end, 0)
        for rank, (file, start, end) in enumerate(places)
    ]
    return ndcg(first_ranks(shown, question.targets))


def of_fleet(fleet: Fleet, question: Question) -> list[tuple[str, int, int]]:
    _, answer = ask(fleet, "search", question.query, OWNER, top_k=TOP)
    return [(hit.file, hit.start_line, hit.end_line) for hit in answer.data.hits]


def of_one(index: Index, question: Question) -> list[tuple[str, int, int]]:
    rows = [index.chunk(hit.chunk) for hit in index.search(question.query, top_k=TOP)]
    return [(row.file, row.start_line, row.end_line) for row in rows]


def equal(fleet: Fleet, local: Session, question: Question) -> bool:
    """Whether the pack of the right repository alone equals that of its tree."""
    _, answer = ask(fleet, "query", question.query, OWNER, [question.repository])
    return encoded(as_data(answer.data)) == encoded(as_data(local.query(question.query).data))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fleet", required=True)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--one", type=Path, help="a folder that holds all trees by name")
    parser.add_argument("--homes", type=Path, help="where the trees' own indexes are kept")
    options = parser.parse_args()
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    suite = load_suite(options.suite, options.corpora)
    fleet = Fleet(options.fleet)
    fleet.prewarm()
    repositories = fleet.repositories(owner=True)
    homes = options.homes or Path(tempfile.mkdtemp())
    gains: list[float] = []
    right: list[bool] = []
    same: list[bool] = []
    choice_ms: list[float] = []
    for repository in suite.repositories:
        index = build_index(repository.root, home=homes / repository.name, model="embedded")
        local = Session(index, Layer({"model": "embedded"}))
        for question in repository.questions:
            began = time.perf_counter()
            candidates = fleet.choose(question.query, repositories)
            choice_ms.append(1000 * (time.perf_counter() - began))
            right.append(repository.name in {one.name for one in candidates})
            gains.append(gain(of_fleet(fleet, question), question))
            same.append(equal(fleet, local, question))
        print(f"{repository.name}: {mean(gains[-len(repository.questions) :]):.3f}", file=sys.stderr)
    whole_ms: list[float] = []
    for question in [one for repository in suite.repositories for one in repository.questions][::4]:
        began = time.perf_counter()
        ask(fleet, "query", question.query)
        whole_ms.append(1000 * (time.perf_counter() - began))
    print(f"{len(repositories)} repositories, {len(gains)} questions")
    print(f"NDCG@10 {mean(gains):.4f}; right repository@16 {mean(right):.4f}; equal to the local pack {sum(same)}")
    print(f"choice ms p50 {percentile(sorted(choice_ms), 50):.1f}, p99 {percentile(sorted(choice_ms), 99):.1f}")
    print(f"whole pack ms p50 {percentile(sorted(whole_ms), 50):.0f}, p99 {percentile(sorted(whole_ms), 99):.0f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
    if options.one:
        one = build_index(options.one, home=homes / "one-corpus", model="embedded")
        values = [
            gain(of_one(one, question), question)
            for repository in suite.repositories
            for question in repository.questions
        ]
        print(f"one corpus of all trees: {one.chunks:,} chunks, NDCG@10 {mean(values):.4f}")


if __name__ == "__main__":
    main()
