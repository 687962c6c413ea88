"""`ctxpack bench`: a repository's own commits as questions.

All questions search one tree: the parent of the oldest commit that is a question. It has none of the changes in
question, and one index serves all. The tree and its index are in a scratch folder; the repository is only read, through
git.

Three tools answer over the same files: ctxpack, plain BM25, and `grep -l`. Each returns a list of places; within a
budget, ctxpack shows a pack, and the others show the places that fit.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from context_pack.answer import Answer, Stages
from context_pack.benchmark import measures
from context_pack.benchmark.commits import CommitQuestion, answerable, content_words, newest_questions
from context_pack.benchmark.history import Commit, commits, enclosing_git_dir, git, lines_at, names_in, write_tree
from context_pack.benchmark.measures import BUDGETS_CHARS, HIT_DEPTHS, Line, Place, Result
from context_pack.io.paths import root_of
from context_pack.options.resolve import Layer
from context_pack.redaction import Redactor
from context_pack.session import Session
from contracts.errors import BudgetTooSmall, InvalidRequest, NoFiles
from contracts.frozen import frozen
from contracts.records import Hint
from contracts.reports import Bench, BenchEngine, BenchQuestion
from index import Index, open_index
from index.text import content_terms, words_of
from index.types import Progress

MAX_COMMITS = 1_000
FEW = 20  # questions; with fewer, a single one changes a figure by more than five points
SPARE = 4  # one spare question per SPARE: some change a file that the tree does not have yet
DEEP = 100  # chunks of a list: more than fit into the largest budget
Engine = Callable[[str], list[Place]]  # a question -> places, best first


class Engines:
    """The three tools, over one index. `ctxpack` and `bm25` return chunks, `grep` whole files, as `grep -l` does."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._session = Session(index, Layer({}))
        self.named: Mapping[str, Engine] = {"ctxpack": self.ctxpack, "bm25": self.bm25, "grep": self.grep}

    def shown(self, name: str, question: str, places: Sequence[Place], budget_chars: int) -> set[Line]:
        """The lines that an engine shows within a budget: those of `ctxpack query`, or of the `places` that fit."""
        if name != "ctxpack":
            return measures.shown(places, budget_chars)
        try:
            return measures.lines_shown(self._session.query(question, max_chars=budget_chars).data.items)
        except BudgetTooSmall:
            return set()

    def ctxpack(self, question: str) -> list[Place]:
        """The hits of `ctxpack search`."""
        return [self._place(hit.chunk) for hit in self._index.search(question, top_k=DEEP)]

    def bm25(self, question: str) -> list[Place]:
        """The same chunks by BM25 of their text alone (k1 1.2, b 0.75), with the same stems."""
        terms = dict.fromkeys(content_terms(words_of(question)))
        scores = self._index.collection.query_terms(tuple(terms)).bm25()
        best = (-scores).argsort(kind="stable")[:DEEP]
        return [self._place(number) for number in best[scores[best] > 0].tolist()]

    def grep(self, question: str) -> list[Place]:
        """The files that contain any of the question's words (`grep -lirF`), those with most distinct words first."""
        words = content_words(question)
        counts = Counter(path for path, text in self._texts.items() for word in words if word in text)
        ranked = sorted(counts, key=lambda path: (-counts[path], path))
        return [Place(path, len(self._texts[path]), 1, self._texts[path].count("\n") + 1) for path in ranked]

    @cached_property
    def _texts(self) -> dict[str, str]:
        """Every indexed file in lower case."""
        paths = self._index.snapshot.strings("file.path").to_list()
        return {path: (self._index.file_text(path) or "").lower() for path in paths}

    def _place(self, number: int) -> Place:
        row = self._index.chunk(number)
        return Place(row.file, len(row.text), row.start_line, row.end_line)


@frozen
class _Sample:
    """The questions, newest first, and the revision whose tree they search."""

    questions: Sequence[CommitQuestion]
    revision: str
    looked_at: int


def bench(
    repo: str | Path | None = None,
    *,
    count: int = 50,
    model: str = "auto",
    explain: bool = False,
    progress: Progress | None = None,
) -> Answer[Bench]:
    """Recall, hits, characters to read and lines of three tools on a repository's newest commits, at most `count`.

    InvalidRequest if it is not a repository, NoFiles if no commit makes a question; errors of indexing pass through.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_COMMITS:
        raise InvalidRequest("commits", f"commits must be a whole number from 1 to {MAX_COMMITS}, not {count!r}")
    stages = Stages()
    root = root_of(repo)
    git_dir = enclosing_git_dir(root)
    if git_dir is None:
        raise InvalidRequest("repo", f"{root} is not in a git repository", hint="bench uses commits as questions")
    with stages.stage("mine"):
        sample = _best_sample(git_dir, count, root)
    with tempfile.TemporaryDirectory(prefix="ctxpack-bench-") as folder:
        scratch = Path(folder)
        with stages.stage("write"):
            written = write_tree(git_dir, sample.revision, scratch / "tree")
        questions = answerable(sample.questions, written)[:count]
        if not questions:
            raise _nothing_to_ask(root, "usable commit that changed a file of the tree before the oldest of them")
        with stages.stage("index"):
            index = open_index(scratch / "tree", home=scratch / "index", model=model, progress=progress)
        with stages.stage("ask"):
            changed = [
                frozenset(
                    (path, line)
                    for path in one.targets
                    for line in lines_at(git_dir, one.commit, path, sample.revision)
                )
                for one in questions
            ]
            given = _ask(Engines(index), questions, changed, progress)
        data = Bench(
            revision=sample.revision,
            newest=questions[0].commit.sha,
            oldest=questions[-1].commit.sha,
            looked_at=sample.looked_at,
            questions=len(questions),
            line_questions=sum(map(bool, changed)),
            files=index.files,
            chunks=index.chunks,
            model_id=index.model_id,
            depths=HIT_DEPTHS,
            budgets=BUDGETS_CHARS,
            engines=tuple(_engine(name, results) for name, results in given.items()),
            asked=_questions(questions, given) if explain else (),
        )
    return Answer(data, _hints(data, count), stages.durations_ms())


def _best_sample(git_dir: Path, count: int, root: Path) -> _Sample:
    """The window of newest commits with the most questions whose files are in its oldest tree."""
    history = list(commits(git_dir))
    questions = newest_questions(history, count + -(-count // SPARE))
    if not questions:
        what = (
            f"commit that can be used as a question, of {len(history)}"
            if history
            else "commit with a parent, as in a shallow clone"
        )
        raise _nothing_to_ask(root, what)
    halvings = range(len(questions).bit_length())
    samples = [_sample(git_dir, history, questions[: len(questions) >> times]) for times in halvings]
    # The first of equals has the most questions.
    return max(samples, key=lambda sample: min(len(sample.questions), count))


def _sample(git_dir: Path, history: Sequence[Commit], questions: Sequence[CommitQuestion]) -> _Sample:
    revision = questions[-1].commit.parent
    # After a wrong clock, git may list an ancestor of the revision among the newer commits.
    newer = frozenset(git(git_dir, "rev-list", "HEAD", f"^{revision}", "--").decode("ascii").split())
    usable = answerable((one for one in questions if one.commit.sha in newer), names_in(git_dir, revision))
    return _Sample(usable, revision, [one.sha for one in history].index(questions[-1].commit.sha) + 1)


def _nothing_to_ask(root: Path, missing: str) -> NoFiles:
    hint = "a usable commit changes one to three source files and describes the change in three or more words"
    return NoFiles(f"{root} has no {missing}", hint=hint)


def _ask(
    engines: Engines, questions: Sequence[CommitQuestion], changed: Sequence[frozenset[Line]], progress: Progress | None
) -> dict[str, list[Result]]:
    given: dict[str, list[Result]] = {name: [] for name in engines.named}
    for number, (one, wanted) in enumerate(zip(questions, changed, strict=True)):
        if progress is not None:
            progress("ask", number, len(questions))
        for name, engine in engines.named.items():
            places = engine(one.query)
            budgets = BUDGETS_CHARS if wanted else ()
            lines = (measures.share(engines.shown(name, one.query, places, budget), wanted) for budget in budgets)
            given[name].append(measures.result_of(places, one.targets, lines))
    return given


def _engine(name: str, results: Sequence[Result]) -> BenchEngine:
    lines = [one.lines for one in results if one.lines]

    def mean(total: float, count: int = len(results)) -> float:
        return round(total / count, 4)

    return BenchEngine(
        name=name,
        hit=tuple(mean(sum(one.rank is not None and one.rank <= depth for one in results)) for depth in HIT_DEPTHS),
        recall=tuple(mean(sum(one.recall[number] for one in results)) for number in range(len(BUDGETS_CHARS))),
        lines=tuple(mean(sum(column), len(lines)) for column in zip(*lines, strict=True)),
        chars_to_first=measures.median([one.chars for one in results]),
        found=mean(sum(one.rank is not None for one in results)),
    )


def _questions(questions: Sequence[CommitQuestion], given: Mapping[str, Sequence[Result]]) -> tuple[BenchQuestion, ...]:
    redactor = Redactor()
    return tuple(
        BenchQuestion(
            commit=one.commit.sha,
            query=redactor.name(one.query),
            targets=tuple(map(redactor.path, one.targets)),
            rank={name: results[number].rank for name, results in given.items()},
            chars={name: results[number].chars for name, results in given.items()},
            lines={name: tuple(round(part, 4) for part in results[number].lines) for name, results in given.items()},
        )
        for number, one in enumerate(questions)
    )


def _hints(data: Bench, count: int) -> tuple[Hint, ...]:
    hints: list[Hint] = []
    if data.questions < min(count, FEW):
        hints.append(Hint("warn", f"only {data.questions} commits could be used as questions; the figures mean little"))
    elif data.questions < count:
        hints.append(Hint("info", f"{data.questions} of {count} commits: no other commit could be used as a question"))
    return tuple(hints)
