"""The training of the static model: comments, hunks, the gradient of the loss."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from benchmarks.research.training.comments import doc_pairs, inner_comments, module_sentence, titled_tests
from benchmarks.research.training.loss import info_nce, through_unit, unit_and_length
from benchmarks.research.training.mirrors import HERE, code_files, find_mirrors, hunks

DOCUMENTED = {
    "python": ('def evict(key):\n    """Drop the oldest entry.\n\n    More.\n    """\n    store.pop(key)\n\nx = 1\n',
               "Drop the oldest entry", "def evict(key):\n    store.pop(key)"),
    "go": ("// Evict drops the oldest entry.\nfunc Evict(k string) {\n\tdelete(m, k)\n}\n\nvar x = 1\n",
           "drops the oldest entry", "func Evict(k string) {\n\tdelete(m, k)\n}"),
    "javascript": ("/**\n * Drops the oldest entry.\n * @param k the key\n */\nfunction evict(k) {\n  m.delete(k)\n}\n",
                   "Drops the oldest entry", "function evict(k) {\n  m.delete(k)\n}"),
    "rust": ("/// Drops the oldest entry.\n#[inline]\nfn evict(k: &str) {\n    m.remove(k);\n}\n",
             "Drops the oldest entry", "fn evict(k: &str) {\n    m.remove(k);\n}"),
    "ruby": ("# Drops the oldest entry.\ndef evict(k)\n  @m.delete(k)\nend\n",
             "Drops the oldest entry", "def evict(k)\n  @m.delete(k)\nend"),
    "elixir": ('@doc """\nDrops the oldest entry.\n"""\ndef evict(m, k) do\n  Map.delete(m, k)\nend\n',
               "Drops the oldest entry", "def evict(m, k) do\n  Map.delete(m, k)\nend"),
}  # fmt: skip


@pytest.mark.parametrize("style", DOCUMENTED)
def test_a_doc_comment_gives_its_sentence_and_the_code_without_it(style: str) -> None:
    text, sentence, code = DOCUMENTED[style]
    [found] = doc_pairs(text, style)
    assert (found.sentence, found.code.strip()) == (sentence, code)


def test_licence_headers_and_todos_are_no_documentation() -> None:
    for comment in ("Copyright 2020 The Authors, all of them", "TODO make this one faster", "two words"):
        assert not list(doc_pairs(f"/// {comment}\nfn f() {{\n    g();\n}}\n", "rust"))


def test_a_module_gives_its_first_sentence() -> None:
    assert module_sentence('"""Reads the configuration file. And more."""\nimport os\n', "python")


def test_inner_comments_describe_the_lines_after_them() -> None:
    text = "def f():\n    # Wait until the server is ready\n    while not up():\n        sleep(1)\n\n    done()\n"
    [found] = inner_comments(text, "python")
    assert found.sentence == "Wait until the server is ready"
    assert found.code == "    while not up():\n        sleep(1)"


@pytest.mark.parametrize(
    ("line", "style"),
    [
        ("it('drops the oldest entry when full', () => {", "javascript"),
        ("def test_drops_the_oldest_entry_when_full(self):", "python"),
        ("func TestDropsTheOldestEntryWhenFull(t *testing.T) {", "go"),
        ("    fun `drops the oldest entry when full`() {", "java"),
    ],
)
def test_a_test_says_what_it_tests(line: str, style: str) -> None:
    [found] = titled_tests(f"{line}\n        check()\n", style)
    assert found.sentence.lower() == "drops the oldest entry when full"


def test_mirrors_give_trees_and_hunks_as_they_stood_before(tmp_path: Path) -> None:
    work = tmp_path / "someone+cache" / "repo"
    work.mkdir(parents=True)

    def git(*args: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *args], cwd=work, check=True, capture_output=True)

    git("init", "-q")
    (work / "lru.py").write_text("limit = 10\n")
    (work / "notes.txt").write_text("none\n")
    git("add", ".")
    git("commit", "-qm", "first")
    (work / "lru.py").write_text("limit = 20\n")
    git("commit", "-qam", "Raise the limit of the cache")
    [mirror] = find_mirrors(tmp_path)
    assert mirror.slug == "someone/cache"
    assert list(code_files(mirror)) == [("lru.py", "limit = 20\n")]
    [hunk] = hunks(mirror, 10)
    assert (hunk.subject, hunk.path, hunk.text) == ("Raise the limit of the cache", "lru.py", "limit = 10")


def test_nothing_of_the_public_suite_was_read() -> None:
    read = {name.lower() for name in json.loads((HERE / "repositories.json").read_text())}
    excluded = {name.lower() for name in json.loads((HERE / "excluded.json").read_text())["repositories"]}
    held_out = {name.lower() for name in json.loads((HERE / "development.json").read_text())["repositories"]}
    assert not read & excluded
    assert held_out <= read


def test_the_gradient_of_the_loss_is_its_slope() -> None:
    dice = np.random.default_rng(0)
    raw, documents = dice.normal(size=(6, 5)), unit_and_length(dice.normal(size=(6, 5)))[0]
    masked = np.zeros((6, 6), bool)
    masked[0, 3] = masked[3, 0] = True

    def loss(values: np.ndarray) -> float:
        return info_nce(unit_and_length(values)[0], documents, masked, 7.0)[0]

    units, lengths = unit_and_length(raw)
    gradient = through_unit(info_nce(units, documents, masked, 7.0)[1], units, lengths)
    for place in ((0, 1), (3, 2), (5, 4)):
        step = np.zeros_like(raw)
        step[place] = 1e-5
        assert gradient[place] == pytest.approx((loss(raw + step) - loss(raw - step)) / 2e-5, abs=1e-5)
