"""How fast rows are written into a fleet: `python -m benchmarks.fleet.rows TREE... --to URI [--homes FOLDER]`.

Each tree, in git or not, becomes a repository with the name of its folder, or NAME for NAME=TREE. Trees are indexed
first (into `homes`; an index that exists there is used), then their rows are built and written in groups.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from context_pack.fleet.indexing import ROWS_AT_ONCE
from index import build_index
from index.fleet.tables import FleetRows, FleetTables, rows_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+")
    parser.add_argument("--to", required=True)
    parser.add_argument("--homes", type=Path)
    options = parser.parse_args()
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    homes = options.homes or Path(tempfile.mkdtemp())
    roots = {tree.rpartition("=")[0] or Path(tree).name: Path(tree.rpartition("=")[2]) for tree in options.trees}
    began = time.perf_counter()
    indexes = {name: build_index(root, home=homes / name, model="embedded") for name, root in roots.items()}
    indexed_s, began = time.perf_counter() - began, time.perf_counter()
    tables, group = FleetTables(options.to), list[FleetRows]()
    for name, index in indexes.items():
        group.append(rows_of(name, "0" * 40, index.snapshot))
        if sum(one.rows.num_rows for one in group) >= ROWS_AT_ONCE or name == list(indexes)[-1]:
            tables.put(group)
            group = []
    spent = time.perf_counter() - began
    chunks = sum(index.chunks for index in indexes.values())
    print(
        f"{len(indexes)} repositories, {chunks:,} chunks: indexed in {indexed_s:.0f} s, {chunks / indexed_s:,.0f} a s"
    )
    print(f"rows, generations and indexes written in {spent:.0f} s, {chunks / spent:,.0f} rows a s")


if __name__ == "__main__":
    main()
