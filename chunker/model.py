"""The parts of a file as values: chunks, the symbols they define, the references they make, the imports they use.

Lines are 1-based and inclusive; bytes are 0-based and half-open offsets into the file's own bytes.
"""

from __future__ import annotations

from typing import NamedTuple

from chunker.kinds import Kind, ReferenceKind
from contracts.frozen import frozen


@frozen
class Span:
    start_byte: int
    end_byte: int


@frozen
class Chunk:
    """A symbol, a run of module-level code, a Markdown section or a window of text, with its exact lines.

    `symbol` is qualified (`Class.method`) and absent for code that defines nothing, or many things.
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

    `line` is where its name stands, `start_line..end_line` the whole of it with its decorators.
    """

    name: str
    qualified: str
    kind: Kind
    chunk: int
    line: int
    start_line: int
    end_line: int


class Reference(NamedTuple):
    """A use of a name in chunk number `chunk`, within definition number `symbol`.

    `receiver` is what stands before the dot as a path of names (`self`, `os.path`, `User()`; see `expressions`), a
    local variable replaced by what it was bound to; `?` where that is unknown, absent where nothing stands there.
    A NamedTuple, because there is one for nearly every name that is called.
    """

    name: str
    kind: ReferenceKind
    chunk: int
    line: int
    receiver: str | None = None
    symbol: int | None = None


@frozen
class Typed:
    """The type of a name that others can reach: `name` of `container` (a qualified name, or empty) is, or
    gives when it is called, what `path` leads to from inside definition number `symbol`."""

    container: str
    name: str
    path: str
    symbol: int | None = None


@frozen
class Import:
    """One import statement: its whole text without a trailing `;`, and what it binds.

    `module` is the target as written (`os.path`, `.models`, `./util`, `std::io`, `"stdio.h"` without quotes).
    `names` pairs each local name with the name in the module; `("*", "*")` stands for a wildcard, and a
    module that is bound as a whole gives `(local, "")`.
    A statement with several modules (`import a, b`; a Go import block) gives one Import for each, same text.
    """

    text: str
    module: str
    names: tuple[tuple[str, str], ...]
    start_line: int
    end_line: int


@frozen
class FileChunks:
    """Everything the index needs to know about one file. `language` is `text` or `other` where none is known.

    `minor` are definitions inside other code: members of objects, local functions, what macros hold, constants of
    classes. They can be asked for by name; chunks and the graph know nothing of them.
    `package` is the package or namespace that the file says it belongs to, empty where it says none.
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
