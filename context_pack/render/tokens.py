"""Counting tokens, packs that state their number of tokens, and the largest pack within a limit of tokens.

Tokens are counted by the rule of thumb, or with any Hugging Face `tokenizer.json` on this machine.

Tokens do not add up (two texts together do not cost the sum of what each costs), so a finished pack is counted as a
whole, and made again with fewer characters until it fits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from context_pack.core.text import CHARS_PER_TOKEN, Counter, quarter_of_chars
from context_pack.envelope import encoded
from context_pack.render import Layout, settled
from contracts.errors import BudgetTooSmall, InvalidRequest, with_extra
from contracts.frozen import frozen
from contracts.records import Item, Pack, as_data, printable

ROUNDS = 10  # each narrows the range; most packs need two
ENOUGH = 0.97  # share of the limit at which to stop: a further round could add less than a line
BY_CHARS = "chars/4"
_PANIC = "PanicException"  # raised when a file breaks the tokenizers library; not a subclass of Exception


def token_counter(file: Path | None) -> tuple[Counter, str]:
    """A counter and its name: `chars/4`, or the file's name and the beginning of its SHA-256.

    InvalidRequest (`tokenizer`) when the file cannot be read or is no tokenizer, or the library is not installed.
    """
    if file is None:
        return quarter_of_chars, BY_CHARS
    try:
        if not file.is_file():
            raise InvalidRequest("tokenizer", f"{file} is not a file", hint="give the path of a tokenizer.json")
        return _loaded(file.read_bytes(), file.name)
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise InvalidRequest("tokenizer", f"{file} cannot be read: {error}") from error


@lru_cache(maxsize=4)
def _loaded(content: bytes, name: str) -> tuple[Counter, str]:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise InvalidRequest(
            "tokenizer", "a tokenizer file needs the package tokenizers", hint=f"run {with_extra('tokens')}"
        ) from error
    try:
        tokenizer = Tokenizer.from_buffer(content)
        tokenizer.no_truncation()  # a file may enable it, and padding; both would change the count
        tokenizer.no_padding()
        tokenizer.encode("def f(): return 1")
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        raise InvalidRequest(
            "tokenizer", f"{name} is not a tokenizer: {str(error).splitlines()[0][:200] if str(error) else 'invalid'}",
            hint="give a tokenizer.json of the Hugging Face tokenizers library",
        ) from None  # fmt: skip
    digest = hashlib.sha256(content).hexdigest()[:12]
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), f"{name}@{digest}"


@frozen
class TokenLayout(Layout):
    """A layout around another one, whose packs state the tokens of the printed text, or of `data` as minified JSON."""

    layout: Layout
    counter: Counter
    name: str
    max_tokens: int | None

    def item_chars(self, item: Item) -> int:
        return self.layout.item_chars(item)

    def frame_chars(self, pack: Pack, selected: int) -> int:
        widest = self.max_tokens or 10 * pack.budget.max_chars  # only its digits count
        return self.layout.frame_chars(self._with_counts(pack, widest), selected)

    def finish(self, pack: Pack) -> Pack:
        return settled(lambda number: self.layout.finish(self._with_counts(pack, number)), self._count)

    def render(self, pack: Pack) -> str | None:
        return self.layout.render(pack)

    def _with_counts(self, pack: Pack, tokens: int) -> Pack:
        budget = replace(pack.budget, max_tokens=self.max_tokens, used_tokens=tokens, token_counter=self.name)
        return replace(pack, budget=budget)

    def _count(self, pack: Pack) -> int:
        printed = self.layout.render(pack)
        return self.counter(encoded(printable(as_data(pack))).decode().rstrip("\n") if printed is None else printed)

    def enough(self, pack: Pack) -> int:
        """A limit in tokens within which the pack fits when it states that limit."""
        return settled(lambda limit: replace(self, max_tokens=limit).finish(pack), _tokens).budget.max_tokens or 0


def within_tokens(pack_at: Callable[[int], Pack], layout: TokenLayout, max_chars: int, max_tokens: int) -> Pack:
    """The largest pack found that has at most `max_tokens`.

    `pack_at` makes the pack for a limit in characters. BudgetTooSmall names a number of tokens that would do.
    """

    def stated(limit: int) -> Pack:
        pack = pack_at(limit)
        return layout.finish(replace(pack, budget=replace(pack.budget, max_chars=max_chars)))

    best = stated(max_chars)
    if _tokens(best) <= max_tokens:
        return best
    largest = _largest(stated, max_chars, max_tokens)
    if largest:
        return largest
    best = stated(_smallest(pack_at))
    if _tokens(best) <= max_tokens:
        return best
    tokens = layout.enough(best)
    raise BudgetTooSmall(
        f"nothing fits into {max_tokens} tokens; the smallest possible budget is {tokens}",
        hint=f"use --max-tokens {tokens}",
        details={"max_tokens": max_tokens, "smallest": tokens},
    )


def _largest(stated: Callable[[int], Pack], most: int, max_tokens: int) -> Pack | None:
    """The largest pack within the tokens, of some limits below `most`, each guessed from the one before."""
    least, limit = 0, min(most - 1, CHARS_PER_TOKEN * max_tokens)
    best: Pack | None = None
    for _ in range(ROUNDS):
        pack = _pack_or_none(stated, limit)
        tokens = _tokens(pack) if pack else max_tokens // 2
        if pack and tokens > max_tokens:  # no limit that this pack does not use can be too much for the next one
            most = limit = min(limit, pack.budget.used_chars)
        else:
            best, least = pack or best, limit
        if most - least <= 1 or ENOUGH * max_tokens <= tokens <= max_tokens:
            break
        guess = limit * max_tokens // max(1, tokens)
        limit = guess if least < guess < most else (least + most) // 2
    return best


def _pack_or_none(stated: Callable[[int], Pack], limit: int) -> Pack | None:
    try:
        return stated(limit)
    except BudgetTooSmall:
        return None


def _smallest(pack_at: Callable[[int], Pack]) -> int:
    """The smallest limit in characters within which anything fits."""
    try:
        pack_at(1)
    except BudgetTooSmall as error:
        smallest = error.details["smallest"]
        assert isinstance(smallest, int)
        return smallest
    return 1


def _tokens(pack: Pack) -> int:
    return pack.budget.used_tokens or 0
