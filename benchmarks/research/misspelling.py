"""Misspells names as people do, and reads the names that hints suggest instead."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence

from contracts.records import Hint
from index.text import parts_of

MIN_CHARS = 6  # of a name to misspell: the meaning of shorter misspelt names is unclear
TRIES = 20  # until a mutation gives a string that is not a name itself
_QUERY_COMMAND = re.compile(r"`ctxpack query (\S+)[^`]*`")
Mutation = Callable[[str, random.Random], str]


def _drop_letter(name: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(name))
    return name[:at] + name[at + 1 :]


def _double_letter(name: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(name))
    return name[:at] + name[at] + name[at:]


def _replace_letter(name: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(name))
    return name[:at] + rng.choice(string.ascii_lowercase) + name[at + 1 :]


def _exchange_letters(name: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(name) - 1)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _swap_parts(name: str, rng: random.Random) -> str:
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    if len(parts) < 2:
        return name
    at = rng.randrange(len(parts) - 1)
    parts[at], parts[at + 1] = parts[at + 1], parts[at]
    if "_" in name.strip("_"):
        return "_".join(parts)
    first = str.lower if name[0].islower() else _capital
    return first(parts[0]) + "".join(map(_capital, parts[1:]))


def _capital(part: str) -> str:
    return part[:1].upper() + part[1:]


def _other_case(name: str, rng: random.Random) -> str:
    parts = parts_of(name)
    camel = "".join(map(_capital, parts))
    ways = ["_".join(parts), camel, "".join(parts), parts[0] + camel[len(parts[0]) :]]
    return rng.choice([way for way in ways if way != name])


def _plural(name: str, rng: random.Random) -> str:
    return name[:-1] if name.endswith("s") else name + "s"


MUTATIONS: dict[str, Mutation] = {
    "a letter left out": _drop_letter,
    "a letter doubled": _double_letter,
    "another letter": _replace_letter,
    "two letters exchanged": _exchange_letters,
    "parts swapped": _swap_parts,
    "another case": _other_case,
    "plural or singular": _plural,
}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def misspellings(names: Sequence[str], count: int, rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """`count` times (name, its misspelling, the kind of mistake); fewer if there are too few names."""
    real_names = set(names)
    fit = [name for name in names if len(name) >= MIN_CHARS and name.isascii() and _IDENTIFIER.fullmatch(name)]
    ways = list(MUTATIONS)
    number = 0
    for name in rng.sample(fit, len(fit)):
        if number == count:
            return
        start = number % len(ways)
        for how in (ways[start:] + ways[:start])[:TRIES]:
            wrong = MUTATIONS[how](name, rng)
            if wrong not in real_names and len(wrong) >= MIN_CHARS - 1:
                number += 1
                yield name, wrong, how
                break


def suggestions(hints: Iterable[Hint]) -> list[str]:
    """The names that the hints suggest, in order."""
    return [name for hint in hints for name in _QUERY_COMMAND.findall(hint.text)]
