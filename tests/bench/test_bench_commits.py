"""Which commits yield a question, its text, and the files that answer it."""

import pytest

from context_pack.benchmark.commits import answerable, ask, is_source, newest_questions, question_of
from context_pack.benchmark.history import Commit


def commit(subject: str, *changed: tuple[str, str]) -> Commit:
    return Commit("c0ffee", "beef", subject, changed or (("M", "src/a.py"),))


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Tokenize Connection header values in the parser (#10902)", "Tokenize Connection header values in the parser"),
        ("fix(parser): handle nested quotes in attributes", "parser: handle nested quotes in attributes"),
        ("feat: retry requests after connection reset, closes #12", "retry requests after connection reset"),
        ("[core] Reject oversized frames before allocation", "Reject oversized frames before allocation"),
        ("gh-123: Keep cookies across redirect hosts", "Keep cookies across redirect hosts"),
        ("Restore umask if bind fails, GitHub issue 5497 from Jeong", "Restore umask if bind fails"),
    ],
)  # fmt: skip
def test_a_subject_becomes_a_question(subject: str, expected: str) -> None:
    assert question_of(subject) == expected


@pytest.mark.parametrize(
    "subject",
    [
        "Merge branch 'main' into release", "Bump serde from 1.0.1 to 1.0.2", "docs: explain retries in the guide",
        "Fix typo in connection pool", "Revert \"Tokenize header values\"", "chore(deps): update lock file entries",
        "cargo fmt everything in parser module", "Release version 2.3 of parser", "v1.2.3 parser handles nested quotes",
        "Fix bug", "Update tests",
        "Apply review feedback to connection parser", "Improve docstrings of connection pool",
    ],
)  # fmt: skip
def test_subjects_without_information_give_no_question(subject: str) -> None:
    assert question_of(subject) is None


@pytest.mark.parametrize(
    "path", ["src/a.py", "lib/contest.rb", "Sources/Latest.swift", "main.go", "pkg/http/server.go"]
)
def test_source(path: str) -> None:
    assert is_source(path)


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py", "src/a_test.go", "src/a.test.ts", "spec/a_spec.rb", "src/FooTest.java", "examples/a.rs", "a.md",
        "docs/conf.py", "vendor/x/y.go", "setup.py", "src/Markdig.Tests/TestTable.cs", "dist/a.min.js", "types/a.d.ts",
        "benches/big.rs", ".github/x.py", "app/build.gradle.kts", "types/test.ts", "build.zig",
    ],
)  # fmt: skip
def test_tests_examples_documentation_builds_and_copies_are_not_source(path: str) -> None:
    assert not is_source(path)


def test_modified_source_files_answer_whatever_else_changed() -> None:
    asked = ask(
        commit(
            "Reject oversized frames before allocation",
            ("M", "src/frame.rs"), ("M", "CHANGELOG.md"), ("M", "tests/frame.rs"), ("A", "src/limit.rs"),
        )
    )  # fmt: skip
    assert asked is not None
    assert asked.targets == ("src/frame.rs",)


@pytest.mark.parametrize(
    "changed",
    [
        [("A", "src/new.py")], [("D", "src/old.py")], [("M", "tests/a.py")],
        [("M", f"src/{name}.py") for name in "abcd"],
    ],
)  # fmt: skip
def test_a_commit_without_one_to_three_modified_source_files_asks_nothing(changed: list[tuple[str, str]]) -> None:
    assert ask(commit("Reject oversized frames before allocation", *changed)) is None


def test_the_newest_come_first_and_a_repeated_subject_is_asked_once() -> None:
    history = [
        commit("Reject oversized frames before allocation"),
        commit("Bump parser version"),
        commit("reject oversized frames, before allocation"),
        commit("Retry requests after connection reset"),
        commit("Keep cookies across redirect hosts"),
    ]
    assert [one.query for one in newest_questions(history, 2)] == [
        "Reject oversized frames before allocation", "Retry requests after connection reset",
    ]  # fmt: skip


def test_questions_need_all_their_targets_in_the_tree() -> None:
    asked = newest_questions([commit("Reject oversized frames early", ("M", "a.py"), ("M", "b.py"))], 5)
    assert answerable(asked, {"a.py"}) == []
    assert answerable(asked, {"a.py", "b.py", "c.py"}) == asked
