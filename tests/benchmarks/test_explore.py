"""The explore suite: its measures on cases computed by hand, its documents, and a whole run over a small tree."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from benchmarks import engines, reproduce
from benchmarks.explore import __main__ as explore
from benchmarks.explore import collect, compare, tables, trees
from benchmarks.explore.__main__ import main
from benchmarks.explore.measure import PackStats, QuestionScore, Run, ask
from benchmarks.explore.score import BUDGETS, first_come, lines_of, score
from benchmarks.explore.shape import Shape, Units, is_asked_for, is_cut
from benchmarks.explore.sides import PeerResults, confidence, grade
from benchmarks.explore.suite import (
    KINDS,
    MUST,
    Question,
    Repository,
    Span,
    faults,
    load_suite,
    name_of,
    question_files,
)
from benchmarks.metrics import Place
from context_pack.benchmark.measures import lines_shown
from contracts.records import Budget, Item, Pack

QUESTION = Question(
    "tree", "python", "behaviour", "where are rows sorted",
    (Span("a.py", 1, 10, 2), Span("b.py", 5, 9, 2), Span("b.py", 20, 29, 1)),
)  # fmt: skip
ITEM = Item("a.py:3:8", "primary", "a.py", 3, 8, 1.0, (), "\n".join(f"line {number}" for number in range(3, 9)))


def shown(*places: tuple[str, int, int]) -> set[tuple[str, int]]:
    return set().union(*(lines_of(Span(*place, MUST)) for place in places))


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([], (0, 0, 0, 0)),
        ([("a.py", 1, 10), ("b.py", 5, 9)], (1, 1, 1, 1)),
        # 6 of 10 lines are just enough for a span to count as shown; 1 of 5 is only touched. 7 of 11 lines are marked.
        ([("a.py", 5, 14), ("b.py", 9, 9)], ((0.6 + 0.2) / 2, 0.5, 1, 7 / 11)),
        ([("a.py", 6, 10)], (0.25, 0, 0.5, 1)),
        # Helpful spans are marked, but cover nothing.
        ([("b.py", 16, 25)], (0, 0, 0, 0.6)),
        ([("a.py", 1, 10), ("a.py", 1, 10), ("c.py", 1, 10)], (0.5, 0.5, 0.5, 0.5)),
    ],
)  # fmt: skip
def test_cover_spans_touch_and_yield(places: list[tuple[str, int, int]], expected: tuple[float, ...]) -> None:
    values = score(shown(*places), QUESTION)
    assert [values[name] for name in ("cover", "spans", "touch", "yield")] == pytest.approx(list(expected))


def test_lines_left_out_of_an_item_count_as_not_shown() -> None:
    cut = replace(ITEM, elided=((4, 5), (8, 8)))
    assert lines_shown([cut]) == {("a.py", 3), ("a.py", 6), ("a.py", 7)}
    assert len(lines_shown([ITEM, cut])) == 6


def test_results_without_a_budget_are_added_in_order_while_they_fit() -> None:
    places = [Place("a", 1, 1, 600), Place("b", 1, 1, 500), Place("c", 1, 1, 400), Place("d", 1, 1, 1)]
    assert [place.path for place in first_come(places, 1_000)] == ["a", "c"]


def test_the_shape_of_items(tmp_path: Path) -> None:
    body = "".join(f"    step_{number} = {number}\n" for number in range(20))
    (tmp_path / "a.py").write_text(
        f"LIMIT = 3\n\n\n# Works.\ndef work():\n{body}    return 1\n\n\ndef rest():\n    pass\n"
    )
    of = {
        "whole": Item(
            "1", "primary", "a.py", 4, 26, 1.0, (), "# Works.\ndef work():\n" + body + "    return 1", "work"
        ),
        "head": Item("2", "primary", "a.py", 5, 15, 1.0, (), "def work():\n" + body[:-9], "work"),
        "tail": Item("3", "related", "a.py", 20, 26, 1.0, (), body[-9:], "work"),
        "marked": Item("4", "primary", "a.py", 4, 26, 1.0, (), "# Works.\n# ... left out", "work", elided=((5, 26),)),
        "asked": Item("5", "primary", "a.py", 1, 1, 1.0, (), "LIMIT = 3", "LIMIT"),
    }
    shape = Shape()
    shape.add("what is the limit of steps", list(of.values()), tmp_path)
    assert (shape.packs, shape.items, shape.excerpts, shape.gone, shape.few) == (1, 5, 1, 1, 1)
    assert shape.cut == [f"{tmp_path.name}/2", f"{tmp_path.name}/3"]
    assert shape.roles == Counter(primary=4, related=1)
    other = Shape()
    other.add("how steps are done", [of["asked"]], tmp_path)
    assert other.few == 1


def test_a_one_line_definition_is_asked_for_by_its_name() -> None:
    item = replace(ITEM, symbol="Reader.line_limit")
    assert is_asked_for(item, "Why is `line_limit` ten?")
    assert not is_asked_for(item, "Why is the limit of a line ten?")
    assert not is_asked_for(replace(item, symbol=None), "anything")


def test_an_item_may_begin_and_end_at_units_within_a_function() -> None:
    of = Units(((1, 20), (3, 8)), frozenset({1, 3}), frozenset({8, 20}), frozenset({9}))
    assert not is_cut(ITEM, of)
    assert not is_cut(replace(ITEM, end_line=9), of), "a blank line after it ends nothing"
    assert is_cut(replace(ITEM, end_line=10), of)
    assert not is_cut(replace(ITEM, end_line=10, content=f"{ITEM.content}\n# ... lines 9-10 left out"), of)
    assert is_cut(replace(ITEM, start_line=2, content=f"{ITEM.content}\n# ... lines 9-10 left out"), of)


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"confidence": "weak"}, "weak"),
        ({"confidence": {"grade": "strong", "reason": "names"}}, "strong"),
        ({"index": {}}, "ungraded"),
    ],
)
def test_grades_come_from_meta(meta: dict[str, Any], expected: str) -> None:
    pack = Pack("q", "m", "balanced", (ITEM,), Budget(100, 10, False, 0))
    assert grade(meta, pack) == expected
    assert grade(meta, replace(pack, items=())) == ("none" if expected == "ungraded" else expected)
    assert confidence(None) == "none"


# Documents.

DOCUMENT: dict[str, Any] = {
    "repository": "owner/tree", "commit": "0" * 40, "language": "python", "license": "MIT", "root": "",
    "questions": [
        {
            "repo": "tree", "kind": "behaviour", "query": "how are requests served on a port", "why": "It accepts.",
            "spans": [{"path": "server.py", "start_line": 1, "end_line": 3, "grade": 2}],
        },
        {
            "repo": "tree", "kind": "change", "query": "sort rows by another key", "why": "It sorts.",
            "spans": [
                {"path": "sorting.py", "start_line": 1, "end_line": 2, "grade": 2},
                {"path": "cache.py", "start_line": 1, "end_line": 3, "grade": 1},
            ],
        },
    ],
}  # fmt: skip
TREE = {
    "cache.py": "class EmbeddingCache:\n    def __init__(self):\n        self.items = {}\n",
    "server.py": "def serve_requests(port):\n    while True:\n        accept_connection(port)\n",
    "sorting.py": "def sort_rows(rows):\n    return sorted(rows)\n",
}


def changed(number: int, **values: Any) -> dict[str, Any]:
    """The document with one question changed."""
    questions = [item | values if at == number else item for at, item in enumerate(DOCUMENT["questions"])]
    return DOCUMENT | {"questions": questions}


def span(**values: Any) -> dict[str, Any]:
    return DOCUMENT["questions"][0]["spans"][0] | values


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A suite of one document, and the trees."""
    suite, root = tmp_path / "suite", tmp_path / "trees" / "tree"
    suite.mkdir()
    root.mkdir(parents=True)
    (suite / "tree.json").write_text(collect.document_text(DOCUMENT))
    for name, text in TREE.items():
        (root / name).write_text(text)
    return suite, root.parent


def test_our_questions_are_whole() -> None:
    found, asked, where = [], [], Counter[str]()
    for split in collect.SPLITS:
        for path in question_files(collect.QUESTIONS / split):
            document = json.loads(path.read_text("utf-8"))
            found += [f"{split}/{path.name}: {fault}" for fault in faults(document)]
            found += [] if path.stem == name_of(document) else [f"{split}/{path.name} is about another repository"]
            found += (
                [] if path.read_text("utf-8") == collect.document_text(document) else [f"{path.name} is laid out anew"]
            )
            asked += [hash((one["repo"], one["query"])) for one in document["questions"]]
            # Topics are asked of the repositories of `choose` and `unread-2`.
            where[document["repository"].lower()] += "topics" not in split
    assert found == []
    assert len(asked) == len(set(asked)) >= 400
    assert len(where) == where.total() >= 50, "a repository is in one split alone"


def test_our_repositories_are_not_those_of_the_public_suite() -> None:
    excluded = json.loads((collect.QUESTIONS.parents[1] / "research" / "training" / "excluded.json").read_text())[
        "repositories"
    ]
    ours = {
        json.loads(path.read_text("utf-8"))["repository"].lower()
        for split in collect.SPLITS
        for path in question_files(collect.QUESTIONS / split)
    }
    assert not ours & {name.lower() for name in excluded}


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        (DOCUMENT | {"language": "C++"}, "no language"),
        (DOCUMENT | {"commit": "abc"}, "whole commit"),
        (DOCUMENT | {"questions": []}, "asks nothing"),
        (DOCUMENT | {"questions": DOCUMENT["questions"][:1] * 2}, "a question twice"),
        (DOCUMENT | {"more": 1}, "its keys"),
        (changed(0, kind="riddle"), "question 1: it needs"),
        (changed(1, repo="other"), "question 2: it needs"),
        (changed(0, spans=[]), "0 spans must be read"),
        (changed(0, spans=[span(grade=1)]), "0 spans must be read"),
        (changed(0, spans=[span(path=f"{n}.py") for n in range(7)]), "7 spans must be read"),
        (changed(0, spans=[span(), span(grade=1)]), "a span comes twice"),
        (changed(0, spans=[span(grade=3)]), "a span has"),
        (changed(0, spans=[span(end_line=151)]), "span 1 is no range"),
        (changed(0, spans=[span(start_line=0)]), "span 1 is no range"),
        (changed(0, spans=[span(path="../server.py")]), "span 1 is no range"),
        (changed(0, spans=[span(end_line=4)]), "span 1 is not in the tree"),
        (changed(0, spans=[span(path="gone.py")]), "span 1 is not in the tree"),
    ],
)  # fmt: skip
def test_faults_of_a_document_are_found(folders: tuple[Path, Path], document: dict[str, Any], fault: str) -> None:
    assert faults(DOCUMENT, folders[1] / "tree") == []
    found = faults(document, folders[1] / "tree")
    assert any(fault in one for one in found)
    assert "served on a port" not in "".join(found)


def test_documents_are_filed_by_split(folders: tuple[Path, Path], tmp_path: Path) -> None:
    suite, held = folders
    (suite / "tree.json").write_text(json.dumps(DOCUMENT | {"language": "Python"}, indent=3))
    splits: dict[str, list[str]] = {"learn": [], "choose": ["owner/tree"], "unread": []}
    counts = collect.collect(suite, splits, tmp_path / "filed", held)
    assert counts == {"learn": 0, "choose": 1, "unread": 0, "unread-2": 0, "topics": 0, "unread-topics": 0}
    filed = tmp_path / "filed" / "choose" / "tree.json"
    assert json.loads(filed.read_text()) == DOCUMENT
    assert len(filed.read_text().splitlines()) == 4
    with pytest.raises(ValueError, match=r"tree\.json: its repository is in no split"):
        collect.collect(suite, splits | {"choose": []}, tmp_path / "filed", held)


def test_both_layouts_are_read(folders: tuple[Path, Path], tmp_path: Path) -> None:
    ours = load_suite(folders[0], [tmp_path / "elsewhere", folders[1]])
    public = tmp_path / "public"
    public.mkdir()
    (public / "part-1.json").write_text(json.dumps(DOCUMENT["questions"]))
    repos = tmp_path / "repos.json"
    repos.write_text(json.dumps([{"name": "tree", "language": "python", "benchmark_root": None}]))
    assert load_suite(public, [folders[1]], repos).repositories == ours.repositories
    assert (ours.questions, ours.repositories[0].root) == (2, folders[1] / "tree")
    assert [one.kind for one in ours.repositories[0].questions] == ["behaviour", "change"]
    with pytest.raises(FileNotFoundError, match="none of its repositories' trees"):
        load_suite(folders[0], [tmp_path / "elsewhere"])


def test_trees_are_written_from_mirrors(tmp_path: Path) -> None:
    source = tmp_path / "mirrors" / "owner+tree" / "repo"
    source.mkdir(parents=True)
    git = [
        "git",
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "commit.gpgsign=false",
        "-C",
        str(source),
    ]
    for name, text in TREE.items():
        (source / name).write_text(text)
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "Begin"], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    (tmp_path / "questions" / "learn").mkdir(parents=True)
    for name, sha in (("tree", commit), ("gone", "0" * 40)):
        about = DOCUMENT | {"repository": f"owner/{name}", "commit": sha}
        (tmp_path / "questions" / "learn" / f"{name}.json").write_text(json.dumps(about))
    dest, mirrors = tmp_path / "dest", tmp_path / "mirrors"
    told = list(trees.write_trees(dest, mirrors, ["learn"], tmp_path / "questions"))
    assert told == ["gone: no mirror of owner/gone has its commit", "tree: 3 files"]
    assert (dest / "tree" / "server.py").read_text() == TREE["server.py"]
    again = list(trees.write_trees(dest, mirrors, ["learn"], tmp_path / "questions"))
    assert again == ["gone: no mirror of owner/gone has its commit"], "what is there is not written again"


# Runs.


def test_a_run_writes_table_and_result_and_repeats(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = []
    for name in ("a.json", "b.json"):
        arguments = ["--suite", str(folders[0]), "--trees", str(folders[1])]
        main([*arguments, "--out", str(tmp_path / name), "--table", str(tmp_path / "table.md")])
        results.append(json.loads((tmp_path / name).read_text()))
    assert results[0]["engines"] == results[1]["engines"]
    first, second = results[0]["engines"]["ctxpack"]
    assert first["measures"]["8000"]["cover"] == second["measures"]["8000"]["cover"] == 1.0
    assert (results[0]["shape"]["packs"], results[0]["shape"]["cut"]) == (2, [])
    table = (tmp_path / "table.md").read_text()
    assert "| cover@8000 | 1.000 |" in table
    assert "| kind change | 1 | 1.000 | 1.000 | 1.000 | 1.000 |" in table
    assert table in capsys.readouterr().out


def test_a_run_below_its_mark_fails(folders: tuple[Path, Path]) -> None:
    arguments = ["--suite", str(folders[0]), "--trees", str(folders[1])]
    with pytest.raises(SystemExit, match=r"yield@2000 of ctxpack is .*, less than 1\.5"):
        main([*arguments, "--least", "yield@2000=1.5"])


def test_a_repository_that_no_ranker_left_out_is_an_error(folders: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="left these out: tree"):
        main(["--suite", str(folders[0]), "--trees", str(folders[1]), "--rankers", str(tmp_path / "none")])


def test_one_question_for_reading(folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--suite", str(folders[0]), "--trees", str(folders[1]), "--repository", "tree"]
    compare.main(arguments)
    assert capsys.readouterr().out.splitlines()[1] == "2 change: sort rows by another key"
    compare.main([*arguments, "--question", "2"])
    out = capsys.readouterr().out
    assert "## must be read: sorting.py:1:2\n*     1 def sort_rows(rows):" in out
    assert "## helps: cache.py:1:3\n" in out
    assert "lines of each span that must be read: 2/2" in out
    for wrong in (["--question", "3"], ["--repository", "other"]):
        with pytest.raises(SystemExit, match=r"has questions 1 to 2|asks nothing of other"):
            compare.main([*arguments, *wrong])


class Listed:
    """The answers that the peer's process would give."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def index(self, root: Path) -> None:
        self.asked.append(root.name)

    def search(self, query: str, *, deep: int) -> engines.Answer:
        self.asked.append(query)
        return engines.Answer([], [Place("a.py", 1, 10, 1_500), Place("b.py", 5, 9, 900), Place("b.py", 1, 2, 90)], 0.0)


def test_the_peer_is_asked_once_and_its_results_added_while_they_fit() -> None:
    listed = Listed()
    side = PeerResults(cast(engines.Peer, listed))
    side.open(Repository("tree", Path("tree"), "python", (QUESTION,)))
    given = ask(side, QUESTION)
    assert listed.asked == ["tree", QUESTION.query]
    assert given.items == {2_000: 2, 4_000: 3, 8_000: 3, 16_000: 3}
    assert [given.measures[budget]["cover"] for budget in BUDGETS] == [0.5, 1, 1, 1]


def test_one_command_asks_each_suite_with_rankers_that_never_saw_it() -> None:
    common = ["--results", "r", "--peer-python", "p", "--peer-model", "m", "--public", "dev"]
    arguments = [*common, "--explore", "explore-dev", "questions/choose", "--trees", "a", "b"]
    found = reproduce.explore_suites(reproduce.parser().parse_args(arguments))
    assert list(found) == ["explore-dev", "explore-choose"]
    learned, chosen = (explore.parser().parse_args(one) for one in found.values())
    assert (learned.rankers, chosen.rankers) == (reproduce.FOLDS, None)
    assert (learned.trees, learned.repos) == ([Path("a"), Path("b")], Path("dev/repos.json"))


def question_score(side: str, repository: str, cover: float, kind: str = KINDS[0]) -> QuestionScore:
    question = replace(QUESTION, repository=repository, kind=kind)
    values = dict.fromkeys(BUDGETS, dict.fromkeys(("cover", "spans", "touch", "yield"), cover))
    return QuestionScore(question, values, dict.fromkeys(BUDGETS, int(side == "ctxpack")))


def test_a_table_of_two_sides_resamples_by_repository() -> None:
    covers = {"ctxpack": (0.5, 0.5, 1.0), "semble": (0.0, 0.5, 0.5)}
    runs = [
        Run(side, tuple(question_score(side, *row) for row in zip("aab", values, KINDS, strict=False)))
        for side, values in covers.items()
    ]
    stats = PackStats(right=Counter(strong=3, weak=1), elsewhere=Counter(none=1, weak=1))
    about = dict.fromkeys(("suite", "questions", "repositories", "commit", "machine", "command"), "x")
    text = tables.table(about, runs, stats)
    # Draws that contain only one of the two repositories are the bounds: (0.5, 1.0) and (0.25, 0.5).
    assert "| cover@2000 | 0.667 [0.500, 1.000] | 0.333 [0.250, 0.500] | 0.333 [0.250, 0.500] |" in text
    assert "| kind mechanism | 1 |" in text and "| language python | 3 |" in text
    assert "- Questions without a result of semble: 3 at 2,000" in text
