"""The parts of a file as values: chunks, their symbols, their references, and the imports that they use.

Lines are 1-based and inclusive; bytes are 0-based and half-open offsets into the file's own bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from chunker.kinds import Kind, ReferenceKind
from contracts.frozen import frozen


@frozen
class Span:
    start_byte: int
    end_byte: int


@frozen
class Chunk:
    """A symbol, a run of module-level code, a section of a document or a window of text, with its exact lines.

    `symbol` is qualified (`Class.method`) and None for code that defines nothing, or many things.
    `parent` is the position in `FileChunks.chunks` of the header chunk of the enclosing container.
    `imports` are positions in `FileChunks.imports`: the statements that this code uses, at most five.
    `signature` and `doc` lie inside the chunk; a continued part of a long symbol has neither.
    `part` counts the consecutive parts of one symbol from 0.
    """

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    kind: Kind
    symbol: str | None = None
    parent: int | None = None
    imports: tuple[int, ...] = ()
    signature: Span | None = None
    doc: Span | None = None
    part: int = 0


@frozen
class Definition:
    """A symbol that chunk number `chunk` defines: `name` is the last part of `qualified`.

    `line` is the line of its name; `start_line..end_line` cover all of it with its decorators.
    """

    name: str
    qualified: str
    kind: Kind
    chunk: int
    line: int
    start_line: int
    end_line: int


def chunk_at(starts: Sequence[int], byte: int) -> int:
    """The number of the chunk with a byte, from the bytes at which chunks start; only white space is before the
    first."""
    return max(bisect_right(starts, byte) - 1, 0)


class Reference(NamedTuple):
    """A use of a name in chunk number `chunk`, within definition number `symbol`.

    `receiver` is the expression before the dot as a path of names (`self`, `os.path`, `User()`; see `expressions`),
    with a local variable replaced by the value bound to it; `?` if it is unknown, None if there is no receiver.
    A NamedTuple, because nearly every called name has one.
    """

    name: str
    kind: ReferenceKind
    chunk: int
    line: int
    receiver: str | None = None
    symbol: int | None = None


@frozen
class Typed:
    """The type of a name that other code can use: `name` of `container` (a qualified name, or empty) is, or
    returns when called, the value that `path` refers to inside definition number `symbol`."""

    container: str
    name: str
    path: str
    symbol: int | None = None


INNER, OWN, SHOWN = 0, 1, 2


@frozen
class Import:
    """One import statement: its whole text without a trailing `;`, and what it binds.

    `module` is the target as written (`os.path`, `.models`, `./util`, `std::io`, `"stdio.h"` without quotes).
    `names` pairs each local name with the name in the module; `("*", "*")` stands for a wildcard, and
    `(local, "")` for a module that is bound as a whole.
    `reach` says for each name where it is visible: INNER inside a symbol, OWN in the file, SHOWN also in files that
    import all of this one.
    A statement with several modules (`import a, b`; a Go import block) gives one Import for each, with the same text.
    """

    text: str
    module: str
    names: tuple[tuple[str, str], ...]
    reach: tuple[int, ...]
    start_line: int
    end_line: int


@frozen
class FileChunks:
    """Everything the index needs to know about one file. `language` is `text` or `other` if it is unknown.

    `minor` are definitions inside other code: members of objects, local functions, code in macros, constants of
    classes. They can be found by name, but chunks and the graph ignore them. `fields` are the other fields of types,
    or the keys of a data file, which the index does not contain.
    `package` is the package or namespace that the file declares; empty if it declares none.
    """

    language: str
    chunks: tuple[Chunk, ...]
    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    has_syntax_error: bool = False
    typed: tuple[Typed, ...] = ()
    package: str = ""
    minor: tuple[Definition, ...] = ()
    fields: tuple[Definition, ...] = ()
