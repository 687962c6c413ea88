"""The full-text index of a vault: it follows the pages, and its answers depend only on them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_pack.io.cache_dirs import corpus_home
from context_pack.io.markdown_files import CorpusReader
from context_pack.kinds.pages import search_index
from context_pack.kinds.pages.search_index import FILE, SearchIndex
from context_pack.kinds.pages.vault import KIND, Vault, read_vault
from contracts.errors import IndexLocked, IOFailure

WORDS = ("bread", "dough", "tide", "moon", "salt")
BODIES = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
VAULTS = st.dictionaries(st.sampled_from([f"wiki/{name}.md" for name in "abcdef"]), BODIES, max_size=6)


def written(root: Path, pages: Mapping[str, str]) -> Vault:
    """A vault with exactly these pages."""
    shutil.rmtree(root / "wiki", ignore_errors=True)
    (root / "wiki").mkdir(parents=True)
    for path, body in pages.items():
        (root / path).write_text(body)
    return read_vault(root)


@pytest.fixture(autouse=True)
def closed_indexes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Closes each index that a test opens. From 3.13 on, Python warns of databases that are left open."""
    with ExitStack() as stack:

        class Closed(SearchIndex):
            def __init__(self, vault: Vault) -> None:
                super().__init__(vault)
                stack.callback(self.close)

        monkeypatch.setattr(sys.modules[__name__], "SearchIndex", Closed)
        yield


def opened(root: Path, pages: Mapping[str, str]) -> SearchIndex:
    return SearchIndex(written(root, pages))


def home(root: Path) -> Path:
    return corpus_home(KIND, str(root))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that the index reads."""
    paths: list[str] = []

    class Noting(CorpusReader):
        def content(self, path: str) -> bytes:
            paths.append(path)
            return super().content(path)

    monkeypatch.setattr(search_index, "CorpusReader", Noting)
    return paths


@settings(max_examples=40, deadline=None)
@given(st.lists(VAULTS, min_size=2, max_size=4))
def test_however_it_came_about_the_same_pages_give_the_same_scores(
    tmp_path: Path, cache_folder: Path, states: list[dict[str, str]]
) -> None:
    def answers(pages: Mapping[str, str]) -> list[object]:
        with closing(opened(tmp_path, pages)) as index:
            return [[index.search([word], 9) for word in WORDS], index.search(WORDS, 9), index.search(WORDS, 1)]

    shutil.rmtree(cache_folder, ignore_errors=True)
    for pages in states:
        followed = answers(pages)
    shutil.rmtree(cache_folder)
    assert answers(states[-1]) == followed


def test_only_what_changed_is_read(tmp_path: Path, read: list[str]) -> None:
    opened(tmp_path, {"wiki/a.md": "bread", "wiki/b.md": "dough", "wiki/c.md": "tide"})
    assert read == ["wiki/a.md", "wiki/b.md", "wiki/c.md"]
    read.clear()
    found = opened(tmp_path, {"wiki/a.md": "bread", "wiki/b.md": "moon", "wiki/d.md": "salt"})
    assert read == ["wiki/b.md", "wiki/d.md"]
    assert [path for path, _ in found.search(WORDS, 9)] == ["wiki/a.md", "wiki/b.md", "wiki/d.md"]
    read.clear()
    opened(tmp_path, {"wiki/a.md": "bread", "wiki/b.md": "moon", "wiki/d.md": "salt"})
    assert read == []


@pytest.mark.parametrize("how", ["gone", "changed"])
def test_a_page_that_has_just_changed_is_tried_again(tmp_path: Path, how: str) -> None:
    vault = written(tmp_path, {"wiki/a.md": "bread", "wiki/b.md": "bread"})
    if how == "gone":
        (tmp_path / "wiki/b.md").unlink()
    else:
        (tmp_path / "wiki/b.md").write_text("dough")
    assert [path for path, _ in SearchIndex(vault).search(["bread", "dough"], 9)] == ["wiki/a.md"]
    (tmp_path / "wiki/b.md").write_text("bread")
    assert len(SearchIndex(read_vault(tmp_path)).search(["bread"], 9)) == 2


def test_a_word_that_most_pages_hold_counts_where_the_others_have_too_few(tmp_path: Path) -> None:
    pages = {f"wiki/{number}.md": "bread" for number in range(6)} | {"wiki/x.md": "bread salt", "wiki/y.md": "salt"}
    index = opened(tmp_path, pages)
    assert [path for path, _ in index.search(["bread", "salt"], 2)] == ["wiki/y.md", "wiki/x.md"]
    assert [path for path, _ in index.search(["bread", "salt"], 3)] == ["wiki/y.md", "wiki/x.md", *sorted(pages)[:6]]
    assert index.search(["absent"], 3) == []


def test_equal_pages_come_by_their_paths(tmp_path: Path) -> None:
    pages = {f"wiki/{name}.md": "bread" if number % 3 else "salt" for number, name in enumerate("äZaz9Bb-é")}
    found = opened(tmp_path, pages).search(["salt"], 3)
    assert [path for path, _ in found] == sorted(path for path, text in pages.items() if text == "salt")


def test_the_score_is_bm25(tmp_path: Path) -> None:
    """By hand, with k1 = 1.2 and b = 0.75: `salt` is in one of four pages, once in its names and twice in its text."""
    pages = {"wiki/a.md": "---\ntitle: salt\n---\nsalt salt", "wiki/b.md": "x y", "wiki/c.md": "x", "wiki/d.md": "y"}
    words = {"a": 4, "b": 4, "c": 3, "d": 3}  # title, slug and text
    idf = 0.8472978604  # ln((4 - 1 + 0.5) / (1 + 0.5))
    frequency = 3.0 * 1 + 2
    norm = 1.2 * (0.25 + 0.75 * words["a"] / (sum(words.values()) / 4))
    [(path, score)] = opened(tmp_path, pages).search(["salt"], 3)
    assert path == "wiki/a.md"
    assert score == pytest.approx(idf * frequency * 2.2 / (frequency + norm), abs=1e-5)


def test_texts_are_names_and_body(tmp_path: Path) -> None:
    index = opened(tmp_path, {"wiki/a.md": "---\ntitle: Rye loaf\ntags: [bread]\n---\nBake it.", "wiki/b.md": "x\0y"})
    texts = [index.text(path) for path in ("wiki/b.md", "wiki/a.md", "wiki/none.md")]
    assert texts == ["b b\nx y", "rye loaf a bread\n\nBake it.", ""]


@pytest.mark.parametrize("damage", [b"", b"no database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_index_is_made_again(tmp_path: Path, damage: bytes) -> None:
    pages = {f"wiki/{number:03}.md": f"bread {number}" for number in range(300)}
    opened(tmp_path, pages)
    file = home(tmp_path) / FILE
    whole = file.read_bytes()
    for broken in (damage, whole[: len(whole) // 2], whole[:4096] + b"\xff" * 8192 + whole[12288:]):
        file.write_bytes(broken)
        index = opened(tmp_path, pages)
        assert (len(index.search(["bread"], 999)), index.unsaved) == (300, "")


@pytest.mark.parametrize("table", ["file", "page"])
def test_an_index_without_its_tables_is_made_again(tmp_path: Path, table: str, read: list[str]) -> None:
    opened(tmp_path, {"wiki/a.md": "bread"})
    other = sqlite3.connect(home(tmp_path) / FILE, isolation_level=None)
    other.execute(f"drop table {table}")
    other.close()
    index = opened(tmp_path, {"wiki/a.md": "bread"})
    assert (len(index.search(["bread"], 9)), index.unsaved) == (1, "")
    read.clear()
    opened(tmp_path, {"wiki/a.md": "bread"})
    assert read == []


def test_without_a_writable_folder_the_index_is_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "file"))
    index = opened(tmp_path, {"wiki/a.md": "bread"})
    assert [path for path, _ in index.search(["bread"], 9)] == ["wiki/a.md"]
    assert "cannot be written" in index.unsaved


def test_an_index_that_cannot_be_changed_is_made_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk: the database cannot grow."""
    opened(tmp_path, {"wiki/a.md": "bread"})
    connect = sqlite3.connect

    def small(place: Any, **options: Any) -> sqlite3.Connection:
        database = connect(place, **options)
        if place != ":memory:":
            database.execute("pragma max_page_count = 1")
        return database

    monkeypatch.setattr(sqlite3, "connect", small)
    index = opened(tmp_path, {f"wiki/{number}.md": "bread " * 500 for number in range(50)})
    assert len(index.search(["bread"], 99)) == 50
    assert "database or disk is full" in index.unsaved


def test_a_python_without_full_text_search_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "_TABLES", ("create virtual table page using fts99(name, body)",))
    with pytest.raises(IOFailure, match="has no full-text search") as caught:
        opened(tmp_path, {"wiki/a.md": "bread"})
    assert "--searcher none" in caught.value.hint


def test_another_writer_is_waited_for_and_then_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, {"wiki/a.md": "bread"})
    monkeypatch.setattr(search_index, "WAIT_S", 0.05)
    other = sqlite3.connect(home(tmp_path) / FILE, isolation_level=None)
    other.execute("begin exclusive")
    with pytest.raises(IndexLocked):
        opened(tmp_path, {"wiki/a.md": "dough"})
    other.execute("rollback")
    other.close()
    assert len(opened(tmp_path, {"wiki/a.md": "dough"}).search(["dough"], 9)) == 1


def test_threads_of_one_process_make_the_same_index_at_once(tmp_path: Path) -> None:
    vault = written(tmp_path, {f"wiki/{number:03}.md": f"bread {number}" for number in range(300)})

    def hits(number: int) -> list[tuple[str, float]]:
        with closing(search_index.SearchIndex(vault)) as index:
            return index.search(["bread", "7"], 999)

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(hits, range(8)))
    assert all(one == made[0] for one in made)
    assert {path.name for path in home(tmp_path).iterdir()} == {"ROOT", "records", FILE}


def test_only_the_owner_reads_it(tmp_path: Path) -> None:
    opened(tmp_path, {"wiki/a.md": "bread"})
    modes = {path.name: path.stat().st_mode & 0o777 for path in (home(tmp_path), home(tmp_path) / FILE)}
    assert modes == {home(tmp_path).name: 0o700, FILE: 0o600}


@pytest.mark.parametrize("damage", [b"", b"no database"], ids=["whole", "damaged"])
def test_leftovers_of_a_killed_writer_are_harmless(tmp_path: Path, damage: bytes) -> None:
    """If a process dies in the middle of a change, SQLite's journal rolls it back if necessary."""
    pages = {f"wiki/{number:03}.md": f"bread {number}" for number in range(300)}
    opened(tmp_path, pages)
    dying = (
        f"import sqlite3, os; d = sqlite3.connect({FILE!r}, isolation_level=None); d.execute('pragma cache_size=1');"
        "d.execute('begin'); d.execute('delete from file'); d.execute('delete from page'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", dying], cwd=home(tmp_path), check=False)
    assert (home(tmp_path) / f"{FILE}-journal").exists()
    if damage:
        (home(tmp_path) / FILE).write_bytes(damage)
    assert len(opened(tmp_path, pages).search(["bread"], 999)) == 300


def test_a_writer_that_is_killed_while_it_makes_the_first_index_leaves_none(tmp_path: Path) -> None:
    """Killed between any two statements, also with a journal on disk."""
    vault = written(tmp_path, {f"wiki/{number:03}.md": f"bread {number} " * 99 for number in range(60)})
    dying = (
        "import os, sqlite3, sys; from pathlib import Path\n"
        "from context_pack.kinds.pages import search_index, vault as vaults\n"
        "vault, left = vaults.read_vault(Path(sys.argv[1])), [int(sys.argv[2])]\n"
        "class Dying(sqlite3.Connection):\n"
        "    def execute(self, *statement):\n"
        "        left[0] -= 1\n"
        "        if not left[0]: os._exit(9)\n"
        "        return super().execute(*statement)\n"
        "connect = sqlite3.connect\n"
        "def small(*place, **options):\n"
        "    database = connect(*place, factory=Dying, **options)\n"
        "    sqlite3.Connection.execute(database, 'pragma cache_size = 1')\n"
        "    return database\n"
        "sqlite3.connect = small\n"
        "search_index.SearchIndex(vault)\n"
    )
    for at in (2, 4, 5, 6, 40, 100, 126):
        done = subprocess.run([sys.executable, "-c", dying, tmp_path, str(at)], check=False, capture_output=True)
        assert done.returncode == 9, done.stderr
        assert len(SearchIndex(vault).search(["bread"], 999)) == 60
        (home(tmp_path) / FILE).unlink()


@pytest.mark.parametrize("name", ["records.71-140", "records.71-1400"])
def test_the_temporary_files_of_a_killed_writer_are_removed(tmp_path: Path, name: str) -> None:
    written(tmp_path, {"wiki/a.md": "bread"})
    (home(tmp_path) / name).write_bytes(b"half of it")
    written(tmp_path, {"wiki/a.md": "dough"})
    assert (home(tmp_path) / name).exists(), "another process may be at it"
    os.utime(home(tmp_path) / name, (1_700_000_000, 1_700_000_000))
    written(tmp_path, {"wiki/a.md": "tide"})
    assert {path.name for path in home(tmp_path).iterdir()} == {"ROOT", "records"}
