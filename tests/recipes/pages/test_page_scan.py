"""Pages that are searched as they were read: the answers are those of SQLite's full-text search."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_vaults import write_page
from recipe_shell import ROOT, ctxpack
from test_search_index import opened, source

from context_pack.corpora.cached import digest_of
from context_pack.corpora.homes import corpus_home
from context_pack.corpora.vault import search_index
from context_pack.corpora.vault.pages import record_of
from context_pack.corpora.vault.reading import KIND
from context_pack.corpora.vault.scan import PageScan
from context_pack.corpora.vault.search_index import FILE, PageIndex
from context_pack.corpora.vault.search_tables import Row, StoredPages, insert, made
from context_pack.corpora.vault.tokens import Folding, shared_prefix, stems
from context_pack.recipes.pages import Asked, PageOptions, answer

STEMS = st.sampled_from(["relat", "abil", "nob", "hum", "happ", "hop", "run", "i", "e", "tr", "compar", "page", "17"])
ENDINGS = st.lists(
    st.sampled_from(
        "s es ies ed eed ing ion ional ational ation ator ize izer ization y ies i bli ble bility ity ness ful fulness "
        "ousness ous iveness ive ical icate ative alize al alism ance ence er e ement ment ent ll l".split()
    ),
    max_size=3,
).map("".join)
ODD = st.sampled_from(
    ["café", "naïve", "KÖLN", "日本語", "жук", "ЖУК", "½", "x²", "İstanbul", "éclair", "\u0301x", "ﬁne", "ß", "Ⅷ", "i"]
)
SPELLINGS = st.one_of(st.builds("{}{}".format, STEMS, ENDINGS), ODD)
GAPS = st.sampled_from([" ", "\n", "-", "_", " — ", "\u00a0", "·", "'", "⚠️", "\u0301", "\u200b", "\t", "", "🙂"])
TEXTS = st.lists(st.tuples(SPELLINGS, GAPS), max_size=12).map(lambda parts: "".join(a + b for a, b in parts))
LETTERS = [chr(code) for code in range(0x80, 0x3000) if chr(code).isprintable()]


def rows_of(texts: Sequence[tuple[str, str]]) -> list[Row]:
    return [Row(f"wiki/{number}.md", b"", name, body) for number, (name, body) in enumerate(texts)]


def stored(rows: Sequence[Row]) -> StoredPages:
    database = made(None)
    insert(database, rows)
    return StoredPages(lambda statement, values: database.execute(statement, values).fetchall())


@settings(max_examples=250, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6), st.lists(SPELLINGS, min_size=1, unique=True))
def test_scores_are_those_of_sqlite(texts: list[tuple[str, str]], asked: list[str]) -> None:
    rows = rows_of(texts)
    words = [word.lower() for word in asked if word.isalnum()]
    scan, tables = PageScan(rows), stored(rows)
    if not scan.look_for(words):
        return
    assert scan.held(words) == tables.held(words)
    found = [(path, score) for one in (scan, tables) for path, score in sorted(_scored(one, words))]
    assert found[: len(found) // 2] == found[len(found) // 2 :]
    paths = [row.path for row in rows][::-1]
    assert scan.texts([*paths, "wiki/none.md"]) == tables.texts([*paths, "wiki/none.md"])
    assert scan.count() == tables.count()


def _scored(pages: PageScan | StoredPages, words: Sequence[str]) -> list[tuple[str, float]]:
    scores = dict(pages.scores(words))
    return [(path, scores[number]) for path, number in pages.paths(scores)]


def test_nearly_every_word_can_be_looked_for() -> None:
    scan = PageScan(rows_of([("bread", "Dough, 17 loaves and a café.")]))
    assert scan.look_for(["bread", "17", "loaf", "café", "日本語"])
    assert scan.held(["bread", "17", "loaf", "café", "日本語"]) == {
        "bread": 1, "17": 1, "loaf": 0, "café": 1, "日本語": 0,
    }  # fmt: skip
    assert not scan.look_for(["bread", "i"])  # every word might have this stem
    assert not scan.look_for(["\u200b"])  # no word to SQLite


@settings(max_examples=300, deadline=None)
@given(st.lists(SPELLINGS, min_size=1))
def test_words_of_a_stem_begin_alike(words: list[str]) -> None:
    for word, stem in zip(words, stems(words), strict=True):
        if stem is not None and word.isascii():
            assert word.encode().startswith(shared_prefix(stem.encode())), (word, stem)


def test_every_letter_is_folded_as_sqlite_does() -> None:
    """Each between two words, at the start of one, and within one; more than one block of text."""
    texts = [("", f"a{letter}b {letter}c d{letter} {letter}") for letter in LETTERS]
    rows = rows_of(texts)
    scan, tables = PageScan(rows), stored(rows)
    words = ["a", "b", "c", "d", "ab", "aeb", "ac", "æ", "ж"]
    assert scan.look_for(words)
    assert _scored(scan, words) == sorted(_scored(tables, words), key=lambda one: int(one[0][5:-3]))


def test_a_text_without_other_characters_is_only_lowered() -> None:
    assert Folding.of([]).folded("Rye Bread_2") == b"rye bread_2"


def test_many_blocks_are_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of([(f"name {number % 7}", f"bread {number % 5} dough " * (number % 4)) for number in range(90)])
    whole = PageScan(rows)
    assert whole.look_for(["bread", "4", "name"])
    monkeypatch.setattr("context_pack.corpora.vault.scan.BLOCK_BYTES", 100)
    blocks = PageScan(rows)
    assert blocks.look_for(["bread", "4", "name"])
    assert blocks.scores(["bread", "4", "name"]) == whole.scores(["bread", "4", "name"]) != []


PAGES = {f"wiki/{number}.md": f"---\ntitle: Loaf {number}\n---\nbread {number % 3}" for number in range(9)}


def left_for_later(root: Path, take: bool = True) -> PageIndex:
    index = PageIndex("test", str(root), later=True)
    for path, body in PAGES.items() if take else ():
        data = body.encode()
        index.take(path, digest_of(data), data, record_of(data, path))
    index.refresh(source(PAGES))
    return index


@pytest.mark.parametrize("take", [True, False])
def test_a_large_new_vault_is_searched_before_its_index_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, take: bool
) -> None:
    monkeypatch.setattr(search_index, "LATER_FROM_BYTES", 0)
    first = left_for_later(tmp_path, take)
    found = first.search(["bread", "1"], 3), first.texts(["wiki/1.md"])
    assert first.unwritten
    assert not (corpus_home("test", str(tmp_path)) / FILE).exists()
    written = opened(tmp_path, PAGES)
    assert (written.search(["bread", "1"], 3), written.texts(["wiki/1.md"])) == found
    assert not written.unwritten
    assert not left_for_later(tmp_path).unwritten


def test_words_that_cannot_be_scanned_for_are_found_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_index, "LATER_FROM_BYTES", 0)
    index = left_for_later(tmp_path)
    found = index.search(["i", "bread"], 3)
    assert (found, index.unwritten) == (opened(tmp_path, PAGES).search(["i", "bread"], 3), False)
    assert len(found) == len(PAGES)


@pytest.mark.parametrize(("name", "limit"), [("MOST_HELD_BYTES", 20), ("LATER_FROM_BYTES", 1 << 20)])
def test_a_small_or_very_large_vault_is_written_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, limit: int
) -> None:
    monkeypatch.setattr(search_index, name, limit)
    for take in (True, False):
        (tmp_path / str(take)).mkdir()
        index = left_for_later(tmp_path / str(take), take)
        assert (corpus_home("test", str(tmp_path / str(take))) / FILE).exists()
        assert len(index.search(["bread"], 99)) == len(PAGES)


def test_without_a_place_to_write_nothing_is_left_for_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "LATER_FROM_BYTES", 0)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "file"))
    index = left_for_later(tmp_path)
    assert len(index.search(["bread"], 99)) == len(PAGES)
    assert "cannot be written" in index.unsaved
    assert not index.unwritten


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A vault that is just large enough for its index to be left for later."""
    for number in range(12):
        text = f"bread {number} dough. " * 6_000
        write_page(tmp_path, f"wiki/page-{number}.md", text, title=f"Loaf {number}", tags=["bread"])
    return tmp_path


def test_the_first_answer_leaves_the_index_to_a_process_of_its_own(large: Path, cache_folder: Path) -> None:
    asked = ("pages", "bread 7", "--vault", large, "--format", "json")
    first = ctxpack(*asked)
    file = corpus_home(KIND, str(large)) / FILE
    for _ in range(300):
        if file.exists():
            break
        time.sleep(0.1)
    assert file.exists()
    assert ctxpack(*asked).data == first.data
    at_once = ctxpack(*asked, CTXPACK_NO_BACKGROUND="1", CTXPACK_CACHE_DIR=str(cache_folder / "other"))
    assert at_once.data == first.data
    assert len(list((cache_folder / "other").rglob(FILE))) == 1


def test_a_killed_process_leaves_a_first_question(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "")
    monkeypatch.setattr("context_pack.recipes.page_search.start_later", lambda root: None)
    first = answer(Asked("bread 7"), large, PageOptions()).data
    filling = subprocess.Popen([sys.executable, "-m", "context_pack.corpora.vault.filling", str(large)], cwd=ROOT)
    home = corpus_home(KIND, str(large))
    while filling.poll() is None and not list(home.glob(f"{FILE}*")):
        time.sleep(0.001)
    os.kill(filling.pid, signal.SIGKILL)
    filling.wait()
    assert answer(Asked("bread 7"), large, PageOptions()).data == first
    done = subprocess.run(
        [sys.executable, "-m", "context_pack.corpora.vault.filling", str(large)], cwd=ROOT, check=True, timeout=60
    )
    assert (done.returncode, (home / FILE).exists()) == (0, True)
    assert answer(Asked("bread 7"), large, PageOptions()).data == first


def test_the_process_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "vault.yaml").write_text("default-domains: [a\n")
    (tmp_path / "wiki").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "context_pack.corpora.vault.filling", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "vault.yaml" in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(ctxpack("pages", "x", "--vault", tmp_path, "--format", "json").out)["status"] == "error"
