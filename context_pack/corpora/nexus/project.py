"""Reading the files of a project, each fault with the file that has it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunker.parse.decoding import decode
from context_pack.corpora.inside import inside, with_home
from contracts.errors import InvalidRequest, IOFailure, NotADirectory
from contracts.validation import HALF_PAIR, MAX_DEPTH, half_pair_line, is_too_deep

FOLDER = ".nexus"
MAX_DOCUMENT_BYTES = 32_000_000  # of one file of records: beyond, something else is meant
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Head:
    """The first lines of a text, and how many bytes of it there are in all."""

    lines: tuple[str, ...]
    whole: bool
    size_bytes: int


class Project:
    """The folder that holds `.nexus`, read-only."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def find(self, *places: str) -> str | None:
        """The first of some places (relative to the root) where there is a file."""
        return next((place for place in places if self._path(place).is_file()), None)

    def folders(self, place: str) -> list[str]:
        """The names of the folders in a folder, sorted; none when it is none."""
        try:
            with os.scandir(self._path(place)) as entries:
                return sorted(entry.name for entry in entries if entry.is_dir())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise _unreadable(place, error) from error

    def data(self, place: str) -> bytes:
        """A file's bytes. IOFailure names it; InvalidRequest when it is larger than any such file is."""
        path = self._path(place)
        try:
            if path.stat().st_size > MAX_DOCUMENT_BYTES:
                raise InvalidRequest(place, f"{place} is larger than {MAX_DOCUMENT_BYTES:,} bytes")
            return path.read_bytes()
        except OSError as error:
            raise _unreadable(place, error) from error

    def text(self, place: str) -> str:
        """A document's text. InvalidRequest when it is binary."""
        text = decode(self.data(place))
        if text is None:
            raise InvalidRequest(place, f"{place} is not a text file")
        return text.replace("\r\n", "\n")

    def head(self, place: str, lines: int, most_bytes: int) -> Head:
        """The first lines of a document that may be very large; at most `most_bytes` of them are read."""
        try:
            with self._path(place).open("rb") as file:
                data = b""
                while data.count(b"\n") < lines and len(data) < most_bytes and (more := file.read(_CHUNK_BYTES)):
                    data += more
                size_bytes = os.fstat(file.fileno()).st_size
        except OSError as error:
            raise _unreadable(place, error) from error
        text = decode(data[:most_bytes])
        if text is None:
            raise InvalidRequest(place, f"{place} is not a text file")
        found = text.replace("\r\n", "\n").split("\n")
        rest = found[lines:]
        whole = len(data) == size_bytes and len(data) <= most_bytes and not any(rest)
        return Head(tuple(found[:lines]), whole, size_bytes)

    def json(self, place: str) -> Any:
        """A JSON document. InvalidRequest names the file, the line and the fault."""
        return parsed(self.data(place), place)

    def _path(self, place: str) -> Path:
        return inside(self.root, place, place)


def parsed(data: bytes, place: str) -> Any:
    """JSON from bytes. InvalidRequest names `place`, the line and the fault."""
    try:
        text = data.decode("utf-8-sig")
        found = json.loads(text)
    except UnicodeDecodeError as error:
        raise InvalidRequest(place, f"{place} is not valid UTF-8: {error}") from error
    except json.JSONDecodeError as error:
        raise InvalidRequest(place, f"{place}:{error.lineno}: not valid JSON: {error.msg}") from error
    except RecursionError as error:
        raise InvalidRequest(place, f"{place} is nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise InvalidRequest(place, f"{place} cannot be read: {error}") from error
    if is_too_deep(found):
        raise InvalidRequest(place, f"{place} is nested too deeply: it has more than {MAX_DEPTH} levels")
    torn = half_pair_line(found, text)
    if torn:
        raise InvalidRequest(place, f"{place}:{torn}: {HALF_PAIR}")
    return found


def project_root(root: str | Path | None) -> Path:
    """The folder that is named, else the nearest one upwards that holds `.nexus`, else the working folder."""
    if root is not None:
        folder = with_home(root)
        if not folder.is_dir():
            raise NotADirectory(f"{root} is not a directory", hint="name the project's folder with --root")
        return folder.absolute()
    start = Path.cwd()
    return next((folder for folder in (start, *start.parents) if (folder / FOLDER).is_dir()), start)


def _unreadable(place: str, error: OSError) -> IOFailure:
    return IOFailure(f"{place} cannot be read: {error.strerror}", details={"path": place})
