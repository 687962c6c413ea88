"""A record for each file of a corpus, kept between runs: a file is read again only when it may have changed.

The cache is one file in ctxpack's cache folder: a line with the checksum of the rest, then JSON. It is derived and
disposable: whatever is wrong with it, it is made again. A record stands when size and both stamps of its file are the
same; otherwise the file is read, and parsed unless its content hash is the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from context_pack.corpora.files import Problem, SourceFile, read_bytes

# A file that changed right before it was read may change again within the same tick of the file system's clock, and
# its stamps would not tell. Such a record is checked by its content next time. Git does the same ("racily clean").
RACY_NS = 50_000_000
RACY_COARSE_NS = 2_000_000_000  # FAT keeps two seconds; whole seconds betray such a file system
_RACY = -1  # in place of the size, which no file has
_DIGEST_BYTES = 16

Record = list[Any]
Entry = list[Any]  # size, mtime_ns, ctime_ns, digest, record
Parse = Callable[[bytes, str], Record]  # pure: content and path of a file -> a list of JSON values


@dataclass(frozen=True, slots=True)
class Records:
    """A record by path, in the order of the paths; files that could not be read are problems.

    `read` counts the files that were read, `unsaved` says why the cache could not be written (empty: it was).
    """

    by_path: dict[str, Record]
    problems: tuple[Problem, ...]
    read: int
    unsaved: str


def cached_records(kind: str, version: int, root: str, files: Sequence[SourceFile], parse: Parse) -> Records:
    """The records of some files below `root`.

    `kind` and `version` name the parser: another version's cache is made again. Safe beside other processes that do
    the same: the cache is replaced as a whole.
    """
    path = _cache_file(kind, root)
    name = f"{kind}/{version}"
    known = _load(path, name)
    reading = _Reading(root, parse, time.time_ns())
    entries: dict[str, Entry] = {}
    for file in files:
        at, size, mtime_ns, ctime_ns = file
        entry = known.get(at)
        if entry is None or entry[0] != size or entry[1] != mtime_ns or entry[2] != ctime_ns:
            entry = reading.entry(file, entry)
            if entry is None:
                continue
        entries[at] = entry
    changed = reading.read or len(entries) != len(known)
    unsaved = _save(path, {"name": name, "files": entries}) if changed else ""
    records = {at: entry[4] for at, entry in entries.items()}
    return Records(records, tuple(reading.problems), reading.read, unsaved)


class _Reading:
    """Reads the files that may have changed."""

    def __init__(self, root: str, parse: Parse, now_ns: int) -> None:
        self._root, self._parse, self._now_ns = root, parse, now_ns
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
        digest = hashlib.blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()
        record = known[4] if known is not None and known[3] == digest else self._parse(data, file.path)
        return [_RACY if self._racy(file) else file.size, file.mtime_ns, file.ctime_ns, digest, record]

    def _racy(self, file: SourceFile) -> bool:
        window = RACY_NS if file.mtime_ns % 1_000_000_000 else RACY_COARSE_NS
        return max(file.mtime_ns, file.ctime_ns) > self._now_ns - window


def _cache_file(kind: str, root: str) -> Path:
    from index.home import cache_root

    real = os.path.realpath(root)
    return cache_root() / "corpora" / f"{kind}-{hashlib.blake2b(os.fsencode(real), digest_size=8).hexdigest()}.json"


def _load(path: Path, name: str) -> dict[str, Entry]:
    """The entries of a cache; none when there is none, when it is another version's, or when a bit of it is wrong."""
    try:
        checksum, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return {}
    if checksum != _checksum(body):
        return {}
    loaded = json.loads(body)
    files: dict[str, Entry] = loaded["files"] if loaded["name"] == name else {}
    return files


def _save(path: Path, content: object) -> str:
    """Replace the cache as a whole; why that was not possible, or nothing."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(_checksum(body) + b"\n" + body)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        return f"{path.parent} cannot be written: {error.strerror}"
    return ""


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST_BYTES).hexdigest().encode()
