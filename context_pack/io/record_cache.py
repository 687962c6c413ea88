"""A cache of one record per file of a corpus: a file is read again only if it may have changed.

The cache is one file in ctxpack's cache folder: a checksum of the rest, then the records in Python's `marshal` format,
which loads three times as fast as JSON. It is disposable: if it is damaged or was written by another Python version, it
is rebuilt. A record is reused if size and both times of its file are the same; otherwise the file is read, and parsed
unless its content hash is the same.
"""

from __future__ import annotations

import gc
import marshal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from context_pack.io.cache_dirs import corpus_home, note_use, remove_left_over, replace_file
from context_pack.io.markdown_files import CorpusReader, Problem, SourceFile
from contracts.frozen import frozen

# A file that changed right before it was read may change again within the same tick of the file system's clock and keep
# its times. The record of such a file is checked by its content next time. Git does the same ("racily clean").
RACY_NS = 50_000_000
RACY_COARSE_NS = 2_000_000_000  # FAT stores times in steps of two seconds; a whole second suggests it
_RACY = -1  # stored instead of the size; no file has this size
_DIGEST_BYTES = 16

FILE = "records"
Record = list[Any]
Stamp = tuple[str, int, int, int]  # path, size, mtime_ns, ctime_ns
Parse = Callable[[bytes, str], Record]  # pure: content and path of a file -> a list of values that marshal takes


class _Columns(NamedTuple):
    """The cache as columns, which load in half the time of rows. Digests are of the contents."""

    stamps: tuple[Stamp, ...] = ()
    digests: tuple[bytes, ...] = ()
    records: tuple[Record, ...] = ()


@frozen
class Records:
    """Records and content digests by path, in the order of the files; unreadable files become problems.

    `unsaved` says why the cache could not be written; empty if it was written.
    """

    by_path: dict[str, Record]
    digests: dict[str, bytes]
    problems: tuple[Problem, ...]
    unsaved: str


def cached_records(kind: str, version: int, root: str, files: tuple[SourceFile, ...], parse: Parse) -> Records:
    """The records of files below `root`. `kind` and `version` identify the parser; another parser's cache is rebuilt.

    Safe if other processes do the same: the cache is replaced atomically.
    """
    home = corpus_home(kind, root)
    name = f"columns/{kind}/{version}/{sys.version_info[0]}.{sys.version_info[1]}"
    before = _load(home / FILE, name)
    problems: list[Problem] = []
    now = before if before.stamps == files else _updated(before, root, files, parse, problems)
    unsaved = ""
    try:
        note_use(home, root)
        if now[:2] != before[:2]:
            body = marshal.dumps((name, *now))
            remove_left_over(home)
            replace_file(home / FILE, digest_of(body) + body)
    except OSError as error:
        unsaved = f"{home.parent} cannot be written: {error.strerror}"
    paths = [stamp[0] for stamp in now.stamps]
    digests = dict(zip(paths, now.digests, strict=True))
    return Records(dict(zip(paths, now.records, strict=True)), digests, tuple(problems), unsaved)


def _updated(
    before: _Columns, root: str, files: tuple[SourceFile, ...], parse: Parse, problems: list[Problem]
) -> _Columns:
    """The columns of the current files, without the unreadable ones."""
    entries = {entry[0][0]: entry for entry in zip(*before, strict=True)}
    now_ns = time.time_ns()
    rows = []
    with CorpusReader(root) as reader:
        for file in files:
            entry = entries.get(file.path)
            if entry is None or entry[0] != file:
                try:
                    data = reader.content(file.path)
                except OSError as error:
                    problems.append(Problem(file.path, 0, f"cannot be read: {error.strerror}"))
                    continue
                digest = digest_of(data)
                record = entry[2] if entry is not None and entry[1] == digest else parse(data, file.path)
                entry = (_stamp(file, now_ns), digest, record)
            rows.append(entry)
    return _Columns._make(zip(*rows, strict=True)) if rows else _Columns()


def _stamp(file: SourceFile, now_ns: int) -> Stamp:
    window_ns = RACY_NS if file.mtime_ns % 1_000_000_000 else RACY_COARSE_NS
    is_racy = max(file.mtime_ns, file.ctime_ns) > now_ns - window_ns
    return (file.path, _RACY if is_racy else file.size, file.mtime_ns, file.ctime_ns)


def _load(path: Path, name: str) -> _Columns:
    """The content of a cache file; empty if it is missing, damaged or of another parser or Python version."""
    try:
        data = path.read_bytes()
    except OSError:
        return _Columns()
    body = memoryview(data)[_DIGEST_BYTES:]
    if data[:_DIGEST_BYTES] != digest_of(body):
        return _Columns()
    stored_name, *columns = marshal.loads(body)
    return _Columns(*columns) if stored_name == name else _Columns()


def digest_of(data: bytes | memoryview) -> bytes:
    """The digest by which contents are compared."""
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the search for cyclic garbage: tens of thousands of records would trigger it again and again for nothing.

    It takes a third of the time of a pack of a large corpus. Also works as a decorator.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
