"""Types of option values: how a value is checked, how it is parsed from text, and its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from context_pack.core.text import is_unicode
from contracts.frozen import frozen
from index.types import MIN_MEMORY_BYTES

Check = Callable[[object], Any]

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)([KMG]?)B?", re.ASCII | re.IGNORECASE)
_BACKSLASH = re.compile(r"(?<!\\)\\(?=[\w.*]|\Z)")
_BRACES = re.compile(r"(?<!\\)\{([^{}\\]*)\}")
MAX_ALTERNATIVES = 100  # of one pattern
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


@frozen
class Value:
    """`check` returns the value as the settings store it, or raises ValueError: what it must be, and what it is.

    `read` parses a value from text, or raises ValueError. `names`: what a shell offers as completions.
    """

    check: Check
    schema: Mapping[str, Any]
    metavar: str = ""
    read: Callable[[str], object] = str
    names: Callable[[], Iterable[str]] | None = None
    several: bool = False  # may be given several times
    in_words: str = ""  # its type, for the documentation


def whole(least: int, most: int) -> Value:
    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}, not {value!r}")
        return value

    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Value(check, schema, "N", int, in_words=f"whole number, {least} to {most}")


def seconds(most: float) -> Value:
    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
            raise ValueError(f"must be a number of seconds from 0 to {most:g}, not {value!r}")
        return float(value)

    schema = {"type": "number", "minimum": 0, "maximum": most}
    return Value(check, schema, "SECONDS", float, in_words=f"seconds, 0 to {most:g}")


def size(least: int) -> Value:
    """Bytes: a whole number, or a number followed by K, M or G."""

    def check(value: object) -> int:
        match = _SIZE.fullmatch(value) if isinstance(value, str) else None
        count = round(float(match[1]) * _UNITS[match[2].upper()]) if match else value
        if isinstance(count, bool) or not isinstance(count, int) or count < least:
            raise ValueError(f"must be a size of at least {least // 1_000_000}M, such as 1.5G, not {value!r}")
        return count

    words = f"bytes, or with K, M or G; at least {least // 1_000_000}M"
    return Value(check, {"type": ["integer", "string"]}, "SIZE", in_words=words)


def choice(*choices: str) -> Value:
    """One of the choices; `md` may be spelled `markdown`."""

    def read(text: str) -> str:
        return "md" if text == "markdown" and "md" in choices else text

    def check(value: object) -> str:
        if not isinstance(value, str) or read(value) not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}, not {value!r}")
        return read(value)

    schema = {"type": "string", "enum": list(choices)}
    metavar = f"[{'|'.join(choices)}]"
    return Value(check, schema, metavar, read, names=lambda: choices, in_words=" or ".join(choices))


def closest(name: str, choices: Iterable[str], called: str = "options") -> str:
    """A sentence that suggests the name closest to a misspelt one, or lists all names."""
    from difflib import get_close_matches

    names = sorted(choices)
    close = get_close_matches(name, names, n=1)
    return f"did you mean {close[0]}?" if close else f"the {called} are {', '.join(names)}"


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {value!r}")
    return value


def _read_flag(text: str) -> object:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    return words.get(text.lower(), text)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not is_unicode(value):
        raise ValueError(f"must be a non-empty string, not {value!r}")
    return value


def _change(value: object) -> str:
    """A revision or a patch, which may be empty: `git diff` prints nothing if nothing changed."""
    return value if isinstance(value, str) and "\n" in value and not value.strip() else _text(value)


def _texts(value: object) -> tuple[str, ...]:
    """One text or a list of them."""
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple):
        raise ValueError(f"must be a string or a list of strings, not {value!r}")
    return tuple(_text(part) for part in values)


def split(value: object) -> tuple[str, ...]:
    """Names, in one text with commas or in a list."""
    return tuple(dict.fromkeys(name.strip() for text in _texts(value) for name in text.split(",") if name.strip()))


def _file(value: object) -> Path:
    return value if isinstance(value, Path) else Path(_text(value))


def _files(value: object) -> tuple[Path, ...]:
    return tuple(map(_file, value if isinstance(value, list | tuple) else [value]))


def _globs(value: object) -> tuple[str, ...]:
    """Patterns as in .gitignore, or as shells write paths (`./src`, `*.{rb,erb}`, on Windows `app\\models`).

    One that has no effect is refused. A backslash escapes what is special, as in .gitignore; before a letter, a digit,
    a star or a dot and at the end, it separates folders.
    """
    from index.tree.ignore import Rules

    globs: list[str] = []
    for text in _texts(value):
        paths = alternatives(_BACKSLASH.sub("/", text))
        globs += (path.removeprefix(".") if path.startswith("./") else path for path in paths)
    for glob in globs:
        if not Rules([glob.encode()]):
            raise ValueError(f"must be a pattern, not {glob!r}")
    return tuple(globs)


def alternatives(glob: str) -> list[str]:
    """The patterns that a pattern with braces stands for; braces without a comma are part of a name."""
    globs: list[str] = []
    pending = [glob]
    while pending:
        one = pending.pop(0)
        braces = next((match for match in _BRACES.finditer(one) if "," in match[1]), None)
        parts = braces[1].split(",") if braces else []
        if len(globs) + len(pending) + len(parts) > MAX_ALTERNATIVES:
            raise ValueError(f"must stand for at most {MAX_ALTERNATIVES} patterns, not {glob!r}")
        if braces is None:
            globs.append(one)
        else:
            pending[:0] = [one[: braces.start()] + part + one[braces.end() :] for part in parts]
    return list(dict.fromkeys(globs))


def languages() -> Iterable[str]:
    from chunker.languages.table import LANGUAGES

    return LANGUAGES


def _languages(value: object) -> tuple[str, ...]:
    """Languages by name, editor mode, extension or interpreter: `go`, `golang`, `c++`, `.ts`."""
    from chunker.languages.table import BY_EXTENSION, BY_INTERPRETER, BY_MODE

    every = {**BY_INTERPRETER, **BY_MODE, **{name: name for name in languages()}}
    names = []
    for text in _texts(value):
        name = text.lower()
        if name not in every and f".{name.lstrip('.')}" not in BY_EXTENSION:
            raise ValueError(f"must be a known language, not {text!r}; {closest(name, every, 'languages')}")
        names.append(every.get(name) or BY_EXTENSION[f".{name.lstrip('.')}"])
    return tuple(names)


def edges() -> Iterable[str]:
    from index.search.related import BACKWARD
    from index.types import RESEMBLES

    return {*BACKWARD, *BACKWARD.values(), RESEMBLES}


def _edges(value: object) -> tuple[str, ...]:
    names, every = split(value), set(edges())
    for name in names:
        if name not in every:
            raise ValueError(f"must name edges, not {name!r}; {closest(name, every, 'edges')}")
    return names


def _graph_edges(value: object) -> tuple[str, ...]:
    from context_pack.kinds.graph.config import edge_names

    return edge_names(split(value))


def graph_edges() -> Iterable[str]:
    from context_pack.kinds.graph.nodes import EDGES

    return EDGES


def models() -> Iterable[str]:
    from index.embed.models import list_models

    return ("auto", *(model.name for model in list_models()))


def agents() -> Iterable[str]:
    from context_pack.installer.agents import AGENTS

    return AGENTS


_TEXTS = {"type": "array", "items": {"type": "string"}}
FLAG = Value(_flag, {"type": "boolean"}, read=_read_flag, in_words="true or false")
TEXT = Value(_text, {"type": "string"}, "TEXT", in_words="text")
CHANGE = Value(_change, {"type": "string"}, "TEXT", in_words="text")
MODEL = Value(_text, {"type": "string"}, "NAME", names=models, in_words="text")
AGENT = Value(_text, {"type": "string"}, "AGENT", names=agents, in_words="text")
TEXTS = Value(_texts, _TEXTS, "TEXT", several=True, in_words="text, or a list")
NAMES = Value(split, _TEXTS, "A,B", split, in_words="names with commas, or a list")
EDGES = Value(_edges, _TEXTS, "LABEL,...", names=edges, in_words="names with commas, or a list")
GRAPH_EDGES = Value(
    _graph_edges, _TEXTS, "LABEL,...", _graph_edges, graph_edges, in_words="names with commas, or a list"
)
MEMORY = size(MIN_MEMORY_BYTES)
_PATTERNS = {"type": "array", "items": {"type": "string", "description": "Glob, such as src/** or *.py."}}
GLOBS = Value(_globs, _PATTERNS, "GLOB", several=True, in_words="pattern, or a list")
LANGUAGES = Value(_languages, _TEXTS, "LANGUAGE", names=languages, several=True, in_words="name, or a list")
FILE = Value(_file, {"type": "string"}, "FILE", in_words="path")
FOLDER = Value(_file, {"type": "string"}, "DIR", in_words="path")
FOLDERS = Value(_files, _TEXTS, "DIR", several=True, in_words="path, or a list")
FILES = Value(_files, _TEXTS, "FILE", several=True, in_words="path, or a list")
