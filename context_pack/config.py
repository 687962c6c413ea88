"""Which folder is meant, and what it says about itself: `ctxpack.toml`, or `[tool.ctxpack]` in `pyproject.toml`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from context_pack.corpora.inside import with_home
from context_pack.settings import CHECKS, Layer
from context_pack.trust import is_trusted
from contracts.errors import InvalidRequest, IOFailure, NotADirectory
from contracts.records import Hint
from index.beneath import NotRead, read_beneath

FILE = "ctxpack.toml"
MOST_FILE_BYTES = 1_000_000
_FILES = ((FILE, "", ()), ("pyproject.toml", "ctxpack", ("tool", "ctxpack")))  # name, what must be in it, keys
_NOT_HERE = frozenset({"no_redact", "diff"})
# What a repository's file may choose: what is asked for and how it is shown. Every other option is the user's: it names
# programs or files of this machine, or where ctxpack writes. A model's folder may hold code, a link in an index folder
# would lead the writer anywhere, `have_pack` and `tokenizer` read whatever file they name.
HARMLESS = frozenset(
    {
        "profile", "max_chars", "max_tokens", "limit", "related", "related_mode", "edges", "depth", "have", "top_k",
        "order", "format", "fit", "include", "exclude", "language", "no_docs", "docs_first", "explain", "content",
        "no_refresh", "wait", "max_file_bytes", "table_above",
    }
)  # fmt: skip
MARKS = (".git", FILE)  # `.git` is a file in worktrees and submodules


def enclosing_root(start: Path) -> Path:
    """The nearest folder from `start` upwards that is marked as a repository, else `start`."""
    for folder in (start, *start.parents):
        if any(os.path.lexists(folder / mark) for mark in MARKS):
            return folder
    return start


def is_outside(root: Path) -> bool:
    """Whether no repository is around a folder, nor at it."""
    return not any(os.path.lexists(folder / mark) for folder in (root, *root.parents) for mark in MARKS)


def root_of(repo: str | Path | None) -> Path:
    """The folder to index: the one that is named, else the repository around the working folder."""
    if repo is None:
        return enclosing_root(_working_folder())
    folder = with_home(repo)
    try:
        is_folder = folder.is_dir()
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise NotADirectory(f"{repo} cannot be looked at: {error}") from error
    if not is_folder:
        raise NotADirectory(f"{repo} is not a directory", hint="name the folder of a repository with --repo")
    return folder.absolute()


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise NotADirectory(f"the working folder is gone: {error}", hint="name a folder with --repo") from error


def file_layer(root: Path) -> Layer:
    """The options that a repository's file sets; `ctxpack.toml` alone counts where both exist.

    Those that are not for a repository to choose are left out, with a note, unless the user has agreed to this file.
    InvalidRequest names the file, and the key where one is wrong; IOFailure when the file cannot be read.
    """
    for name, needle, keys in _FILES:
        content, note = content_of(root, name)
        if note:
            return Layer({}, name, (note,))
        if content is not None and needle.encode() in content:
            return _layer(*_options(content, name, keys), root, content)
    return Layer({})


def noted(*layers: Layer) -> tuple[Hint, ...]:
    """What of the options was not taken over, and why."""
    return tuple(Hint("warn", note) for layer in layers for note in layer.notes)


def users_options(root: Path) -> tuple[str, tuple[str, ...], bytes]:
    """(name, options, content) of the file that counts: those of its options that need the user's consent.

    The content is empty where there is no file.
    """
    for name, needle, keys in _FILES:
        content, note = content_of(root, name)
        if note:
            raise InvalidRequest(name, note, hint="put a plain file in its place")
        if content is not None and needle.encode() in content:
            options, _ = _options(content, name, keys)
            return name, tuple(_refused(options)), content
    return FILE, (), b""


def content_of(root: Path, name: str) -> tuple[bytes | None, str]:
    """(content, why not) of a configuration file; no content and no reason where there is none.

    IOFailure when it cannot be read.
    """
    try:
        return read_beneath(root, name, MOST_FILE_BYTES), ""
    except NotRead as error:
        return None, f"{name} is not read: {error.strerror}"
    except (FileNotFoundError, NotADirectoryError):
        return None, ""
    except OSError as error:
        raise IOFailure(
            f"{root / name} cannot be read: {error.strerror}", details={"path": str(root / name)}
        ) from error


def _options(content: bytes, name: str, keys: tuple[str, ...]) -> tuple[Mapping[str, Any], str]:
    """The options of a file, and how it is called in errors."""
    source = f"{name} [{'.'.join(keys)}]" if keys else name
    options: Any = _table(content, name)
    for key in keys:
        options = options.get(key, {}) if isinstance(options, Mapping) else {}
    if not isinstance(options, Mapping):
        raise InvalidRequest("tool.ctxpack", f"{source} is not a table")
    return options, source


def _refused(options: Mapping[str, Any]) -> list[str]:
    return sorted(CHECKS.keys() & options.keys() - HARMLESS)


def _layer(options: Mapping[str, Any], source: str, root: Path, content: bytes) -> Layer:
    values = dict(options)
    for name in sorted(_NOT_HERE.intersection(values)):
        raise InvalidRequest(name, f"{source}: {name} is asked for by whoever asks, not by a repository")
    notes: list[str] = []
    refused = _refused(values)
    if refused and not is_trusted(root, content):
        for name in refused:
            del values[name]
            notes.append(
                f"{source}: {name} is not taken from a repository's own file; "
                "`ctxpack trust DIR` records that you agree to it."
            )
    if isinstance(values.get("index_dir"), str):
        values["index_dir"] = _inside(root, values["index_dir"], source)
    if isinstance(values.get("tokenizer"), str):
        values["tokenizer"] = root / values["tokenizer"]
    return Layer(values, source, tuple(notes))


def _inside(root: Path, folder: str, source: str) -> Path:
    """A folder below the root: a repository that was cloned must not choose where else this machine writes."""
    chosen = Path(os.path.realpath(root / folder))
    real_root = Path(os.path.realpath(root))
    if chosen == real_root or not chosen.is_relative_to(real_root):
        raise InvalidRequest(
            "index_dir", f"{source}: index_dir {folder} is not below the root", hint="use --index-dir for other folders"
        )
    return chosen


def _table(content: bytes, name: str) -> dict[str, Any]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequest(name, f"{name} is not valid UTF-8: {error}") from error
    import tomllib

    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except RecursionError as error:
        raise InvalidRequest(name, f"{name} is not valid TOML: it is nested too deeply") from error
    except ValueError as error:  # no TOML, or a number of 5,000 digits
        raise InvalidRequest(name, f"{name} is not valid TOML: {error}") from error
