"""What text costs, in bytes and in tokens, and how much fits.

Tokens are counted by the rule of thumb, or with any Hugging Face `tokenizer.json` on this machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from contracts.distribution import with_extra
from contracts.errors import InvalidRequest

Counter = Callable[[str], int]
CHARS_PER_TOKEN = 4  # the rule of thumb for English and code; a tokenizer of one's own is exact
BY_CHARS = "chars/4"
_PANIC = "PanicException"  # how the library says that a file broke it; no subclass of Exception


def size(text: str) -> int:
    """The length of a text in bytes of UTF-8: what every limit in characters counts, so that no reader gets more."""
    return len(text) if text.isascii() else len(text.encode())


def quarter_of_chars(text: str) -> int:
    """ceil(characters / 4), characters counted in bytes of UTF-8: never less than a count of code points gives."""
    return -(-size(text) // CHARS_PER_TOKEN)


def longest(count: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `count` for which `holds`, which is called about log2(count) times and never with 0."""
    least, most = 0, count
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least


def token_counter(file: Path | None) -> tuple[Counter, str]:
    """A counter and its name: `chars/4`, or the file's name and the beginning of its SHA-256.

    InvalidRequest (`tokenizer`) when the file cannot be read or is no tokenizer, or the library is not installed.
    """
    if file is None:
        return quarter_of_chars, BY_CHARS
    try:
        if not file.is_file():
            raise InvalidRequest("tokenizer", f"{file} is no file", hint="give the path of a tokenizer.json")
        return _loaded(file.read_bytes(), file.name)
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
        tokenizer.no_truncation()  # a file may ask for it, and for padding: a count is of the text as it is
        tokenizer.no_padding()
        tokenizer.encode("def f(): return 1")
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        raise InvalidRequest(
            "tokenizer", f"{name} is no tokenizer: {str(error).splitlines()[0][:200] if str(error) else 'it broke'}",
            hint="give a tokenizer.json of the Hugging Face tokenizers library",
        ) from None  # fmt: skip
    digest = hashlib.sha256(content).hexdigest()[:12]
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), f"{name}@{digest}"
