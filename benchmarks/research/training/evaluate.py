"""Dense-only NDCG@10 of a static model on the public suite: chunks ranked by cosine, nothing else.

    python -m benchmarks.research.training.evaluate CORPORA SUITE [--weights FOLDER] [--against FOLDER]

Prints a line for documents without and with their path, and for questions without and with the corpus's idf; each once
over chunks, as the suite's harness counts (a second chunk of a file wastes a place), and once over files, by their best
chunk. Settings are chosen on `development.py`; `results/signals.md` has the results of this measure.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

import numpy as np

from benchmarks.embedded_texts import embed_texts
from benchmarks.research.training.mirrors import LANGUAGES
from index.embed.static import WEIGHTS, StaticEmbedder
from index.segment.columns import Array
from index.text import terms_of_text

WINDOW_CHARS = 750  # the peer's chunks: 90 % are below 771 characters
TOP = 10
REPOSITORY = "repository:"


@dataclass(frozen=True, slots=True)
class Window:
    file: str
    start: int
    end: int
    text: str


def windows(root: Path) -> list[Window]:
    """The code files of a tree in runs of whole lines, cut at blank lines where possible."""
    result = []
    for file in sorted(path for path in root.rglob("*") if path.suffix in LANGUAGES and path.is_file()):
        lines = file.read_text("utf-8", "replace").split("\n")
        start = size = 0
        for number, line in enumerate(lines):
            full = size + len(line) > WINDOW_CHARS or (size > WINDOW_CHARS * 0.6 and not line.strip())
            if full and number > start:
                result.append(_window(root, file, lines, start, number))
                start, size = number, 0
            size += len(line) + 1
        result.append(_window(root, file, lines, start, len(lines)))
    return [window for window in result if window.text.strip()]


def _window(root: Path, file: Path, lines: list[str], start: int, end: int) -> Window:
    return Window(file.relative_to(root).as_posix(), start + 1, end, "\n".join(lines[start:end]))


def covers(window: Window, target: dict[str, object]) -> bool:
    """The suite's rule: the same path by suffix, and overlapping lines where the target has lines."""
    target_path = str(target["path"])
    if not (
        window.file == target_path or window.file.endswith("/" + target_path) or target_path.endswith("/" + window.file)
    ):
        return False
    first, last = target.get("start_line"), target.get("end_line")
    return first is None or last is None or not (window.end < int(str(first)) or window.start > int(str(last)))


def ndcg(order: Sequence[Window], targets: Sequence[dict[str, object]]) -> float:
    gains = [0] * TOP
    for target in targets:
        place = next((number for number, window in enumerate(order[:TOP]) if covers(window, target)), None)
        if place is not None:
            gains[place] = 1
    ideal = sum(1 / math.log2(place + 2) for place in range(min(TOP, len(targets))))
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) / ideal if ideal else 0.0


def questions(annotations: Path) -> list[tuple[str, list[dict[str, object]], str]]:
    rows = []
    for item in json.loads(annotations.read_text()):
        targets = [
            each if isinstance(each, dict) else {"path": each}
            for each in item.get("relevant", []) + item.get("secondary", [])
        ]
        query = item["query"]
        kind = (
            "symbol" if " " not in query.strip() else "architecture" if query.lower().startswith("how ") else "semantic"
        )
        rows.append((query, targets, item.get("category") or kind))
    return rows


def evaluate(
    embedder: StaticEmbedder, corpora: Path, suite: Path, *, with_path: bool, with_idf: bool, by_file: bool
) -> dict[str, list[float]]:
    """NDCG@10 of every question by category, and by repository under `repository:NAME`."""
    scores: dict[str, list[float]] = {}
    for repository in json.loads((suite / "repos.json").read_text()):
        root = corpora / repository["name"] / (repository.get("benchmark_root") or "")
        if not root.is_dir():
            continue
        chunks = windows(root)
        texts = [f"{window.file if with_path else ''}\n{window.text}" for window in chunks]
        documents = embed_texts(embedder, texts)
        idf = _idf(chunks) if with_idf else None
        for query, targets, category in questions(suite / "annotations" / f"{repository['name']}.json"):
            similar = documents @ embedder.embed_query(query, idf)
            order = (chunks[number] for number in np.argsort(-similar, kind="stable"))
            best = list(islice(_first_of_files(order) if by_file else order, TOP))
            value = ndcg(best, targets)
            for group in (category, f"{REPOSITORY}{repository['name']}"):
                scores.setdefault(group, []).append(value)
    return scores


def _first_of_files(order: Iterable[Window]) -> Iterator[Window]:
    files: set[str] = set()
    for window in order:
        if window.file not in files:
            files.add(window.file)
            yield window


def _idf(chunks: Sequence[Window]) -> Callable[[Sequence[str]], Array]:
    frequency = Counter(term for window in chunks for term in set(terms_of_text(window.text)))
    return lambda terms: np.log(1 + len(chunks) / (np.array([frequency[term] for term in terms]) + 0.5))


def every_value(scores: dict[str, list[float]]) -> list[float]:
    return [value for name, values in scores.items() if name.startswith(REPOSITORY) for value in values]


def paired_interval(ours: dict[str, list[float]], theirs: dict[str, list[float]]) -> tuple[float, float, float]:
    """The mean difference, and its 95 % interval by resampling whole repositories (10,000 draws, seed 0)."""
    names = [name for name in ours if name.startswith(REPOSITORY)]
    sums = np.array([sum(ours[name]) - sum(theirs[name]) for name in names])
    counts = np.array([len(ours[name]) for name in names])
    draws = np.random.default_rng(0).integers(len(names), size=(10_000, len(names)))
    means = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    return float(sums.sum() / counts.sum()), *(float(end) for end in np.quantile(means, (0.025, 0.975)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--against", type=Path, help="weights to compare with, question by question")
    args = parser.parse_args()
    for by_file, with_path, with_idf in product((False, True), repeat=3):
        ask = dict(with_path=with_path, with_idf=with_idf, by_file=by_file)
        scores = evaluate(StaticEmbedder.load(args.weights), args.corpora, args.suite, **ask)
        every = every_value(scores)
        kinds = sorted(name for name in scores if not name.startswith(REPOSITORY))
        parts = "  ".join(f"{name} {np.mean(scores[name]):.3f} ({len(scores[name])})" for name in kinds)
        label = f"{'files' if by_file else 'chunks'}{', path' if with_path else ''}{', idf' if with_idf else ''}"
        print(f"{label:17} NDCG@10 {np.mean(every):.4f} ({len(every)})  {parts}", flush=True)
        if args.against:
            other = evaluate(StaticEmbedder.load(args.against), args.corpora, args.suite, **ask)
            print("{:17} {:+.4f} [{:+.4f}, {:+.4f}]".format("difference", *paired_interval(scores, other)))


if __name__ == "__main__":
    main()
