"""The options that a repository sets for itself: `ctxpack.toml`, or `[tool.ctxpack]` in `pyproject.toml`.

Options that normally only the user sets need the user's consent. It is stored in the user's configuration folder, never
in a repository, and is valid for one content of the file: after any change the user must consent again.

CONFIG/trusted.json    {folder: digest of its configuration file}
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import orjson

from context_pack.io.paths import FILE, unreadable
from context_pack.options.resolve import Layer, environment
from context_pack.options.spec import setting
from contracts.errors import InvalidRequest, IOFailure
from contracts.frozen import frozen
from index.generation.private import user_folder
from index.tree.beneath import NotRead, read_beneath

MAX_FILE_BYTES = 1_000_000
CONSENTS = "trusted.json"
_FILES = ((FILE, "", ()), ("pyproject.toml", "ctxpack", ("tool", "ctxpack")))  # name, text that it must contain, keys


@frozen
class ConfigFile:
    """The configuration file in use. `source` is its name in errors; `content` is empty if there is none."""

    name: str = FILE
    source: str = FILE
    content: bytes = b""
    options: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""  # why it was not read

    @property
    def for_users(self) -> tuple[str, ...]:
        """The options in it that need the user's consent, sorted."""
        return tuple(sorted(name for name in self.options if (one := setting(name)) and one.by != "repository"))


def layers(root: Path, options: Mapping[str, object] | None = None) -> tuple[Layer, ...]:
    """The sources of the options for a repository, strongest last: its file, the environment, the request."""
    return file_layer(root), environment(), Layer(options or {})


def file_layer(root: Path) -> Layer:
    """The options that a repository's file sets; if both files exist, only `ctxpack.toml` is used.

    Options that a repository may not set are left out, with a note, unless the user has agreed to this file.
    InvalidRequest names the file and the invalid key; IOFailure if the file cannot be read.
    """
    file = config_file(root)
    if file.problem:
        return Layer({}, file.name, (file.problem,))
    values, notes = dict(file.options), list[str]()
    ignored = file.for_users and not is_trusted(root, file.content)
    for name in file.for_users:
        if (option := setting(name)) and option.by != "user":
            raise InvalidRequest(name, f"{file.source}: {name} can only be set by a request")
        if ignored:
            del values[name]
            notes.append(
                f"{file.source}: {name} is ignored, because a repository's own file may not set it; "
                "run `ctxpack trust DIR` to allow it."
            )
    if isinstance(values.get("index_dir"), str):
        values["index_dir"] = _inside(root, values["index_dir"], file.source)
    if isinstance(values.get("tokenizer"), str):
        values["tokenizer"] = root / values["tokenizer"]
    return Layer(values, file.source if file.content else "", tuple(notes))


def consented(root: Path) -> ConfigFile:
    """The file that a consent is for; InvalidRequest if it cannot be read safely."""
    file = config_file(root)
    if file.problem:
        raise InvalidRequest(file.name, file.problem, hint="replace it with a regular file")
    return file


def config_file(root: Path) -> ConfigFile:
    """The configuration file in use, with its content; InvalidRequest if it is malformed, IOFailure if it cannot be
    read."""
    for name, needle, keys in _FILES:
        try:
            content = read_beneath(root, name, MAX_FILE_BYTES)
        except NotRead as error:
            return ConfigFile(name, name, problem=f"{name} is not read: {error.strerror}")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise unreadable(str(root / name), error) from error
        if needle.encode() not in content:
            continue
        source = f"{name} [{'.'.join(keys)}]" if keys else name
        options: Any = _table(content, name)
        for key in keys:
            options = options.get(key, {}) if isinstance(options, Mapping) else {}
        if not isinstance(options, Mapping):
            raise InvalidRequest("tool.ctxpack", f"{source} is not a table")
        return ConfigFile(name, source, content, options)
    return ConfigFile()


def _inside(root: Path, folder: str, source: str) -> Path:
    """A folder below the root: a cloned repository must not choose where else on this machine files are written."""
    chosen = Path(os.path.realpath(root / folder))
    real_root = Path(os.path.realpath(root))
    if chosen == real_root or not chosen.is_relative_to(real_root):
        hint = "use --index-dir to go elsewhere"
        raise InvalidRequest("index_dir", f"{source}: index_dir {folder} is not below the root", hint=hint)
    return chosen


def _table(content: bytes, name: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise InvalidRequest(name, f"{name} is not valid UTF-8: {error}") from error
    except RecursionError as error:
        raise InvalidRequest(name, f"{name} is not valid TOML: it is nested too deeply") from error
    except ValueError as error:  # not TOML, or a number of 5,000 digits
        raise InvalidRequest(name, f"{name} is not valid TOML: {error}") from error


def is_trusted(root: Path, content: bytes) -> bool:
    """Whether the user has agreed to the configuration file of a folder; `content` is that file."""
    return _consents().get(os.path.realpath(root)) == _digest(content)


def record_consent(root: Path, content: bytes | None) -> None:
    """Store the user's consent to a configuration file; None withdraws it. IOFailure if it cannot be written."""
    from context_pack.io.cache_dirs import replace_file

    before, place, folder = _consents(), os.path.realpath(root), user_folder("config")
    others = {other: digest for other, digest in before.items() if other != place}
    consents = others if content is None else {**others, place: _digest(content)}
    if consents == before:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(folder / CONSENTS, orjson.dumps(consents, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
    except (OSError, TypeError) as error:
        why = error.strerror if isinstance(error, OSError) else "its path is not valid Unicode"
        hint = "check its permissions, or set CTXPACK_CONFIG_DIR"
        details = {"path": str(folder)}
        raise IOFailure(f"cannot write the consent to {folder}: {why}", hint=hint, details=details) from error


def _consents() -> Mapping[str, str]:
    """The consents by folder; none if the file cannot be read."""
    try:
        document = orjson.loads((user_folder("config") / CONSENTS).read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
