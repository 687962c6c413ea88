"""How well search finds pages of prose: the searcher of `ctxpack pages`, compared with the index for code.

    python -m benchmarks.research.prose FOLDER... [--questions 500] [--out RESULT.json]

Every section of 40 words or more in the Markdown files below the folders becomes a page without its heading. The
heading is the question, its page the answer. A heading that occurs twice is not used.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import machine

MIN_WORDS = 40
_HEADING = re.compile(r"(?m)^#{1,4} +([^\n]{4,80})\n")
_MARKS = re.compile(r"[`*_\[\]()#]")


def sections(folders: Sequence[Path]) -> list[tuple[str, str]]:
    """(heading, text) of the sections whose heading is unique and has two words, by path."""
    rows: list[tuple[str, str]] = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.md") if path.is_file()):
        parts = _HEADING.split(path.read_text("utf-8", "replace"))
        pairs = (
            (_MARKS.sub(" ", heading).strip(), text) for heading, text in zip(parts[1::2], parts[2::2], strict=True)
        )
        rows += [(one, text) for one, text in pairs if len(text.split()) >= MIN_WORDS and len(one.split()) >= 2]
    counts = Counter(heading.lower() for heading, _ in rows)
    return [(heading, text) for heading, text in rows if counts[heading.lower()] == 1]


def write_vault(root: Path, pages: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Write the vault; return (question, path of the answer) of each page."""
    (root / "wiki").mkdir(parents=True)
    questions = []
    for number, (heading, text) in enumerate(pages):
        path = f"wiki/p{number:05}.md"
        (root / path).write_text(text, "utf-8")
        questions.append((heading, path))
    return questions


def by_pages(root: Path) -> Callable[[str], list[str]]:
    from context_pack.kinds.pages.searcher import best_pages
    from context_pack.kinds.pages.vault import read_vault

    vault = read_vault(root)
    paths = {page.path for page in vault.pages}
    return lambda question: best_pages(vault, question, 10, paths)[0]


def by_index(root: Path) -> Callable[[str], list[str]]:
    from index import open_index

    index = open_index(root, model="embedded")
    return lambda question: list(
        dict.fromkeys(index.chunk(hit.chunk).file for hit in index.search(question, top_k=48))
    )[:10]


def measure(find: Callable[[str], list[str]], questions: Sequence[tuple[str, str]]) -> dict[str, float]:
    """MRR and hit@1/3/10."""
    ranks = []
    for question, path in questions:
        paths = find(question)
        ranks.append(paths.index(path) + 1 if path in paths else 0)
    hits = {f"hit@{k}": sum(0 < rank <= k for rank in ranks) for k in (1, 3, 10)}
    total = {"mrr": sum(1 / rank for rank in ranks if rank), **hits}
    return {name: round(value / len(ranks), 3) for name, value in total.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    pages = sections(options.folders)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "vault"
        questions = write_vault(root, pages)
        sample = random.Random(1).sample(questions, min(options.questions, len(questions)))
        rows = {name: measure(make(root), sample) for name, make in (("pages", by_pages), ("index", by_index))}
    print(f"{len(pages)} pages, {len(sample)} questions; commit {machine.commit()}\n")
    print("| searcher | MRR | hit@1 | hit@3 | hit@10 |\n|---|---:|---:|---:|---:|")
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in row.values()) + " |")
    if options.out:
        result = {"pages": len(pages), "questions": len(sample), "commit": machine.commit(), "rows": rows}
        options.out.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
