"""Counts tokens: by the rule of thumb, or with any Hugging Face `tokenizer.json` on this machine."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from context_pack.core.size import Counter, quarter_of_chars
from contracts.distribution import with_extra
from contracts.errors import InvalidRequest

if TYPE_CHECKING:
    from tokenizers import Tokenizer

BY_CHARS = "chars/4"
_PANIC = "PanicException"  # how the library says that a file broke it; no subclass of Exception


def token_counter(file: Path | None) -> tuple[Counter, str]:
    """A counter and its name: `chars/4`, or the file's name and the beginning of its SHA-256.

    InvalidRequest (`tokenizer`) when the file cannot be read or is no tokenizer, or the library is not installed.
    """
    return (quarter_of_chars, BY_CHARS) if file is None else _loaded(_read(file), file.name)


def _read(file: Path) -> bytes:
    try:
        if not file.is_file():
            raise InvalidRequest("tokenizer", f"{file} is no file", hint="give the path of a tokenizer.json")
        return file.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise InvalidRequest("tokenizer", f"{file} cannot be read: {error}") from error


@lru_cache(maxsize=4)
def _loaded(content: bytes, name: str) -> tuple[Counter, str]:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise InvalidRequest(
            "tokenizer", "a tokenizer file needs the package tokenizers", hint=with_extra("tokens")
        ) from error
    try:
        tokenizer = Tokenizer.from_buffer(content)
        count = _counter(tokenizer)
        count("def f(): return 1")
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        raise InvalidRequest(
            "tokenizer", f"{name} is no tokenizer: {str(error).splitlines()[0][:200] if str(error) else 'it broke'}",
            hint="give a tokenizer.json of the Hugging Face tokenizers library",
        ) from None  # fmt: skip
    return count, f"{name}@{hashlib.sha256(content).hexdigest()[:12]}"


def _counter(tokenizer: Tokenizer) -> Counter:
    """A file may ask for truncation or padding: a count must see the text as it is, and nothing around it."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
