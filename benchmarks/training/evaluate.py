"""Dense-only NDCG@10 of a static model on the public suite: chunks ranked by cosine, nothing else.

    python -m benchmarks.training.evaluate CORPORA SUITE [--weights FOLDER]

Prints one line per document text: content alone, and with the path. The dev half is a final check, never a guide.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.training.mirrors import LANGUAGES
from index.embed.static import WEIGHTS, StaticEmbedder

WINDOW_CHARS = 750  # the peer's chunks: 90 % are below 771 characters
TOP = 10


@dataclass(frozen=True, slots=True)
class Window:
    file: str
    start: int
    end: int
    text: str


def windows(root: Path) -> list[Window]:
    """The code files of a tree in runs of whole lines, cut at blank lines where possible."""
    found = []
    for file in sorted(path for path in root.rglob("*") if path.suffix in LANGUAGES and path.is_file()):
        lines = file.read_text("utf-8", "replace").split("\n")
        start = size = 0
        for number, line in enumerate(lines):
            full = size + len(line) > WINDOW_CHARS or (size > WINDOW_CHARS * 0.6 and not line.strip())
            if full and number > start:
                found.append(_window(root, file, lines, start, number))
                start, size = number, 0
            size += len(line) + 1
        found.append(_window(root, file, lines, start, len(lines)))
    return [window for window in found if window.text.strip()]


def _window(root: Path, file: Path, lines: list[str], start: int, end: int) -> Window:
    return Window(file.relative_to(root).as_posix(), start + 1, end, "\n".join(lines[start:end]))


def covers(window: Window, target: dict[str, object]) -> bool:
    """The suite's rule: the same path by suffix, and overlapping lines where the target has lines."""
    wanted = str(target["path"])
    if not (window.file == wanted or window.file.endswith("/" + wanted) or wanted.endswith("/" + window.file)):
        return False
    first, last = target.get("start_line"), target.get("end_line")
    return first is None or last is None or not (window.end < int(str(first)) or window.start > int(str(last)))


def ndcg(ranked: Sequence[Window], targets: Sequence[dict[str, object]]) -> float:
    gains = [0] * TOP
    for target in targets:
        place = next((number for number, window in enumerate(ranked[:TOP]) if covers(window, target)), None)
        if place is not None:
            gains[place] = 1
    ideal = sum(1 / math.log2(place + 2) for place in range(min(TOP, len(targets))))
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) / ideal if ideal else 0.0


def questions(annotations: Path) -> list[tuple[str, list[dict[str, object]], str]]:
    found = []
    for item in json.loads(annotations.read_text()):
        targets = [
            each if isinstance(each, dict) else {"path": each}
            for each in item.get("relevant", []) + item.get("secondary", [])
        ]
        query = item["query"]
        kind = (
            "symbol" if " " not in query.strip() else "architecture" if query.lower().startswith("how ") else "semantic"
        )
        found.append((query, targets, item.get("category") or kind))
    return found


def evaluate(embedder: StaticEmbedder, corpora: Path, suite: Path, *, with_path: bool) -> dict[str, list[float]]:
    """NDCG@10 of every question by category, and by repository under `repository:NAME`."""
    scores: dict[str, list[float]] = {}
    for repository in json.loads((suite / "repos.json").read_text()):
        root = corpora / repository["name"] / (repository.get("benchmark_root") or "")
        if not root.is_dir():
            continue
        chunks = windows(root)
        texts = [f"{window.file if with_path else ''}\n{window.text}" for window in chunks]
        documents = embedder.embed_documents(texts)
        for query, targets, category in questions(suite / "annotations" / f"{repository['name']}.json"):
            similar = documents @ embedder.embed_query(query)
            ranked = [chunks[number] for number in np.argsort(-similar, kind="stable")[:TOP]]
            value = ndcg(ranked, targets)
            for group in (category, f"repository:{repository['name']}"):
                scores.setdefault(group, []).append(value)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    embedder = StaticEmbedder.load(args.weights)
    for with_path in (False, True):
        scores = evaluate(embedder, args.corpora, args.suite, with_path=with_path)
        groups = {name: values for name, values in scores.items() if not name.startswith("repository:")}
        every = [value for values in groups.values() for value in values]
        counts = Counter({name: len(values) for name, values in groups.items()})
        parts = "  ".join(f"{name} {np.mean(groups[name]):.3f} ({counts[name]})" for name in sorted(groups))
        print(f"{'with path' if with_path else 'content':9} NDCG@10 {np.mean(every):.4f} ({len(every)})  {parts}")


if __name__ == "__main__":
    main()
