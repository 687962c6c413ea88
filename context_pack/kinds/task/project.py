"""The records of a project below `.nexus`: documents, and JSON files of records, which have two shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunker.parse.decoding import decode
from context_pack.io.paths import unreadable
from context_pack.io.tree import Tree, parsed
from contracts.errors import InvalidRequest
from contracts.frozen import frozen

FOLDER = ".nexus"
Record = dict[str, Any]


@frozen
class RecordFile:
    """A file of records: `{key: [record, ..]}` with one of `keys`, as documented, or `{name: record, ..}`, as tools
    write it; the field `name` then receives the name. At least one record has one of `marks`.
    """

    place: str
    keys: tuple[str, ...]
    name: str
    marks: tuple[str, ...]

    def texts(self, record: Mapping[str, Any], *keys: str) -> list[str]:
        """The text or list of texts under the first of the keys that exists, as a list."""
        value: Any = next((record[key] for key in keys if record.get(key) is not None), [])
        parts = [value] if isinstance(value, str) else value
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise not_understood(self.place, f"{' or '.join(keys)} is neither a string nor a list of strings")
        return parts


class Project(Tree):
    """The folder that contains `.nexus`. Errors are InvalidRequest or IOFailure, and name the file."""

    def text(self, *places: str) -> tuple[str, str] | None:
        """(place, text) of the first document that exists; None if none does."""
        for place in places:
            data = self.read(place)
            if data is not None:
                return place, decoded(data, place)
        return None

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted; empty if the folder does not exist."""
        try:
            return [name for name, _ in self.entries(folder) or ()]
        except OSError as error:
            raise unreadable(folder, error) from error

    def json(self, place: str) -> Mapping[str, Any] | None:
        """A JSON object; None if there is no such file."""
        data = self.read(place)
        document = {} if data is None else parsed(data, place)
        if not isinstance(document, Mapping):
            name = "null" if document is None else type(document).__name__
            raise not_understood(place, f"{name} where an object was expected")
        return None if data is None else document

    def records(self, file: RecordFile) -> list[Record] | None:
        """The records of a file, in its order; None if there is no such file."""
        place, document = file.place, self.json(file.place)
        if document is None:
            return None
        listed = next((document[key] for key in file.keys if isinstance(document.get(key), list)), None)
        named = [(name, one) for name, one in document.items() if isinstance(one, Mapping)]
        records = [one for _, one in named] if listed is None else listed
        if not all(isinstance(one, Mapping) for one in records):
            raise not_understood(place, "an entry is not an object")
        if (records or (listed is None and document)) and not any(
            mark in one for one in records for mark in file.marks
        ):
            raise not_understood(place, f"no entry has any of {', '.join(file.marks)}")
        if listed is not None:
            return [dict(one) for one in records]
        own = {file.name, "id", "name"}  # a record that contains its name needs no other
        return [dict(one) if own & one.keys() else {file.name: name, **one} for name, one in named]


def decoded(data: bytes, place: str) -> str:
    """A document's text with LF line ends. InvalidRequest if it is binary."""
    text = decode(data)
    if text is None:
        raise InvalidRequest(place, f"{place} is not a text file")
    return text.replace("\r\n", "\n")


def not_understood(place: str, fault: str) -> InvalidRequest:
    return InvalidRequest(place, f"{place} has an unknown format: {fault}", hint="see docs/rules.md for the formats")
