"""Write the trees that our own explore questions are about, each at its commit, from git mirrors.

    python -m benchmarks.explore.trees DEST --mirrors DIR [--split learn ...]

A mirror is DIR/OWNER+NAME/repo, bare or with a work tree; the tree goes to DEST/NAME unless that exists. Nothing is
fetched or executed; binary and huge files, and objects that a partial mirror lacks, are left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.explore.collect import QUESTIONS, SPLITS
from benchmarks.explore.suite import name_of, question_files
from benchmarks.trees import git_dir_of
from context_pack.benchmark.history import write_tree


def write_trees(dest: Path, mirrors: Path, splits: Sequence[str], questions: Path = QUESTIONS) -> Iterator[str]:
    """Write the trees that `dest` lacks; yields a sentence for each repository that was written or could not be."""
    for split in splits:
        for path in question_files(questions / split):
            document = json.loads(path.read_text("utf-8"))
            name, slug = name_of(document), document["repository"]
            if (dest / name).is_dir():
                continue
            git_dir = git_dir_of(mirrors / slug.replace("/", "+") / "repo")
            files = write_tree(git_dir, document["commit"], dest / name) if git_dir.is_dir() else set()
            yield f"{name}: {len(files)} files" if files else f"{name}: no mirror of {slug} has its commit"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=Path)
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--split", nargs="+", choices=SPLITS, default=list(SPLITS))
    options = parser.parse_args(arguments)
    for message in write_trees(options.dest, options.mirrors, options.split):
        print(message)


if __name__ == "__main__":
    main()
