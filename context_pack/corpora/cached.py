"""A record for each file of a corpus, kept between runs: a file is read again only when it may have changed.

The cache is one file in ctxpack's cache folder: the checksum of the rest, then the entries as Python's own `marshal`
writes them, which reads three times as fast as JSON. It is derived and disposable: whatever is wrong with it, or
written by another Python, it is made again. A record stands when size and both stamps of its file are the same;
otherwise the file is read, and parsed unless its content hash is the same.
"""

from __future__ import annotations

import marshal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from context_pack.corpora.files import CorpusReader, Problem, SourceFile
from context_pack.corpora.homes import beside, corpus_home, note_use, remove_left_over
from index.private import FILE_MODE

# A file that changed right before it was read may change again within the same tick of the file system's clock, and
# its stamps would not tell. Such a record is checked by its content next time. Git does the same ("racily clean").
RACY_NS = 50_000_000
RACY_COARSE_NS = 2_000_000_000  # FAT keeps two seconds; whole seconds betray such a file system
_RACY = -1  # in place of the size, which no file has
_DIGEST_BYTES = 16
FORKED_FROM = 2_000  # files; fewer are read in less time than a second process brings

FILE = "records"
Record = list[Any]
Stamp = tuple[str, int, int, int]  # path, size, mtime_ns, ctime_ns
Entry = tuple[Stamp, bytes, Record]  # with the digest of the content
Parse = Callable[[bytes, str], Record]  # pure: content and path of a file -> a list of values that marshal takes
Taken = Callable[[str, bytes, bytes, Record], None]  # path, digest, content and record of a file that was read


@dataclass(frozen=True, slots=True)
class Records:
    """Records in the order of their paths, and a digest of each content; files that could not be read are problems.

    `content` changes when a file's path or content does. `read` counts the files that were read, `unsaved` says why
    the cache could not be written (empty: it was).
    """

    paths: Sequence[str]
    records: Sequence[Record]
    digests: Sequence[bytes]
    content: bytes
    problems: tuple[Problem, ...]
    read: int
    unsaved: str

    @property
    def by_path(self) -> dict[str, Record]:
        return dict(zip(self.paths, self.records, strict=True))

    def digest_by_path(self) -> dict[str, bytes]:
        return dict(zip(self.paths, self.digests, strict=True))


def cached_records(
    kind: str, version: int, root: str, files: Sequence[SourceFile], parse: Parse, taken: Taken | None = None
) -> Records:
    """The records of some files below `root`; `taken` is told of each that is read.

    `kind` and `version` name the parser: another version's cache is made again. Safe beside other processes that do
    the same: the cache is replaced as a whole.
    """
    home = corpus_home(kind, root)
    name = f"{kind}/{version}/{sys.version_info[0]}.{sys.version_info[1]}"
    known = _load(home / FILE, name)
    if known is not None and known.stamps == files:  # tuples are compared at the speed of C: nothing changed
        paths = [file.path for file in files]
        unsaved = _told(home, lambda: note_use(home, root))
        return Records(paths, known.records, known.digests, known.content, (), 0, unsaved)
    reading = _Reading(root, parse, time.time_ns(), taken)
    try:
        entries = reading.entries(files, known.by_path() if known else {})
    finally:
        reading.close()
    fresh = _Known.of(entries)
    is_news = known is None or (fresh.stamps, fresh.content) != (known.stamps, known.content)
    unsaved = _told(home, lambda: _save(home, root, name, fresh)) if is_news else ""
    paths = [stamp[0] for stamp in fresh.stamps]
    return Records(paths, fresh.records, fresh.digests, fresh.content, tuple(reading.problems), reading.read, unsaved)


class _Known(NamedTuple):
    """What a cache holds, as columns: they are read in half the time of rows."""

    content: bytes
    stamps: tuple[Stamp, ...]
    digests: tuple[bytes, ...]
    records: tuple[Record, ...]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> _Known:
        content = digest_of(
            b"".join(part for stamp, digest, _ in entries for part in (stamp[0].encode(), b"\0", digest))
        )
        stamps, digests, records = zip(*entries, strict=True) if entries else ((), (), ())
        return cls(content, stamps, digests, records)

    def by_path(self) -> dict[str, Entry]:
        return {entry[0][0]: entry for entry in zip(self.stamps, self.digests, self.records, strict=True)}


class _Reading:
    """Reads the files that may have changed."""

    def __init__(self, root: str, parse: Parse, now_ns: int, taken: Taken | None) -> None:
        self._files, self._parse, self._now_ns, self._taken = CorpusReader(root), parse, now_ns, taken
        self.problems: list[Problem] = []
        self.read = 0

    def close(self) -> None:
        self._files.close()

    def entries(self, files: Sequence[SourceFile], known: Mapping[str, Entry]) -> list[Entry]:
        """The entries of the files as they are now; those that cannot be read are problems."""
        if not known and len(files) >= FORKED_FROM:
            from context_pack.corpora.forked import can_fork

            if can_fork():
                return self._in_two(files)
        found = []
        for file in files:
            entry: Entry | None = known.get(file.path)
            if entry is None or entry[0] != file:
                read = self._entry(file, entry)
                entry = self._took(*read) if read else None
            if entry is not None:
                found.append(entry)
        return found

    def _in_two(self, files: Sequence[SourceFile]) -> list[Entry]:
        """As many files that nothing is known of are read by two processes."""
        from context_pack.corpora.forked import Forked

        middle = len(files) // 2
        child = Forked(lambda: self._half(files[middle:]))
        first = [self._took(*read) for read in self._each(files[:middle])]
        second, problems = child.result() or (self._each(files[middle:]), ())
        self.problems += [Problem(*problem) for problem in problems]
        return first + [self._took(*read) for read in second]

    def _half(self, files: Sequence[SourceFile]) -> tuple[list[tuple[Entry, bytes]], list[tuple[str, int, str]]]:
        """What a child has read, and its problems."""
        self.problems = []
        read = list(self._each(files))
        return read, [(problem.path, problem.line, problem.message) for problem in self.problems]

    def _each(self, files: Sequence[SourceFile]) -> Iterator[tuple[Entry, bytes]]:
        return filter(None, map(self._entry, files))

    def _entry(self, file: SourceFile, known: Entry | None = None) -> tuple[Entry, bytes] | None:
        """The entry of a file and its content."""
        try:
            data = self._files.content(file.path)
        except OSError as error:
            self.problems.append(Problem(file.path, 0, f"cannot be read: {error.strerror}"))
            return None
        digest = digest_of(data)
        record = known[2] if known is not None and known[1] == digest else self._parse(data, file.path)
        size = _RACY if self._racy(file) else file.size
        return ((file.path, size, file.mtime_ns, file.ctime_ns), digest, record), data

    def _took(self, entry: Entry, data: bytes) -> Entry:
        """The entry of a file that was read, after whoever wants to know of it was told."""
        self.read += 1
        if self._taken is not None:
            self._taken(entry[0][0], entry[1], data, entry[2])
        return entry

    def _racy(self, file: SourceFile) -> bool:
        window = RACY_NS if file.mtime_ns % 1_000_000_000 else RACY_COARSE_NS
        return max(file.mtime_ns, file.ctime_ns) > self._now_ns - window


def _load(path: Path, name: str) -> _Known | None:
    """What a cache holds; None when there is none, when it is another version's, or when a bit of it is wrong."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body = memoryview(data)[_DIGEST_BYTES:]
    if data[:_DIGEST_BYTES] != digest_of(body):
        return None
    found, *columns = marshal.loads(body)
    return _Known(*columns) if found == name else None


def _save(home: Path, root: str, name: str, known: _Known) -> None:
    """Replace the cache as a whole. OSError when it cannot be written."""
    note_use(home, root)
    remove_left_over(home)
    aside = beside(home / FILE)
    body = marshal.dumps((name, *known))
    try:
        aside.touch(FILE_MODE)
        aside.write_bytes(digest_of(body) + body)
        aside.replace(home / FILE)
    except OSError:
        with suppress(OSError):
            aside.unlink()
        raise


def _told(home: Path, write: Callable[[], None]) -> str:
    """Why something could not be written, or nothing."""
    try:
        write()
    except OSError as error:
        return f"{home.parent} cannot be written: {error.strerror}"
    return ""


def digest_of(data: bytes | memoryview) -> bytes:
    """What tells one content from another."""
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()
