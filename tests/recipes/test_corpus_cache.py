"""Records kept between runs: used when nothing changed, never when something did, and worth nothing by themselves."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import context_pack
from context_pack.io import record_cache
from context_pack.io.cache_dirs import KEPT_S, corpus_home
from context_pack.io.markdown_files import CorpusReader, SourceFile, markdown_files, read_bytes
from context_pack.io.record_cache import Record, Records, cached_records


class Parser:
    """Counts what it parses."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def __call__(self, data: bytes, path: str) -> Record:
        self.parsed.append(path)
        return [data.decode()]


@dataclass
class Ran:
    """The records, and how many files were read for them."""

    records: Records
    read: int

    @property
    def by_path(self) -> dict[str, Record]:
        return self.records.by_path


def records(root: Path, parser: Parser, version: int = 1) -> Ran:
    paths: list[str] = []

    class Counting(CorpusReader):
        def content(self, path: str) -> bytes:
            paths.append(path)
            return super().content(path)

    files = markdown_files(str(root), ["docs"], lambda path: True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_cache, "CorpusReader", Counting)
        found = cached_records("test", version, str(root), files.files, parser)
    return Ran(found, len(paths))


def settle(*paths: Path) -> None:
    """Make files older than the file system's clock can blur. Their change time cannot be set, only waited for."""
    for path in paths:
        os.utime(path, ns=(1_700_000_000_123_456_789, 1_700_000_000_123_456_789))
    time.sleep(0.06)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "docs/deep").mkdir(parents=True)
    for name in ("docs/a.md", "docs/b.md", "docs/deep/c.md"):
        (tmp_path / name).write_text(name)
    settle(*tmp_path.rglob("*.md"))
    return tmp_path


def test_files_are_read_once(corpus: Path) -> None:
    parser = Parser()
    first, second = records(corpus, parser), records(corpus, parser)
    assert first.by_path == second.by_path == {name: [name] for name in ("docs/a.md", "docs/b.md", "docs/deep/c.md")}
    assert (first.read, second.read, len(parser.parsed)) == (3, 0, 3)


def test_a_changed_file_is_parsed_again_and_a_touched_one_only_read(corpus: Path) -> None:
    parser = Parser()
    records(corpus, parser)
    (corpus / "docs/a.md").write_text("changed")
    os.utime(corpus / "docs/b.md")
    found = records(corpus, parser)
    assert found.by_path["docs/a.md"] == ["changed"]
    assert (found.read, parser.parsed[3:]) == (2, ["docs/a.md"])


def test_added_and_removed_files(corpus: Path) -> None:
    parser = Parser()
    records(corpus, parser)
    (corpus / "docs/a.md").unlink()
    (corpus / "docs/z.md").write_text("z")
    assert list(records(corpus, parser).by_path) == ["docs/b.md", "docs/deep/c.md", "docs/z.md"]


def test_a_restored_file_of_the_same_size_and_date_is_read(corpus: Path) -> None:
    parser = Parser()
    records(corpus, parser)
    path = corpus / "docs/a.md"
    stamp = path.stat()
    path.write_text("docs/x.md")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert records(corpus, parser).by_path["docs/a.md"] == ["docs/x.md"]


def test_a_file_that_changes_within_a_tick_of_the_clock_is_read_again(corpus: Path) -> None:
    """A file as new as the cache is not trusted: as if it had been written twice in one tick."""
    parser = Parser()
    (corpus / "docs/a.md").write_text("first")
    assert records(corpus, parser).read == 3
    assert records(corpus, parser).read == 1


@pytest.mark.parametrize("damage", [b"", b"{}", b"\n", b"garbage", b"0" * 32])
def test_a_damaged_cache_is_made_again(corpus: Path, cache_folder: Path, damage: bytes) -> None:
    parser = Parser()
    records(corpus, parser)
    [cache] = (cache_folder / "corpora").glob("*/records")
    whole = cache.read_bytes()
    for broken in (damage, whole[:-1], whole[: len(whole) // 2], whole.replace(b"docs/a.md", b"docs/q.md")):
        cache.write_bytes(broken)
        assert records(corpus, parser).by_path["docs/a.md"] == ["docs/a.md"]
    assert records(corpus, parser).read == 0


def test_an_unchanged_cache_is_not_written_again(corpus: Path, cache_folder: Path) -> None:
    """Not even where a file can never be read."""
    files = (*markdown_files(str(corpus), ["docs"], lambda path: True).files, SourceFile("docs/z.md", 1, 1, 1))
    for _ in range(2):
        found = cached_records("test", 1, str(corpus), files, Parser())
        [cache] = (cache_folder / "corpora").glob("*/records")
        written = cache.stat().st_ino
    assert len(found.problems) == 1
    cached_records("test", 1, str(corpus), files, Parser())
    assert cache.stat().st_ino == written


def test_another_version_of_the_parser_starts_again(corpus: Path) -> None:
    parser = Parser()
    records(corpus, parser)
    assert records(corpus, parser, version=2).read == 3


def test_each_corpus_has_its_own_cache(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "docs").mkdir()
    (other / "docs/a.md").write_text("other")
    parser = Parser()
    records(corpus, parser)
    assert records(other, parser).by_path == {"docs/a.md": ["other"]}
    assert records(corpus, parser).by_path["docs/a.md"] == ["docs/a.md"]


def test_a_cache_that_cannot_be_written_is_reported_and_harmless(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "file"))
    found = records(corpus, Parser())
    assert len(found.by_path) == 3
    assert "cannot be written" in found.records.unsaved


def test_no_temporary_file_stays_next_to_the_cache(corpus: Path, cache_folder: Path) -> None:
    records(corpus, Parser())
    [home] = (cache_folder / "corpora").iterdir()
    assert {entry.name for entry in home.iterdir()} == {"ROOT", "records"}


def test_digests_change_with_a_file_and_only_then(corpus: Path) -> None:
    first = records(corpus, Parser()).records.digests
    assert list(first) == ["docs/a.md", "docs/b.md", "docs/deep/c.md"]
    os.utime(corpus / "docs/b.md")
    assert records(corpus, Parser()).records.digests == first
    (corpus / "docs/b.md").write_text("docs/B.md")
    second = records(corpus, Parser()).records.digests
    assert [path for path in first if first[path] != second[path]] == ["docs/b.md"]


def test_caches_unused_for_long_are_removed(
    corpus: Path, cache_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    gone = tmp_path_factory.mktemp("gone")
    for root in (corpus, gone):
        records(root, Parser())
    gone.rmdir()
    [old, of_gone] = (corpus_home("test", str(root)) for root in (corpus, gone))
    long_ago = time.time() - KEPT_S - 10
    os.utime(old / "ROOT", (long_ago, long_ago))
    records(other, Parser())
    assert list((cache_folder / "corpora").iterdir()) == [corpus_home("test", str(other))]
    assert not of_gone.exists()


def test_a_corpus_that_is_used_is_kept(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its last use is noted, though nothing in it changed."""
    records(corpus, Parser())
    mark = corpus_home("test", str(corpus)) / "ROOT"
    days_ago = time.time() - KEPT_S - 10
    os.utime(mark, (days_ago, days_ago))
    assert records(corpus, Parser()).read == 0
    records(tmp_path_factory.mktemp("other"), Parser())
    assert records(corpus, Parser()).read == 0


def test_clean_removes_the_caches_of_a_folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    inner = corpus / "docs/deep"
    for root in (corpus, inner, other):
        records(root, Parser())
    removed = context_pack.clean(corpus).removed
    assert sorted(removed) == sorted(str(corpus_home("test", str(root))) for root in (corpus, inner))
    assert records(other, Parser()).read == 0
    assert context_pack.clean(corpus).removed == ()


def test_a_file_that_vanishes_after_it_was_listed_is_a_problem(corpus: Path) -> None:
    files = markdown_files(str(corpus), ["docs"], lambda path: True).files
    (corpus / "docs/b.md").unlink()
    found = cached_records("test", 1, str(corpus), files, Parser())
    assert list(found.by_path) == ["docs/a.md", "docs/deep/c.md"]
    assert [str(problem) for problem in found.problems] == ["docs/b.md: cannot be read: No such file or directory"]


@pytest.mark.parametrize("size", [0, 1, 5, 65_536, 1 << 20, (1 << 20) + 1])
def test_a_file_is_read_whole_whatever_its_size(tmp_path: Path, size: int) -> None:
    (tmp_path / "a").write_bytes(bytes(range(256)) * (size // 256) + b"x" * (size % 256))
    assert read_bytes(str(tmp_path), "a") == (tmp_path / "a").read_bytes()


def test_files_come_in_the_order_of_code_points(tmp_path: Path) -> None:
    names = ["docs/Z.md", "docs/a/b.md", "docs/a-b.md", "docs/ä.md", "docs/b.md"]
    for name in reversed(names):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(name)
    found = markdown_files(str(tmp_path), ["docs"], lambda path: not path.endswith("/b.md"))
    assert [file.path for file in found.files] == ["docs/Z.md", "docs/a-b.md", "docs/ä.md"]
    assert isinstance(found.files[0], SourceFile)
    assert [file.path for file in markdown_files(str(tmp_path), ["docs", "docs"], lambda path: True).files] == sorted(
        names
    )
