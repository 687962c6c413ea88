"""Check new question documents and file them by split: one document per repository, one line per question.

    python -m benchmarks.explore.collect FOLDER --splits SPLITS.json [--trees TREES]

SPLITS maps the names of SPLITS below to lists of OWNER/NAME. Languages get the names of chunker/languages.py. With
`--trees`, every range must be inside its file. Questions are never printed: those of the unread splits are asked once.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.explore.suite import faults, name_of, question_files

QUESTIONS = Path(__file__).parent / "questions"
SPLITS = ("learn", "choose", "unread", "unread-2", "topics", "unread-topics")
HELD_OUT_SPLITS = SPLITS[1:]  # no ranker is trained on these, so the shipped ranker may answer them
_ALIASES = {"c++": "cpp", "c#": "csharp", "shell": "bash"}


def collect(folder: Path, splits: Mapping[str, Sequence[str]], dest: Path, trees: Path | None) -> dict[str, int]:
    """File every document of the folder below `dest`/SPLIT; returns the number of documents by split.

    ValueError with all faults of the first faulty document, and for a repository that is in no split.
    """
    split_of = {repository: split for split in SPLITS for repository in splits.get(split, ())}
    counts = dict.fromkeys(SPLITS, 0)
    for path in question_files(folder):
        document = json.loads(path.read_text("utf-8"))
        document["language"] = _ALIASES.get(document["language"].lower(), document["language"].lower())
        problems = faults(document, trees and trees / name_of(document))
        split = split_of.get(document["repository"])
        if split is None:
            problems.append("its repository is in no split")
        if problems or split is None:
            raise ValueError("\n".join(f"{path.name}: {fault}" for fault in problems))
        target = dest / split / f"{name_of(document)}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(document_text(document), encoding="utf-8")
        counts[split] += 1
    return counts


def document_text(document: Mapping[str, Any]) -> str:
    """A document as text: a line for the repository, then one for each question."""
    about = {name: value for name, value in document.items() if name != "questions"}
    head = json.dumps(about, ensure_ascii=False, sort_keys=True)[:-1]
    rows = ",\n".join(json.dumps(question, ensure_ascii=False) for question in document["questions"])
    return f'{head}, "questions": [\n{rows}\n]}}\n'


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", type=Path, required=True)
    parser.add_argument("--trees", type=Path)
    parser.add_argument("--dest", type=Path, default=QUESTIONS)
    options = parser.parse_args(arguments)
    try:
        print(collect(options.folder, json.loads(options.splits.read_text("utf-8")), options.dest, options.trees))
    except ValueError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
