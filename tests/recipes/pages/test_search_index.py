"""The full text of a vault: it follows the pages, and what it says depends on them alone."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from context_pack.corpora.cached import digest_of
from context_pack.corpora.homes import corpus_home
from context_pack.corpora.vault import search_tables
from context_pack.corpora.vault.pages import from_record, record_of
from context_pack.corpora.vault.search_index import BATCH, FILE, PageIndex
from context_pack.corpora.vault.search_tables import MANY, Row, Source, row_of
from contracts.errors import IndexLocked, IOFailure

WORDS = ("bread", "dough", "tide", "moon", "salt")
BODIES = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
VAULTS = st.dictionaries(st.sampled_from([f"wiki/{name}.md" for name in "abcdef"]), BODIES, max_size=6)


def source(pages: Mapping[str, str], read: list[str] | None = None) -> Source:
    """Pages as if they were files; `read` notes which of them are asked for."""
    digests = {path: digest_of(body.encode()) for path, body in pages.items()}

    def row(path: str) -> Row:
        if read is not None:
            read.append(path)
        data = pages[path].encode()
        return row_of(from_record(record_of(data, path)), digest_of(data), data)

    content = digest_of(repr(sorted(pages.items())).encode())
    return Source(content, lambda: digests, row)


def opened(root: Path, pages: Mapping[str, str], read: list[str] | None = None) -> PageIndex:
    index = PageIndex("test", str(root))
    index.refresh(source(pages, read))
    return index


def taken(root: Path, pages: Mapping[str, str]) -> PageIndex:
    """An index that was filled while the pages were parsed."""
    index = PageIndex("test", str(root))
    for path, body in pages.items():
        data = body.encode()
        index.take(path, digest_of(data), data, record_of(data, path))
    index.refresh(source(pages))
    return index


def answers(index: PageIndex) -> list[object]:
    return [[index.search([word], 9) for word in WORDS], index.search(WORDS, 9), index.search(WORDS, 2)]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(VAULTS, min_size=2, max_size=4))
def test_however_it_came_about_the_same_pages_give_the_same_scores(
    tmp_path: Path, cache_folder: Path, states: list[dict[str, str]]
) -> None:
    shutil.rmtree(cache_folder, ignore_errors=True)
    for pages in states:
        followed = opened(tmp_path, pages)
    shutil.rmtree(cache_folder)
    assert answers(opened(tmp_path, states[-1])) == answers(followed)
    shutil.rmtree(cache_folder)
    assert answers(taken(tmp_path, states[-1])) == answers(followed)


def test_only_what_changed_is_read(tmp_path: Path) -> None:
    read: list[str] = []
    opened(tmp_path, {"wiki/a.md": "bread", "wiki/b.md": "dough", "wiki/c.md": "tide"}, read)
    assert sorted(read) == ["wiki/a.md", "wiki/b.md", "wiki/c.md"]
    read.clear()
    found = opened(tmp_path, {"wiki/a.md": "bread", "wiki/b.md": "moon", "wiki/d.md": "salt"}, read)
    assert sorted(read) == ["wiki/b.md", "wiki/d.md"]
    assert [path for path, _ in found.search(WORDS, 9)] == ["wiki/a.md", "wiki/b.md", "wiki/d.md"]
    read.clear()
    opened(tmp_path, {"wiki/a.md": "bread", "wiki/b.md": "moon", "wiki/d.md": "salt"}, read)
    assert read == []


def test_what_was_taken_is_not_read_again(tmp_path: Path) -> None:
    pages = {f"wiki/{number:04}.md": f"bread {number}" for number in range(2 * BATCH + 3)}
    index = PageIndex("test", str(tmp_path))
    for path, body in pages.items():
        index.take(path, digest_of(body.encode()), body.encode(), record_of(body.encode(), path))
    read: list[str] = []
    index.refresh(source(pages, read))
    assert read == []
    assert len(index.search(["bread"], 9_999)) == len(pages)


def test_a_page_that_cannot_be_read_is_tried_again(tmp_path: Path) -> None:
    pages = {"wiki/a.md": "bread", "wiki/b.md": "bread"}
    whole = source(pages)

    def row(path: str) -> Row:
        if path == "wiki/b.md":
            raise PermissionError
        return whole.read(path)

    index = PageIndex("test", str(tmp_path))
    index.refresh(whole._replace(read=row))
    assert [path for path, _ in index.search(["bread"], 9)] == ["wiki/a.md"]
    assert len(opened(tmp_path, pages).search(["bread"], 9)) == 2


def test_a_word_that_most_pages_hold_counts_where_the_others_have_too_few(tmp_path: Path) -> None:
    pages = {f"wiki/{number}.md": "bread" for number in range(6)} | {"wiki/x.md": "bread salt", "wiki/y.md": "salt"}
    index = opened(tmp_path, pages)
    assert [path for path, _ in index.search(["bread", "salt"], 2)] == ["wiki/y.md", "wiki/x.md"]
    assert [path for path, _ in index.search(["bread", "salt"], 3)[:3]] == ["wiki/y.md", "wiki/x.md", "wiki/0.md"]
    assert index.search(["absent"], 3) == []


def test_many_equal_pages_all_come_along(tmp_path: Path) -> None:
    pages = {f"wiki/{number:04}.md": "bread" if number % 3 else "salt" for number in range(4 * MANY)}
    found = opened(tmp_path, pages).search(["salt"], 3)
    assert len(found) == len([text for text in pages.values() if text == "salt"])
    assert found == sorted(found, key=lambda one: one[0])


def test_texts_are_names_and_body(tmp_path: Path) -> None:
    index = opened(tmp_path, {"wiki/a.md": "---\ntitle: Rye loaf\ntags: [bread]\n---\nBake it.", "wiki/b.md": "x\0y"})
    assert index.texts(["wiki/b.md", "wiki/a.md", "wiki/none.md"]) == ["b b\nx y", "rye loaf a bread\n\nBake it.", ""]


@pytest.mark.parametrize("damage", [b"", b"no database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_index_is_made_again(tmp_path: Path, damage: bytes) -> None:
    pages = {f"wiki/{number:03}.md": f"bread {number}" for number in range(300)}
    opened(tmp_path, pages)
    file = corpus_home("test", str(tmp_path)) / FILE
    whole = file.read_bytes()
    for broken in (damage, whole[: len(whole) // 2], whole[:4096] + b"\xff" * 8192 + whole[12288:]):
        file.write_bytes(broken)
        assert len(opened(tmp_path, pages).search(["bread"], 999)) == 300


def test_an_index_without_its_tables_is_made_again(tmp_path: Path) -> None:
    opened(tmp_path, {"wiki/a.md": "bread"})
    other = sqlite3.connect(corpus_home("test", str(tmp_path)) / FILE, isolation_level=None)
    other.execute("drop table about")
    other.close()
    index = opened(tmp_path, {"wiki/a.md": "bread"})
    assert (len(index.search(["bread"], 9)), index.unsaved) == (1, "")
    read: list[str] = []
    opened(tmp_path, {"wiki/a.md": "bread"}, read)
    assert read == []


def test_an_index_of_another_version_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, {"wiki/a.md": "bread"})
    monkeypatch.setattr(search_tables, "VERSION", 99)
    read: list[str] = []
    opened(tmp_path, {"wiki/a.md": "bread"}, read)
    assert read == ["wiki/a.md"]


def test_without_a_place_to_write_the_index_lives_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "file"))
    for made in (opened, taken):
        index = made(tmp_path, {"wiki/a.md": "bread"})
        assert [path for path, _ in index.search(["bread"], 9)] == ["wiki/a.md"]
        assert "cannot be written" in index.unsaved


def test_an_index_that_cannot_be_changed_is_made_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk: no more pages than there are."""
    opened(tmp_path, {"wiki/a.md": "bread"})
    full = search_tables.opened

    def small(path: Path | None) -> sqlite3.Connection:
        database = full(path)
        if path is not None:
            database.execute("pragma max_page_count = 1")
        return database

    monkeypatch.setattr(search_tables, "opened", small)
    pages = {f"wiki/{number}.md": "bread " * 500 for number in range(50)}
    index = opened(tmp_path, pages)
    assert len(index.search(["bread"], 99)) == 50
    assert "database or disk is full" in index.unsaved


def test_a_python_without_full_text_search_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_tables, "_TABLES", ("create virtual table page using fts99(name, body)",))
    with pytest.raises(IOFailure, match="has no full-text search") as caught:
        opened(tmp_path, {"wiki/a.md": "bread"})
    assert "--searcher none" in caught.value.hint


def test_another_writer_is_waited_for_and_then_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, {"wiki/a.md": "bread"})
    monkeypatch.setattr(search_tables, "WAIT_S", 0.05)
    other = sqlite3.connect(corpus_home("test", str(tmp_path)) / FILE, isolation_level=None)
    other.execute("begin exclusive")
    with pytest.raises(IndexLocked):
        opened(tmp_path, {"wiki/a.md": "dough"})
    other.execute("rollback")
    assert len(opened(tmp_path, {"wiki/a.md": "dough"}).search(["dough"], 9)) == 1


def test_threads_of_one_process_make_the_same_index_at_once(tmp_path: Path) -> None:
    pages = {f"wiki/{number:03}.md": f"bread {number}" for number in range(300)}
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: taken(tmp_path, pages).search(["bread", "7"], 999), range(8)))
    assert all(one == made[0] for one in made)
    assert {path.name for path in corpus_home("test", str(tmp_path)).iterdir()} == {"ROOT", FILE}


def test_what_a_killed_writer_left_harms_nothing_and_goes(tmp_path: Path) -> None:
    """A process that dies in the middle of a change: SQLite's journal takes it back."""
    pages = {"wiki/a.md": "bread"}
    opened(tmp_path, pages)
    home = corpus_home("test", str(tmp_path))
    dying = (
        "import sqlite3, os; d = sqlite3.connect('search.db', isolation_level=None); d.execute('pragma cache_size=1');"
        "d.execute('begin'); d.execute('delete from file'); d.execute('delete from page'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", dying], cwd=home, check=False)
    assert [path for path, _ in opened(tmp_path, pages).search(["bread"], 9)] == ["wiki/a.md"]


@pytest.mark.parametrize("name", ["search.db.71", "search.db.71-140", "search.db.71-140-journal", "records.71-140"])
def test_what_a_killed_writer_was_making_goes_although_the_index_stays(tmp_path: Path, name: str) -> None:
    pages = {"wiki/a.md": "bread"}
    opened(tmp_path, pages)
    home = corpus_home("test", str(tmp_path))
    (home / name).write_bytes(b"half of it")
    opened(tmp_path, pages)
    assert (home / name).exists(), "another process may be at it"
    os.utime(home / name, (1_700_000_000, 1_700_000_000))
    opened(tmp_path, pages)
    assert {path.name for path in home.iterdir()} == {"ROOT", FILE}
