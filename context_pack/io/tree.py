"""Reading plain files, and JSON, below one folder and never outside it."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from context_pack.io.markdown_files import decoded
from context_pack.io.paths import inside, real_path, unreadable
from contracts.errors import BrokenFile, InvalidRequest
from contracts.schemas import HALF_PAIR, MAX_DEPTH, half_pair_line, is_too_deep
from index.tree.beneath import Beneath, NotRead, read_beneath

MAX_RECORD_BYTES = 32_000_000  # of one file of records; a larger file is something else
_NOTHING = (FileNotFoundError, NotADirectoryError)


class Tree:
    """Reads paths below `root`. A link is followed if its target is inside the root; the target is then opened without
    following links, so that nobody can lead a reader out by replacing a folder at the right moment.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.real_root = Path(os.path.realpath(root))

    def place(self, path: str, field: str = "") -> str:
        """A path from the root, its links resolved. InvalidRequest (`field`, else the path) if it leaves the root."""
        return inside(self.real_root, path, field or path) or "."

    def below(self, name: str) -> str:
        """A file that the user names, as a path relative to the root; empty if it is not below the root."""
        return real_path(self.real_root, str(Path(name).absolute())) or ""

    def read(self, path: str, field: str = "", max_bytes: int = MAX_RECORD_BYTES) -> bytes | None:
        """A file's bytes; None if it does not exist. InvalidRequest and IOFailure name the path."""
        place = self.place(path, field)
        try:
            return read_beneath(self.real_root, place, max_bytes)
        except _NOTHING:
            return None
        except NotRead as error:
            where = f"{field}: {path}" if field else path
            raise InvalidRequest(field or path, f"{where} is not read: {error.strerror}") from error
        except OSError as error:
            raise unreadable(path, error) from error

    def digest(self, path: str, field: str, max_bytes: int) -> tuple[str, int, bytes]:
        """(`sha256:<hex>`, size in bytes, content) of a file; the content is empty if longer than `max_bytes`.

        OSError if it cannot be read; NotRead for a pipe, a device or a folder.
        """
        place = self.place(path, field)
        with Beneath(self.real_root) as files, files.open(place) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(max_bytes + 1)
            digest = hashlib.sha256(data)
            while len(data) > max_bytes and (more := file.read(1 << 20)):
                digest.update(more)
        return f"sha256:{digest.hexdigest()}", size, data if len(data) <= max_bytes else b""

    def entries(self, folder: str) -> list[tuple[str, bool]] | None:
        """(name, whether it is a folder) of the entries of a folder, by name; None if it does not exist. OSError."""
        place = self.place(folder)
        try:
            with Beneath(self.real_root) as files:
                entries = files.entries("" if place == "." else place)
                return sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        except _NOTHING:
            return None


def read_named(name: str, max_bytes: int = MAX_RECORD_BYTES) -> bytes:
    """The bytes of a file or pipe, anywhere, that the user names on the command line; `-` is stdin.

    InvalidRequest and IOFailure name it.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(max_bytes + 1)
    except OSError as error:
        raise unreadable(name, error) from error
    except ValueError as error:  # a null byte in the name
        raise InvalidRequest("request", f"{name!r} is not a valid path: {error}") from error
    if len(data) > max_bytes:
        raise InvalidRequest("request", f"{name} is larger than {max_bytes:,} bytes")
    return data


def parsed(data: bytes, place: str, field: str = "") -> Any:
    """A JSON document. BrokenFile (`field`, else the place) names `place`, the line and the fault."""

    def broken(line: int, fault: str) -> BrokenFile:
        return BrokenFile(field or place, place, line, fault)

    text, bad_line = decoded(data)
    if bad_line:
        raise broken(bad_line, "not valid UTF-8")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise broken(error.lineno, f"not valid JSON: {error.msg}") from error
    except RecursionError as error:
        raise broken(1, "nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise broken(1, f"not readable as JSON: {error}") from error
    if is_too_deep(document):
        raise broken(1, f"nested too deeply: it has more than {MAX_DEPTH} levels")
    torn = half_pair_line(document, text)
    if torn:
        raise broken(torn, HALF_PAIR)
    return document
