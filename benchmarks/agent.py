"""How much does an agent read before it has seen the lines that answer? A simulated agent, on explore questions.

    python -m benchmarks.agent --suite SUITE --trees DIR ... [--repos FILE] [--only NAME ...] [--rankers FOLDER]
        [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER] [--out RESULT.json] [--write]

The policy is fixed and the same for every tool, each with its own defaults:

1. Ask the question. The agent reads the whole answer.
2. Read a window of lines around each of the answer's first places; places that have had a window are skipped.
3. Ask again, with a name from the answers that was not a query before. The name looks like code and is in few files.
   Of such names the agent takes the one that shares most words with the question, then the most frequent one. A tool
   that accepts a list of earlier items (`have`) gets it.

Steps 2 and 3 repeat until the agent has seen the lines that must be read, has no new name, or has read too much.
The cost is the characters of the answers as the tools print them (ours: Markdown and hints; semble: JSON) and of the
windows, each line with its number. In a window, lines that the agent has seen before cost nothing.

`rg + read` is an agent without an index: it greps the question's three rarest words, or the name.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Protocol

from benchmarks import engines, machine, pages, report
from benchmarks.explore.score import SEEN_SHARE, lines_of, must_read
from benchmarks.explore.sides import rankers
from benchmarks.explore.suite import Question, Repository, load_suite
from benchmarks.metrics import Place
from context_pack.benchmark.measures import Line, lines_shown
from context_pack.mcp.schemas import DEFAULTS
from context_pack.mcp.text import failure, success
from context_pack.mcp.tools import Call, context_pack
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import CtxpackError
from index import open_index
from index.search.ranker import Ranker
from index.tree.walk import walk

LIMIT_CHARS = 120_000  # an agent that has read this much without the answer has failed
WITHIN = (8_000, 20_000, 60_000, LIMIT_CHARS)
AROUND = 30  # lines that are read before and after a place
READS = 3  # places that are read around after each answer
NUMBER_CHARS = 7  # of a line that is read: its number and a tab
COMMON = 0.1  # share of the files: a name in more files than that is part of the language or too common
SEMBLE_TOP, SEMBLE_LINES = 5, 10  # its tool's defaults
GREP_LINES, GREP_WORDS = 40, 3
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
_PART = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
_NAME = re.compile(r"\b(?:[A-Za-z]+_\w+|[a-z]+[A-Z]\w+|[A-Z]\w*[a-z]\w*[A-Z]\w+|[A-Za-z_]\w{3,}(?=\())\b")


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """A tool's answer: its text, the lines of code in it, and its places, best first."""

    text: str
    lines: set[Line]
    places: Sequence[Place]


class Tool(Protocol):
    @property
    def name(self) -> str: ...

    def open(self, repository: Repository, tree: Tree) -> None:
        """Index a repository; questions go to it from now on."""
        ...

    def begin(self) -> None:
        """Start with a new agent, which has seen nothing."""
        ...

    def ask(self, query: str) -> ToolAnswer: ...


class Tree:
    """The text of a repository, and the number of files that contain each word."""

    def __init__(self, root: Path) -> None:
        self.lines: dict[str, list[str]] = {}
        for file in walk(root).files:
            data = (root / file.path).read_bytes()
            if b"\0" not in data[:8_000]:
                self.lines[file.path] = data.decode("utf-8", "replace").splitlines()
        self.files = Counter(word for lines in self.lines.values() for word in set(_WORD.findall("\n".join(lines))))

    def is_rare(self, name: str) -> bool:
        return 0 < self.files[name] <= max(3, COMMON * len(self.lines))

    def window(self, place: Place) -> set[Line]:
        last = min(len(self.lines.get(place.path, ())), place.end_line + AROUND)
        return {(place.path, number) for number in range(max(1, place.start_line - AROUND), last + 1)}

    def chars(self, lines: Iterable[Line]) -> int:
        return sum(len(self.lines[path][number - 1]) + 1 + NUMBER_CHARS for path, number in lines)

    def grep(self, words: Sequence[str]) -> Iterator[tuple[str, int, str]]:
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
        for path, lines in self.lines.items():
            for number, line in enumerate(lines, 1):
                if pattern.search(line):
                    yield path, number, line


class Ours:
    """The tool `context_pack` with its defaults; items that were shown whole are passed as `have`."""

    name = "ctxpack"

    def __init__(self, home: Path, own: Mapping[str, Ranker]) -> None:
        self._home, self._rankers = home, own

    def open(self, repository: Repository, tree: Tree) -> None:
        index = open_index(repository.root, home=self._home / repository.name, model="embedded")
        index.ranker = self._rankers.get(repository.name)
        self._session = Session(index, Layer(DEFAULTS), Layer({"model": "embedded", "format": "md"}))

    def begin(self) -> None:
        self._have: dict[str, None] = {}

    def ask(self, query: str) -> ToolAnswer:
        args = {"query": query, **({"have": list(self._have)} if self._have else {})}
        try:
            answer, text, _ = context_pack(Call(lambda _roots: self._session, {}, args, 60.0, ()))
        except CtxpackError as error:
            return ToolAnswer("".join(failure(error, "context_pack", args)["texts"]), set(), [])
        items = answer.data.items
        self._have |= {item.id: None for item in items if not item.elided}
        places = [Place(item.file, item.start_line, item.end_line, 0) for item in items]
        texts = success(answer, text, {}, "context_pack", args)["texts"]
        return ToolAnswer("".join(texts), lines_shown(items), places)


class Semble:
    """semble's tool `search` with its defaults (ten lines of each of five results), or with whole chunks."""

    def __init__(self, peer: engines.Peer, lines: int | None) -> None:
        self.name = "semble" if lines else "semble, whole chunks"
        self._peer, self._lines = peer, lines

    def open(self, repository: Repository, tree: Tree) -> None:
        self._peer.index(repository.root)

    def begin(self) -> None: ...

    def ask(self, query: str) -> ToolAnswer:
        text, places = self._peer.answer(query, SEMBLE_TOP, self._lines)
        most = self._lines or LIMIT_CHARS
        shown = [Place(one.path, one.start_line, min(one.end_line, one.start_line + most - 1), 0) for one in places]
        return ToolAnswer(text, set().union(*map(lines_of, shown)), places)


class Grep:
    """`rg -n -i` for the rarest words, its first lines; the best places contain most of the words."""

    name = "rg + read"

    def open(self, repository: Repository, tree: Tree) -> None:
        self._tree = tree

    def begin(self) -> None: ...

    def ask(self, query: str) -> ToolAnswer:
        words = dict.fromkeys(word.lower() for word in _WORD.findall(query))
        hits = {word: [*self._tree.grep([word])] for word in words}
        rare = sorted((word for word in words if hits[word]), key=lambda word: len(hits[word]))[:GREP_WORDS]
        lines = sorted({hit for word in rare for hit in hits[word]})
        shown = lines[:GREP_LINES]
        text = "".join(f"{path}:{number}:{line[:200]}\n" for path, number, line in shown)
        near = Counter[tuple[str, int]]()  # distinct words by window of a file
        for word in rare:
            near.update({(path, number // AROUND) for path, number, _ in hits[word]})
        best = sorted(near, key=lambda key: (-near[key], key))[:GREP_LINES]
        places = [Place(path, AROUND * block, AROUND * block + AROUND, 0) for path, block in best]
        return ToolAnswer(text, {(path, number) for path, number, _ in shown}, places)


@dataclass(frozen=True, slots=True)
class ReadingCost:
    """The characters that the agent read until it saw `most` and `all` of the lines (None: it never did); its turns."""

    question: Question
    most: int | None
    all: int | None
    turns: int


def play(tool: Tool, tree: Tree, question: Question) -> ReadingCost:
    """Play one question by the policy."""
    tool.begin()
    spans = [lines_of(span) for span in must_read(question)]
    seen: set[Line] = set()
    around: set[tuple[str, int]] = set()
    mentions: Counter[str] = Counter()
    queries = {question.query}
    query, chars, most, turns = question.query, 0, None, 0
    while chars < LIMIT_CHARS:
        answer = tool.ask(query)
        turns += 1
        mentions.update(_NAME.findall(answer.text))
        unread = [place for place in answer.places if (place.path, place.start_line) not in around][:READS]
        around |= {(place.path, place.start_line) for place in unread}
        for text, lines in [(answer.text, answer.lines), *((None, tree.window(place)) for place in unread)]:
            chars += tree.chars(lines - seen) if text is None else len(text)
            seen |= lines
            if most is None and all(len(span & seen) >= SEEN_SHARE * len(span) for span in spans):
                most = chars
            if all(span <= seen for span in spans):
                return ReadingCost(question, most, chars, turns)
        names = [name for name in mentions if name not in queries and tree.is_rare(name)]
        if not names:
            break
        query = max(names, key=lambda name: (len(parts(name) & parts(question.query)), mentions[name]))
        queries.add(query)
    return ReadingCost(question, most, None, turns)


def parts(text: str) -> set[str]:
    """The words of a text or a name, cut to their first letters, so that `cancels` and `cancelled` are equal."""
    return {part.lower()[:5] for part in _PART.findall(text)}


def within(values: Sequence[int | None], chars: int) -> float:
    return sum(value is not None and value <= chars for value in values) / len(values)


def middle(values: Sequence[int | None]) -> str:
    chars = median(LIMIT_CHARS + 1 if value is None else value for value in values)
    return f"{chars:,.0f}" if chars <= LIMIT_CHARS else f"over {LIMIT_CHARS:,}"


def rows(costs: Mapping[str, Sequence[ReadingCost]]) -> list[list[str]]:
    """A row for each measure: its title, then a cell for each tool."""
    table_rows = []
    for title, field in ((f"{SEEN_SHARE:.0%} of each span", "most"), ("every line", "all")):
        values = {name: [getattr(one, field) for one in some] for name, some in costs.items()}
        table_rows.append([f"characters until {title} is seen, median", *map(middle, values.values())])
        means = [
            mean(LIMIT_CHARS if value is None else min(value, LIMIT_CHARS) for value in some)
            for some in values.values()
        ]
        table_rows.append([f"mean, counting {LIMIT_CHARS:,} if never", *(f"{one:,.0f}" for one in means)])
        for chars in WITHIN:
            table_rows.append([f"share within {chars:,}", *(f"{within(some, chars):.3f}" for some in values.values())])
    return table_rows


def comparison(costs: Mapping[str, Sequence[ReadingCost]]) -> str:
    """A sentence: the first tool's characters as a share of the second's; an unsolved question costs the limit."""
    (own_name, ours), (name, theirs), *_ = (
        (name, [min(one.most or LIMIT_CHARS, LIMIT_CHARS) for one in some]) for name, some in costs.items()
    )
    return (
        f"Characters read with {own_name} until {SEEN_SHARE:.0%} of each span is seen, as a share of those read with "
        f"{name}: {median(ours) / median(theirs):.2f} by the median, {mean(ours) / mean(theirs):.2f} by the mean, "
        f"counting {LIMIT_CHARS:,} for a question that is not solved."
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--trees", type=Path, nargs="+", required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--rankers", type=Path)
    parser.add_argument("--peer-python", type=Path)
    parser.add_argument("--peer-model", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--write", action="store_true", help="put the table into its page of results/")
    options = parser.parse_args(arguments)
    suite = load_suite(options.suite, options.trees, options.repos).only(options.only)
    costs: dict[str, list[ReadingCost]] = {}
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tools: list[Tool] = [Ours(home, rankers(suite, options.rankers))]
        if options.peer_python:
            peer = stack.enter_context(engines.peer(options.peer_python, options.peer_model))
            tools += [Semble(peer, SEMBLE_LINES), Semble(peer, None)]
        tools.append(Grep())
        for repository in suite.repositories:
            tree = Tree(repository.root)
            for tool in tools:
                tool.open(repository, tree)
                costs.setdefault(tool.name, []).extend(play(tool, tree, one) for one in repository.questions)
            print(
                repository.name, {name: middle([one.most for one in some]) for name, some in costs.items()}, flush=True
            )
    lines = report.table(["", *costs], rows(costs))
    about = (
        f"{comparison(costs)}\n\n{suite.questions} questions over {len(suite.repositories)} repositories. "
        f"Commit {machine.commit()}; `{machine.command('benchmarks.agent', arguments)}`."
    )
    text = "\n".join([*lines, "", about]) + "\n"
    print(text)
    if options.write:
        pages.publish("agent", text)
    if options.out:
        document = {
            name: [{"query": one.question.query, "most": one.most, "all": one.all, "turns": one.turns} for one in some]
            for name, some in costs.items()
        }
        options.out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
