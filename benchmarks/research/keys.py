"""Query keys, flags and settings that occur in code without a definition, and count their lines in the packs.

    python -m benchmarks.research.keys TREES [TREES ...] [--each 12] [--write NAME]

TREES is a folder of repositories. A key is quoted somewhere in code and, unlike words of prose, has a hyphen, an
underscore or a capital inside. Its lines are the lines of code outside tests that contain it as a whole word; keys with
more than twenty lines are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import machine, pages, report
from benchmarks.intervals import repository_interval
from chunker.languages.table import LANGUAGES
from context_pack.benchmark.measures import Line, lines_shown
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from index import Index, open_index

BUDGETS = (2_000, 6_000, 12_000)
MAX_LINES = 20
LENGTHS = range(5, 41)  # characters of a key
_KEY = re.compile(r"""["'`:]-{0,2}([A-Za-z]\w*(?:[-_]\w+)+|[a-z]+[A-Z]\w+)["'`]""")
COMMENT = re.compile(r"\s*(//|#|\*|--|/\*)")


def run(trees: Sequence[Path], each: int, scratch: Path) -> dict[int, dict[str, list[float]]]:
    """Budget -> repository -> the share of lines shown, one per key; repositories without keys are left out."""
    shares: dict[int, dict[str, list[float]]] = {budget: {} for budget in BUDGETS}
    for root in sorted(path for folder in trees for path in folder.iterdir() if path.is_dir()):
        index = open_index(root, home=scratch / root.name, model="embedded")
        session = Session(index, Layer({"model": "embedded"}))
        for key, lines in list(keys(index, root))[:each]:
            for budget in BUDGETS:
                shown = _shown_lines(session, key, budget)
                shares[budget].setdefault(root.name, []).append(len(lines & shown) / len(lines))
    return shares


def keys(index: Index, root: Path) -> Iterator[tuple[str, set[Line]]]:
    """The keys of a repository with their lines, in a pseudo-random order."""
    texts, files = code_lines(index, root), defaultdict(set)
    for path, lines in texts.items():
        for key in _KEY.findall("\n".join(lines)):
            files[key].add(path)
    for key in sorted(files, key=lambda key: hashlib.sha256(key.encode()).hexdigest()):
        if len(key) not in LENGTHS or index.defined(key):
            continue
        word = re.compile((r"(?<![\w-])" if "-" not in key else r"(?<!\w)") + re.escape(key) + r"(?!\w)")
        lines = {
            (path, number)
            for path, text in texts.items()
            for number, line in enumerate(text, 1)
            if key in line and word.search(line) and not COMMENT.match(line)
        }
        if 0 < len(lines) <= MAX_LINES:
            yield key, lines


def code_lines(index: Index, root: Path) -> dict[str, list[str]]:
    """The lines of each code file that is not a test, an example or generated."""
    data = index.collection
    demoted = sum(data.static[name] for name in ("test", "aside", "generated", "prose"))
    paths = [path for path, more in zip(data.files.paths, demoted, strict=True) if not more]
    symbolic = [path for path in paths if (rules := LANGUAGES.get(index.language(path) or "")) and rules.symbols]
    return {path: (root / path).read_text("utf-8", "replace").split("\n") for path in symbolic}


def _shown_lines(session: Session, key: str, budget_chars: int) -> set[Line]:
    try:
        return lines_shown(session.query(key, max_chars=budget_chars).data.items)
    except BudgetTooSmall:
        return set()


def table(about: Mapping[str, object], shares: Mapping[int, Mapping[str, Sequence[float]]]) -> str:
    rows = [[f"{budget:,}", str(repository_interval(values))] for budget, values in shares.items()]
    return "\n".join(
        [
            f"### {about['keys']} keys of {about['repositories']} repositories",
            "",
            *report.table(["characters", "lines shown"], rows),
            *report.footnote(about),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREES", help="folder of repositories")
    parser.add_argument("--each", type=int, default=12, help="keys of each repository")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        shares = run(options.trees, options.each, Path(scratch))
    values = shares[BUDGETS[0]]
    about = {
        "repositories": len(values), "keys": sum(map(len, values.values())),
        **machine.about("benchmarks.research.keys", arguments),
    }  # fmt: skip
    text = table(about, shares)
    print(text)
    if options.write:
        pages.publish(options.write, text)


if __name__ == "__main__":
    main()
