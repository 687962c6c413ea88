"""A fleet under many commits: `python -m benchmarks.fleet.cycles TREE --fleet FOLDER [--cycles N] --suite SUITE
--corpora TREES`.

In a copy of the tree, one file after the other gets a new function. After each edit the index is refreshed, the rows
are written, and a reader searches until it finds the new name. The edits go to a copy of the store; at the end the
original and the copy answer the questions in turn.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.report import percentile
from benchmarks.suites import load_suite
from index import build_index
from index.fleet.fleet import Fleet
from index.fleet.tables import FleetTables, rows_of
from index.search.query import parse_query

STRIDE = 7  # files from one edit to the next
ROUNDS = 3


def sizes(store: Path) -> dict[str, int]:
    return {str(path): path.stat().st_size for path in store.rglob("*") if path.is_file()}


def choice_times(fleet: Fleet, questions: list[str]) -> list[float]:
    """Milliseconds of each choice."""
    repositories, spent = fleet.repositories(owner=True), []
    for question in questions:
        began = time.perf_counter()
        fleet.choose(question, repositories)
        spent.append(1000 * (time.perf_counter() - began))
    return spent


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--fleet", type=Path, required=True)
    parser.add_argument("--suffix", default=".py", help="of the files that are edited")
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    scratch = Path(tempfile.mkdtemp())
    store, tree = scratch / "store", scratch / options.tree.name
    shutil.copytree(options.fleet, store)
    shutil.copytree(options.tree, tree, ignore=shutil.ignore_patterns(".git"))
    questions = [
        one.query for entry in load_suite(options.suite, options.corpora).repositories for one in entry.questions
    ]
    files = sorted(tree.rglob(f"*{options.suffix}"))
    fleet, tables = Fleet(str(store), scratch / "home"), FleetTables(str(store))
    fleet.prewarm()
    snapshot = build_index(tree, home=scratch / "index", model="embedded").snapshot
    tables.put([rows_of(options.tree.name, "f" * 40, snapshot)])  # in case the store has another state of it
    seconds, written_bytes = [], []
    for cycle in range(options.cycles):
        file = files[cycle * STRIDE % len(files)]
        file.write_text(file.read_text() + f"\n\ndef edited_in_cycle_{cycle}():\n    return {cycle}\n")
        there, began = sizes(store), time.perf_counter()
        snapshot = build_index(tree, home=scratch / "index", model="embedded").snapshot
        tables.put([rows_of(options.tree.name, f"{cycle:040x}", snapshot)])
        fleet.refresh()
        name = f"edited_in_cycle_{cycle}"
        assert len(fleet._table("chunks.lance").by_words(parse_query(name).terms, 10)[0]), "the edit is not found"
        seconds.append(time.perf_counter() - began)
        now = sizes(store)
        written_bytes.append(sum(size for path, size in now.items() if path not in there))
    original = Fleet(str(options.fleet), scratch / "untouched")
    original.prewarm()
    rounds = [(choice_times(original, questions), choice_times(fleet, questions)) for _ in range(ROUNDS + 1)][1:]
    table = fleet._table("chunks.lance")._table
    fragments, parts = len(table.get_fragments()), max(len(index.segments) for index in table.describe_indices())
    print(f"{options.cycles} cycles of {options.tree.name}, {snapshot.manifest.about['chunks']:,} chunks")
    print(f"{fragments} fragments, {parts} parts of an index")
    print(f"visible after {median(seconds):.2f} s, at most {max(seconds):.1f} s")
    print(f"written a cycle: {median(written_bytes) / 1e6:.2f} MB, at most {max(written_bytes) / 1e6:.2f} MB")
    for place, name in enumerate(("before", "after")):
        spent = sorted(value for one in rounds for value in one[place])
        print(f"choice {name}: p50 {percentile(spent, 50):.1f} ms, p99 {percentile(spent, 99):.1f} ms")
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
