"""A record for each file of a corpus, kept between runs: a file is read again only when it may have changed.

The cache is one file in ctxpack's cache folder: the checksum of the rest, then the entries as Python's own `marshal`
writes them, which reads three times as fast as JSON. It is derived and disposable: whatever is wrong with it, or
written by another Python, it is made again. A record stands when size and both stamps of its file are the same;
otherwise the file is read, and parsed unless its content hash is the same.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from context_pack.corpora.files import Problem, SourceFile, read_bytes
from context_pack.corpora.homes import corpus_home, note_use

# A file that changed right before it was read may change again within the same tick of the file system's clock, and
# its stamps would not tell. Such a record is checked by its content next time. Git does the same ("racily clean").
RACY_NS = 50_000_000
RACY_COARSE_NS = 2_000_000_000  # FAT keeps two seconds; whole seconds betray such a file system
_RACY = -1  # in place of the size, which no file has
_DIGEST_BYTES = 16

FILE = "records"
Record = list[Any]
Entry = tuple[int, int, int, bytes, Record]  # size, mtime_ns, ctime_ns, digest, record
Parse = Callable[[bytes, str], Record]  # pure: content and path of a file -> a list of values that marshal takes
Taken = Callable[[str, bytes, bytes, Record], None]  # path, digest, content and record of a file that was read


@dataclass(frozen=True, slots=True)
class Records:
    """A record by path, in the order of the paths; files that could not be read are problems.

    `content` changes when a file's path or content does. `read` counts the files that were read, `unsaved` says why
    the cache could not be written (empty: it was).
    """

    by_path: dict[str, Record]
    digests: Callable[[], dict[str, bytes]]
    content: bytes
    problems: tuple[Problem, ...]
    read: int
    unsaved: str


def cached_records(
    kind: str, version: int, root: str, files: Sequence[SourceFile], parse: Parse, taken: Taken | None = None
) -> Records:
    """The records of some files below `root`; `taken` is told of each that is read.

    `kind` and `version` name the parser: another version's cache is made again. Safe beside other processes that do
    the same: the cache is replaced as a whole.
    """
    home = corpus_home(kind, root)
    name = f"{kind}/{version}/{sys.version_info[0]}.{sys.version_info[1]}"
    known, content = _load(home / FILE, name)
    reading = _Reading(root, parse, time.time_ns(), taken)
    entries: dict[str, Entry] = {}
    for file in files:
        at, size, mtime_ns, ctime_ns = file
        entry = known.get(at)
        if entry is None or entry[0] != size or entry[1] != mtime_ns or entry[2] != ctime_ns:
            entry = reading.entry(file, entry)
            if entry is None:
                continue
        entries[at] = entry
    if reading.read or len(entries) != len(known):
        content = _content(entries)
    unsaved = _kept(home, root, {"name": name, "content": content, "files": entries}, reading.read, len(known))
    return Records(
        by_path={at: entry[4] for at, entry in entries.items()},
        digests=lambda: {at: entry[3] for at, entry in entries.items()},
        content=content,
        problems=tuple(reading.problems),
        read=reading.read,
        unsaved=unsaved,
    )


class _Reading:
    """Reads the files that may have changed."""

    def __init__(self, root: str, parse: Parse, now_ns: int, taken: Taken | None) -> None:
        self._root, self._parse, self._now_ns, self._taken = root, parse, now_ns, taken
        self.problems: list[Problem] = []
        self.read = 0

    def entry(self, file: SourceFile, known: Entry | None) -> Entry | None:
        """The entry of a file as it is now; None when it cannot be read."""
        try:
            data = read_bytes(self._root, file.path, file.size)
        except OSError as error:
            self.problems.append(Problem(file.path, 0, f"cannot be read: {error.strerror}"))
            return None
        self.read += 1
        digest = digest_of(data)
        record = known[4] if known is not None and known[3] == digest else self._parse(data, file.path)
        if self._taken is not None:
            self._taken(file.path, digest, data, record)
        return (_RACY if self._racy(file) else file.size, file.mtime_ns, file.ctime_ns, digest, record)

    def _racy(self, file: SourceFile) -> bool:
        window = RACY_NS if file.mtime_ns % 1_000_000_000 else RACY_COARSE_NS
        return max(file.mtime_ns, file.ctime_ns) > self._now_ns - window


def _content(entries: Mapping[str, Entry]) -> bytes:
    return digest_of(b"".join(part for at, entry in entries.items() for part in (at.encode(), b"\0", entry[3])))


def _load(path: Path, name: str) -> tuple[dict[str, Entry], bytes]:
    """The entries of a cache; none when there is none, when it is another version's, or when a bit of it is wrong."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}, b""
    body = memoryview(data)[_DIGEST_BYTES:]
    if data[:_DIGEST_BYTES] != digest_of(body):
        return {}, b""
    loaded = marshal.loads(body)
    return (loaded["files"], loaded["content"]) if loaded["name"] == name else ({}, b"")


def _kept(home: Path, root: str, content: dict[str, Any], read: int, known: int) -> str:
    """Replace the cache as a whole if it is not what is known now; why that was not possible, or nothing."""
    path = home / FILE
    beside = home / f"{FILE}.{os.getpid()}"
    try:
        note_use(home, root)
        if read or len(content["files"]) != known:
            body = marshal.dumps(content)
            beside.write_bytes(digest_of(body) + body)
            beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        return f"{home.parent} cannot be written: {error.strerror}"
    return ""


def digest_of(data: bytes | memoryview) -> bytes:
    """What tells one content from another."""
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()
