"""Query names whose definitions Universal Ctags finds, and misspelt names; count the right packs and suggestions.

    python -m benchmarks.research.names TREES [TREES ...] [--each 24] [--only NAME ...] [--misspelt 500]
        [--out RESULT.json] [--write NAME]

TREES is a folder of repositories. A name counts as shown if the line of one of its definitions is in the first three
items of the pack with the default options; only names with at most three definitions are queried.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import machine, pages
from benchmarks.research import ctags, misspelling
from benchmarks.research.ctags import LONG_DOC, Tag
from context_pack.session import Session
from contracts.records import Item
from index import Index, open_index

FIRST = 3  # items, or suggestions, that must include the right one
MAX_DEFINITIONS = 3
SEED = 20


@dataclass(frozen=True, slots=True)
class NameOutcome:
    """A name with the places of its definitions, and which of them the pack shows."""

    repository: str
    name: str
    tags: tuple[Tag, ...]
    shown: bool
    all_shown: bool
    cause: str = ""

    @property
    def long_doc(self) -> bool:
        return all(tag.doc_lines >= LONG_DOC for tag in self.tags)


@dataclass(frozen=True, slots=True)
class Misspelling:
    repository: str
    name: str
    spelling: str
    how: str
    suggestions: tuple[str, ...]

    @property
    def right(self) -> bool:
        return self.name in self.suggestions[:FIRST]


def shows(item: Item, tag: Tag) -> bool:
    """Whether the item shows the tag's line."""
    inside = item.file == tag.path and item.start_line <= tag.line <= item.end_line
    return inside and not any(first <= tag.line <= last for first, last in item.elided)


def ask_names(repository: str, session: Session, index: Index, root: Path, each: int) -> list[NameOutcome]:
    """Ask a sample of the names of a tree, and as many again of those under long doc comments."""
    paths = [path for path in index.snapshot.strings("file.path").to_list() if index.chunks_of_file(path)]
    by_name: dict[str, list[Tag]] = defaultdict(list)
    for tag in ctags.tags(root, paths):
        by_name[tag.name].append(tag)
    # ctags does not read every language: a definition that it misses must not make a name rarer.
    counts = Counter(row.name for row in index.symbols(limit=1_000_000))
    fit = {
        name: tuple(tag for tag in tags if tag.counts)
        for name, tags in sorted(by_name.items())
        if any(tag.counts for tag in tags) and max(len(tags), counts[name]) <= MAX_DEFINITIONS
    }
    long_docs = [name for name, tags in fit.items() if all(tag.doc_lines >= LONG_DOC for tag in tags)]
    rng = random.Random(f"{SEED} {repository}")
    sample = set(rng.sample(list(fit), min(each, len(fit)))) | set(rng.sample(long_docs, min(each, len(long_docs))))
    return [_ask(repository, session, index, name, fit[name]) for name in sorted(sample)]


def _ask(repository: str, session: Session, index: Index, name: str, tags: tuple[Tag, ...]) -> NameOutcome:
    items = session.query(name).data.items
    shown = [any(shows(item, tag) for item in items[:FIRST]) for tag in tags]
    cause = "" if any(shown) else _cause(index, items, name, tags)
    return NameOutcome(repository, name, tags, any(shown), all(shown), cause)


def _cause(index: Index, items: Sequence[Item], name: str, tags: Iterable[Tag]) -> str:
    """Why no definition is among the first items: from what the index has recorded, or a later place in the pack."""
    definition_lines = [(row.file, row.line) for row in index.symbols(name) if row.name == name]
    tag_lines = [(tag.path, tag.line) for tag in tags]
    if any(shows(item, tag) for item in items for tag in tags) and definition_lines:
        return "shown later in the pack"
    if not definition_lines:
        return "no definition of that name is recorded"
    if not set(definition_lines) & set(tag_lines):
        return "recorded at other lines: " + ", ".join(f"{file}:{line}" for file, line in definition_lines[:3])
    return "recorded, but not shown"


def ask_misspelt(repository: str, session: Session, index: Index, count: int) -> list[Misspelling]:
    """Ask misspelt names of definitions; returns each with the suggestions of the pack's hints."""
    names = sorted({row.name for row in index.symbols(limit=1_000_000)})
    rng = random.Random(f"{SEED} misspelt {repository}")
    outcomes = []
    for name, wrong, how in misspelling.misspellings(names, count, rng):
        hints = session.query(wrong).hints
        outcomes.append(Misspelling(repository, name, wrong, how, tuple(misspelling.suggestions(hints))))
    return outcomes


def table(outcomes: Sequence[NameOutcome], misspellings: Sequence[Misspelling]) -> str:
    rows = ["| names | asked | shown among the first three | every definition shown |", "|---|---:|---:|---:|"]
    long_docs = [one for one in outcomes if one.long_doc]
    for label, some in (("all", outcomes), (f"under doc comments of {LONG_DOC} lines and more", long_docs)):
        rows.append(f"| {label} | {len(some)} | {_share(one.shown for one in some)} | "
                    f"{_share(one.all_shown for one in some)} |")  # fmt: skip
    by_language = defaultdict(list)
    for one in outcomes:
        by_language[one.tags[0].language].append(one)
    for language, some in sorted(by_language.items()):
        rows.append(f"| {language} | {len(some)} | {_share(one.shown for one in some)} | "
                    f"{_share(one.all_shown for one in some)} |")  # fmt: skip
    rows += ["", "| misspelt by | asked | right one among the first three suggestions |", "|---|---:|---:|"]
    by_way = defaultdict(list)
    for wrong in misspellings:
        by_way[wrong.how].append(wrong)
    for how, wrongs in [("all", list(misspellings)), *sorted(by_way.items())]:
        rows.append(f"| {how} | {len(wrongs)} | {_share(one.right for one in wrongs)} |")
    return "\n".join(rows)


def _share(values: Iterable[bool]) -> str:
    flags = list(values)
    return f"{100 * sum(flags) / len(flags):.1f} %" if flags else "-"


def misses(outcomes: Sequence[NameOutcome]) -> str:
    """The names that were not shown, each with its cause."""
    rows = []
    for one in outcomes:
        if not one.shown:
            places = ", ".join(f"{tag.path}:{tag.line} {tag.kind}" for tag in one.tags)
            rows.append(f"{one.repository}: {one.name} ({places}): {one.cause}")
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--each", type=int, default=24, help="names of each tree, and as many under long doc comments")
    parser.add_argument("--misspelt", type=int, default=500, help="misspelt names altogether")
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--out", type=Path)
    parser.add_argument("--write", metavar="NAME", help="put the tables at this place of a page of results/")
    parser.add_argument("--index-dir", type=Path, help="where indexes are kept, in place of a scratch folder")
    options = parser.parse_args(arguments)
    if not ctags.is_there():
        parser.error("Universal Ctags is not installed: `apt-get install universal-ctags`")
    roots = sorted((root for trees in options.trees for root in trees.iterdir() if root.is_dir()), key=_by_name)
    roots = [root for root in roots if not options.only or root.name in options.only]
    outcomes: list[NameOutcome] = []
    misspellings: list[Misspelling] = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, root in enumerate(roots):
            index = open_index(root, home=(options.index_dir or Path(scratch)) / root.name, model="embedded")
            session = Session(index)
            outcomes += ask_names(root.name, session, index, root, options.each)
            until = options.misspelt * (number + 1) // len(roots)
            misspellings += ask_misspelt(root.name, session, index, until - len(misspellings))
            print(
                f"{root.name}: {len(outcomes)} names, {sum(not one.shown for one in outcomes)} missed", file=sys.stderr
            )
    words = sys.argv[1:] if arguments is None else arguments
    shown = ["TREES" if Path(word) in options.trees else word for word in words]
    text = "\n".join((
        f"### Names of {len(roots)} repositories", "", table(outcomes, misspellings), "",
        f"Commit {machine.commit()}; {machine.machine()}; `{machine.command('benchmarks.research.names', shown)}`.",
    ))  # fmt: skip
    print(text, misses(outcomes), sep="\n\n")
    if options.write:
        pages.publish(options.write, text)
    if options.out:
        document = {"names": [asdict(one) for one in outcomes], "misspelt": [asdict(one) for one in misspellings]}
        options.out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _by_name(root: Path) -> tuple[str, str]:
    return root.name.lower(), str(root)


if __name__ == "__main__":
    main()
