"""Query lines copied from a repository, and count how many of them the packs show.

    python -m benchmarks.research.line_copies TREES [TREES ...] [--each 12] [--lines 1 4 8] [--write NAME]

TREES is a folder of repositories. A copy is a run of lines from code files, without tests and documents; it may contain
comments and licenses. Packs have 4,000 characters.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import machine, pages, report
from benchmarks.intervals import repository_interval
from context_pack.benchmark.measures import Line, lines_shown
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from index import Index, open_index

BUDGET = 4_000
TRIES = 40  # random places for each copy that is wanted
MIN_FILE, MIN_LINE, USUAL_LINE = 30, 8, 20  # lines of a file; characters of each line, and on average
Shares = dict[str, list[float]]  # by repository, one per copy


def run(trees: Sequence[Path], each: int, counts: Sequence[int], scratch: Path) -> dict[int, tuple[Shares, Shares]]:
    """Lines of a copy -> the share of them in the pack, and in its first item."""
    shares: dict[int, tuple[Shares, Shares]] = {count: ({}, {}) for count in counts}
    for root in sorted(path for folder in trees for path in folder.iterdir() if path.is_dir()):
        index = open_index(root, home=scratch / root.name, model="embedded")
        session = Session(index, Layer({"model": "embedded"}))
        for count, (inside, first) in shares.items():
            for text, lines in copies(index, root, count, each):
                shown, best = _shown_lines(session, text)
                inside.setdefault(root.name, []).append(len(lines & shown) / count)
                first.setdefault(root.name, []).append(len(lines & best) / count)
    return shares


def copies(index: Index, root: Path, count: int, each: int) -> Iterator[tuple[str, set[Line]]]:
    """Runs of `count` lines with their places; the same runs each time."""
    data, chance = index.collection, random.Random(f"{root.name} {count}")
    demoted = sum(data.static[name] for name in ("test", "aside", "generated", "prose"))
    paths = [path for path, more in zip(data.files.paths, demoted, strict=True) if not more]
    remaining = each
    for _ in range(each * TRIES if paths else 0):
        path = chance.choice(paths)
        lines = (root / path).read_text("utf-8", "replace").split("\n")
        if len(lines) < MIN_FILE:
            continue
        at = chance.randrange(len(lines) - count)
        excerpt = lines[at : at + count]
        if min(len(line.strip()) for line in excerpt) > MIN_LINE and sum(map(len, excerpt)) >= USUAL_LINE * count:
            yield "\n".join(excerpt), {(path, number) for number in range(at + 1, at + count + 1)}
            remaining -= 1
        if not remaining:
            return


def _shown_lines(session: Session, text: str) -> tuple[set[Line], set[Line]]:
    try:
        items = session.query(text, max_chars=BUDGET).data.items
    except BudgetTooSmall:
        return set(), set()
    return lines_shown(items), lines_shown(items[:1])


def table(about: Mapping[str, object], shares: Mapping[int, tuple[Shares, Shares]]) -> str:
    rows = [
        [str(count), str(sum(map(len, inside.values()))), *(str(repository_interval(one)) for one in (inside, first))]
        for count, (inside, first) in shares.items()
    ]
    return "\n".join(
        [
            f"### Copies of lines of {about['repositories']} repositories",
            "",
            *report.table(["lines", "copies", "lines shown", "in the first item"], rows),
            *report.footnote(about),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREES", help="folder of repositories")
    parser.add_argument("--each", type=int, default=12, help="copies of each repository")
    parser.add_argument("--lines", type=int, nargs="+", default=[1, 2, 4, 8], help="lines of a copy")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        shares = run(options.trees, options.each, options.lines, Path(scratch))
    about = {
        "repositories": len(shares[options.lines[0]][0]),
        **machine.about("benchmarks.research.line_copies", arguments),
    }  # fmt: skip
    text = table(about, shares)
    print(text)
    if options.write:
        pages.publish(options.write, text)


if __name__ == "__main__":
    main()
