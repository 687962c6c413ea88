"""What a shared index saves: `python -m benchmarks.fleet.share TREE... [--share URI] [--runs N]`.

Each tree is a git repository and is cloned twice. The first clone publishes its index. For the second one, an index is
built and the published one is fetched, in turn; both must give the same answers.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from index import Index, build_index, open_index

QUESTIONS = ("how is it configured", "parse the input", "an error is raised", "main loop")


def time_build(make: Callable[[], Index]) -> tuple[float, Index]:
    began = time.perf_counter()
    index = make()
    return time.perf_counter() - began, index


def answers(index: Index) -> list[tuple[int, float]]:
    return [(hit.chunk, hit.points) for text in QUESTIONS for hit in index.search(text, top_k=20)]


def table_row(tree: Path, scratch: Path, share: str, runs: int) -> str:
    """A row: tree, chunks, seconds of a built index and of a fetched one, files chunked, whether they answer alike."""
    first, second = scratch / "first", scratch / "second"
    for clone in (first, second):
        subprocess.run(["git", "clone", "-q", str(tree), str(clone)], check=True)
    shared_index = build_index(first, home=scratch / "published", model="embedded", share=share)
    assert shared_index.refreshed is not None and not shared_index.refreshed.notes, shared_index.refreshed
    own_s, fetched_s = [], []
    for run in range(runs):
        seconds, own = time_build(lambda: open_index(second, home=scratch / f"own{run}", model="embedded"))  # noqa: B023
        own_s.append(seconds)
        seconds, fetched = time_build(
            lambda: open_index(second, home=scratch / f"fetched{run}", model="embedded", share=share)  # noqa: B023
        )
        fetched_s.append(seconds)
    news = fetched.refreshed
    assert news is not None
    alike = answers(own) == answers(fetched)
    ours, theirs = median(own_s), median(fetched_s)
    file_count = news.added + news.changed
    return (
        f"| {tree.name} | {own.chunks:,} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.0%} | {file_count} | {alike} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--share", help="a bucket, instead of a folder")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    print("| tree | chunks | own s | fetched s | share | files chunked | same answers |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for tree in options.trees:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "share"
            place.mkdir()
            print(table_row(tree.resolve(), Path(folder), options.share or str(place), options.runs), flush=True)


if __name__ == "__main__":
    main()
