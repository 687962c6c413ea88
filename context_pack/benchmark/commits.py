"""Commit localisation: a commit's subject is the question, the source files it changed are the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from context_pack.benchmark.history import Commit
from contracts.frozen import frozen

MAX_TARGETS = 3
MIN_CONTENT_WORDS = 3

SOURCE_SUFFIXES = frozenset(
    """.py .pyx .js .mjs .cjs .jsx .ts .tsx .mts .vue .go .rs .java .c .h .cc .cpp .cxx .hpp .hh .hxx .ipp .cs .kt
    .scala .swift .rb .php .ex .exs .hs .lua .zig .sh .bash .bats""".split()
)

# Folders and names of files outside the program itself: tests, examples, documentation, copies of others' code, builds.
_NOT_SOURCE = re.compile(
    r"(^|/)(tests?|testing|[\w.]*[-_.]tests?|tests?[-_]\w+|specs?|__tests__|__mocks__|mocks?|fixtures?|test-?data|e2e|"
    r"integration|examples?|samples?|demos?|docs?|documentation|website|benchmarks?|bench|benches|perf|vendor|"
    r"third_?party|3rd_?party|external|node_modules|dist|build|scripts|tools|ci|\.[\w.-]+)/"
    r"|(^|/)(test_|spec_|tests?\.|conftest\.|setup\.py$|build\.zig|noxfile\.|mix\.exs$|package\.swift$|rakefile|version\.|_version\.)"
    r"|[._-](test|tests|spec|bench|config|min|generated|pb|d)\.\w+$|_pb2|\.gradle\.kts$"
    r"|(?-i:[a-z0-9](Tests?|Specs?|TestCase|Benchmark)\.(java|kt|cs|swift|scala|php|rb|hs)$)",
    re.IGNORECASE,
)
# Subjects that say nothing about code: releases, dependencies, prose, formatting, reverts.
_EMPTY_SUBJECT = re.compile(
    r"^\W*(merge|revert|bump|release|prepare|publish|version|wip|fixup|squash|chore|docs?|style|ci|build|deps|test|tests|"
    r"lint|format|fmt|typo|changelog|readme|update changelog|update readme|apply|address|cleanup|clean up|nits?|misc|"
    r"v?\d+\.\d+|reformat|regenerate|upgrade|document|clarify|happy new year|copyright|"
    r"translate|translations?|update translations?)\b"
    r"|\b(typos?|spelling|grammar|readme|changelog|whitespace|indentation|trailing spaces?|reformat\w*|rustfmt|gofmt|"
    r"(cargo|go|zig|mix) fmt|clippy|prettier|eslint|rubocop|flake8|pylint|ruff|isort|pyupgrade|mypy|phpstan|psalm|"
    r"ktlint|scalafmt|swiftlint|lint(er|ing|s)?|code style|coding style|copyright|licen[cs]e|docstrings?|javadoc|kdoc|"
    r"doxygen|rdoc|godoc|docs?|documentation|documented|comments?|pre-commit|dependabot|renovate|release|changelogs?|"
    r"unused imports?|dead code|bump(s|ed)? |back to development|start new development|review (comments|feedback))\b",
    re.IGNORECASE,
)
_TYPE = re.compile(
    r"^(?:feat|feature|fix|bugfix|perf|refactor|improvement|enhancement)(\(([^)]*)\))?!?:\s*", re.IGNORECASE
)
_TAG = re.compile(r"^(\[[^\]]*\]|:\w+:|[A-Z]{2,}-\d+|gh-\d+|#\d+)[:\s-]*", re.IGNORECASE)
_ISSUE = re.compile(
    r"\s*[\[(]?\s*(?:(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see|issue|pr|gh)[:\s]*)?(?:[\w./-]*#|gh-|https?://\S+?/)\d+\s*[\])]?",
    re.IGNORECASE,
)  # fmt: skip
_THANKS = re.compile(r"[,.]?\s*(GitHub (issue|PR) \d+.*|\(?(reported|suggested|patch|found) by .*)$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_FUNCTION_WORDS = frozenset(
    """a about add added adds after all also an and any are as at be been before better but by can change changed
    changes cleanup do does don't fix fixed fixes fixing for from get has have if implement improve in into is it its
    make makes more move new no not now of on only or out remove removed removes rename set should simplify small some
    so support test tests than that the them there this to up update updated updates use used uses using via was were
    when where which with without work works""".split()
)


@frozen
class CommitQuestion:
    """One commit as a question: the query, and the files that answer it, sorted."""

    commit: Commit
    query: str
    targets: tuple[str, ...]


def is_source(path: str) -> bool:
    """Whether a path is program code in one of the first-tier languages, not a test, example or build file."""
    return PurePosixPath(path).suffix.lower() in SOURCE_SUFFIXES and not _NOT_SOURCE.search(path)


def question_of(subject: str) -> str | None:
    """A subject as a question, without issue numbers and commit types; None if it says too little."""
    if _EMPTY_SUBJECT.search(subject):
        return None
    text = subject.strip()
    while (shorter := _TAG.sub("", text)) != text:
        text = shorter
    # The scope of a conventional commit (`fix(parser): ...`) names a part of the program: it stays.
    text = _TYPE.sub(lambda match: f"{match[2]}: " if match[2] else "", text)
    text = _THANKS.sub("", _ISSUE.sub("", text)).strip(" .:;,-")
    if _EMPTY_SUBJECT.search(text) or len(content_words(text)) < MIN_CONTENT_WORDS:
        return None
    return text


def content_words(text: str) -> set[str]:
    """The distinct words of a subject other than function words and verbs of commit messages, in lower case."""
    return {word for word in map(str.lower, _WORD.findall(text)) if word not in _FUNCTION_WORDS and len(word) > 1}


def ask(commit: Commit) -> CommitQuestion | None:
    """The question of one commit; None unless it modified one to three existing source files."""
    query = question_of(commit.subject)
    changed = [(status, path) for status, path in commit.changed if is_source(path)]
    targets = tuple(sorted(path for status, path in changed if status == "M"))
    if query is None or not targets or len(changed) > MAX_TARGETS:
        return None
    return CommitQuestion(commit, query, targets)


def newest_questions(history: Iterable[Commit], cap: int) -> list[CommitQuestion]:
    """The questions of the newest commits, at most `cap`, newest first; repeated subjects are skipped."""
    seen: set[frozenset[str]] = set()
    questions: list[CommitQuestion] = []
    for commit in history:
        question = ask(commit)
        if question is None or (words := frozenset(content_words(question.query))) in seen:
            continue
        seen.add(words)
        questions.append(question)
        if len(questions) == cap:
            break
    return questions


def answerable(questions: Iterable[CommitQuestion], tree: Mapping[str, object] | set[str]) -> list[CommitQuestion]:
    """The questions whose targets all exist in the tree that is searched."""
    return [question for question in questions if all(path in tree for path in question.targets)]
