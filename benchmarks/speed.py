"""Time ctxpack and semble in turns on the same trees, and write the table of marks into results/speed.md.

    python -m benchmarks.speed --suite SUITE --corpora TREES --peer-python PYTHON --peer-model MODEL2VEC_FOLDER
        [--runs 5] [--only NAME ...] [--skip PART ...] [--out RESULT.json] [--write]

Every figure is a median over runs in which the two tools take turns, so that the noise is the same for both. Processes
are measured from outside (benchmarks/measure.py). `--write` replaces the table in its page.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from benchmarks import engines, machine, pages, timings
from benchmarks.marks import Row, speed_table
from benchmarks.shell import ctxpack_shell, semble_shell
from benchmarks.suites import Suite, load_suite

PARTS = ("inside", "warm", "cold", "refresh", "large", "embedding")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--peer-python", type=Path, required=True)
    parser.add_argument("--peer-model", type=Path, required=True)
    parser.add_argument("--ctxpack", type=Path, default=Path(sys.executable).with_name("ctxpack"), help="its program")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--skip", nargs="+", default=[], choices=PARTS)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser


def measure(suite: Suite, options: argparse.Namespace, scratch: Path) -> list[Row]:
    """The rows of every part that is not skipped, in order."""
    shells = (ctxpack_shell(options.ctxpack), semble_shell(options.peer_python, options.peer_model))
    rows: list[Row] = []
    with ExitStack() as stack:
        ours = stack.enter_context(engines.ctxpack())
        peers = [
            stack.enter_context(engines.peer(options.peer_python, options.peer_model, workers)) for workers in (None, 4)
        ]
        parts: dict[str, Callable[[], list[Row]]] = {
            "inside": lambda: timings.inside(suite, ours, peers, options.runs),
            "warm": lambda: timings.from_shell(suite, shells, scratch / "warm", options.runs, warm=True),
            "cold": lambda: timings.from_shell(suite, shells, scratch / "cold", options.runs, warm=False),
            "refresh": lambda: timings.refresh(suite, shells, scratch / "refresh", options.runs),
            "large": lambda: timings.large(suite, shells, scratch / "large", options.runs),
            "embedding": lambda: timings.embedding(suite),
        }
        for name, part in parts.items():
            if name not in options.skip:
                print(f"measuring: {name}", file=sys.stderr)
                rows += part()
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    suite = load_suite(options.suite, options.corpora).only(names=options.only)
    with tempfile.TemporaryDirectory() as scratch:
        rows = measure(suite, options, Path(scratch))
    about = {
        "suite": suite.name, "repositories": len(suite.repositories), "runs": options.runs, "commit": machine.commit(),
        "machine": machine.machine(), "command": machine.command("benchmarks.speed", arguments),
    }  # fmt: skip
    table = speed_table(about, rows)
    print(table)
    if options.out:
        document = {"about": about, "rows": [asdict(row) for row in rows]}
        options.out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.write:
        pages.publish("speed", table)


if __name__ == "__main__":
    main()
