"""Consent: the folders whose own configuration file may set what otherwise only the user sets.

It is stored in the user's configuration folder, never in a repository, and holds for one content of the file: after any
change of it the user is asked again.

CONFIG/trusted.json    {folder: digest of its configuration file}
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import orjson

from context_pack.io.cache_dirs import replace_file
from contracts.errors import IOFailure

FILE = "trusted.json"


def config_root() -> Path:
    """The user's configuration folder for ctxpack; `CTXPACK_CONFIG_DIR` overrides it."""
    chosen = os.environ.get("CTXPACK_CONFIG_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_config_dir("ctxpack", appauthor=False))


def is_trusted(root: Path, content: bytes) -> bool:
    """Whether the user has agreed to what the configuration file of a folder says; `content` is that file."""
    return _consents().get(os.path.realpath(root)) == _digest(content)


def record(root: Path, content: bytes) -> None:
    """Note the user's consent. IOFailure when it cannot be written."""
    _write({**_consents(), os.path.realpath(root): _digest(content)})


def withdraw(root: Path) -> bool:
    """Take a consent back; whether there was one."""
    consents = dict(_consents())
    digest = consents.pop(os.path.realpath(root), None)
    if digest is not None:
        _write(consents)
    return digest is not None


def _consents() -> Mapping[str, str]:
    """The consents by folder; a file that cannot be read holds none."""
    try:
        document = orjson.loads((config_root() / FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _write(consents: Mapping[str, str]) -> None:
    folder = config_root()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(folder / FILE, orjson.dumps(consents, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
    except (OSError, TypeError) as error:
        why = error.strerror if isinstance(error, OSError) else "its path is not valid Unicode"
        raise IOFailure(
            f"the consent cannot be written to {folder}: {why}",
            hint="check its permissions, or set CTXPACK_CONFIG_DIR",
            details={"path": str(folder)},
        ) from error


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
