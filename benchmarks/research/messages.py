"""Query messages as a terminal prints them, and count the packs that begin with the code that builds them.

    python -m benchmarks.research.messages TREES [TREES ...] [--each 40] [--write NAME]

TREES is a folder of repositories. A message is a string literal with placeholders on one line of code outside tests; a
value stands in the place of each placeholder. Literals on more than two lines of code are left out. A pack is right if
one of its first three items shows such a line.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import machine, pages, report
from benchmarks.intervals import repository_interval
from benchmarks.research.keys import COMMENT, code_lines
from context_pack.benchmark.measures import Line, lines_shown
from context_pack.options.resolve import Layer
from context_pack.session import Session
from index import Index, open_index

FIRST = 3  # items, one of which must show the line
BUDGET_CHARS = 8_000
MAX_LINES = 2
WORDS = range(3, 21)  # words of a message outside its placeholders
SEED = 5
VALUES = ("foo", "17", "/srv/a.txt", "Ann Lee", "3f2a", "example.org", "42ms")
_LITERAL = re.compile(r'"([^"\\\n]{18,160})"')
_PLACEHOLDER = re.compile(r"%[+-]?\d*\.?\d*[sdvqwxf@]|%ld|[$#]?\{[^{}]*\}|\$\w+|%\d")
_PROSE = re.compile(r"[\w\s%{}$#().,:!?'/@&+-]*")


def run(trees: Sequence[Path], each: int, scratch: Path) -> tuple[dict[str, list[float]], list[str]]:
    """Repository -> 1.0 for a message that leads to its line, else 0.0; and the messages that do not."""
    outcomes: dict[str, list[float]] = {}
    misses = []
    for root in sorted(path for folder in trees for path in folder.iterdir() if path.is_dir()):
        index = open_index(root, home=scratch / root.name, model="embedded")
        session = Session(index, Layer({"model": "embedded"}))
        for message, lines in list(messages(index, root))[:each]:
            items = session.query(message, max_chars=BUDGET_CHARS).data.items[:FIRST]
            right = bool(lines & lines_shown(items))
            outcomes.setdefault(root.name, []).append(float(right))
            if not right:
                misses.append(f"{root.name}: {message} ({', '.join(f'{file}:{line}' for file, line in sorted(lines))})")
    return outcomes, misses


def messages(index: Index, root: Path) -> Iterator[tuple[str, set[Line]]]:
    """The messages of a repository with their lines, in a pseudo-random order."""
    places: dict[str, set[Line]] = defaultdict(set)
    for path, lines in code_lines(index, root).items():
        for number, line in enumerate(lines, 1):
            if not COMMENT.match(line):
                for literal in _LITERAL.findall(line):
                    places[literal].add((path, number))
    rng = random.Random(f"{SEED} {root.name}")
    for literal in rng.sample(sorted(places), len(places)):
        words = re.findall(r"[A-Za-z]{2,}", _PLACEHOLDER.sub(" ", literal))
        is_message = _PROSE.fullmatch(literal) and _PLACEHOLDER.search(literal) and re.search(r"\w+ \w+ \w+", literal)
        if is_message and len(words) in WORDS and len(places[literal]) <= MAX_LINES:
            yield _PLACEHOLDER.sub(lambda _: rng.choice(VALUES), literal).strip(), places[literal]


def table(about: Mapping[str, object], outcomes: Mapping[str, Sequence[float]]) -> str:
    count = sum(map(len, outcomes.values()))
    right = sum(map(sum, outcomes.values()))
    row = [str(len(outcomes)), str(count), f"{right:.0f}", str(repository_interval(outcomes))]
    return "\n".join(
        [
            *report.table(["repositories", "messages", "right", "share"], [row]),
            *report.footnote(about),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREES", help="folder of repositories")
    parser.add_argument("--each", type=int, default=40, help="messages of each repository")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        outcomes, misses = run(options.trees, options.each, Path(scratch))
    about = machine.about("benchmarks.research.messages", arguments)
    text = table(about, outcomes)
    print(text)
    print(*misses, sep="\n", file=sys.stderr)
    if options.write:
        pages.publish(options.write, text)


if __name__ == "__main__":
    main()
