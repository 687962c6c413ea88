"""Why an item is in a pack, in words, because the names of signals are for those who tune the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.frozen import frozen
from contracts.records import Item, Why
from contracts.rows import rows
from index.search.related import BACKWARD

SHOWN = 3  # reasons shown at first; the table below lists all

# The words for a signal that adds points, and for one that takes them away.
WORDS: Mapping[str, tuple[str, str]] = {name: (adds, takes) for name, adds, takes in rows(__file__, "reasons.tsv")}
_BACK = {**BACKWARD, **{back: label for label, back in BACKWARD.items()}}  # a step -> the step in the other direction


@frozen
class Reason:
    """A part of a score in words. `item` is the number of the other item that it refers to, if any."""

    text: str
    why: Why
    subject: str = ""
    item: int | None = None

    @property
    def counts_against(self) -> bool:
        return self.why.points < 0


def reasons(items: Sequence[Item]) -> list[list[Reason]]:
    """The reasons of each item in the order of its parts."""
    numbers = {item.id: number for number, item in enumerate(items, start=1)}
    return [[_reason(part, numbers, items) for part in item.why] for item in items]


def strongest(of_item: Sequence[Reason]) -> list[Reason]:
    """The reasons to show first: those that weigh most, reasons for the item before reasons against it."""
    parts = [reason for reason in of_item if reason.why.name != "merged"]
    ranked = sorted(parts, key=lambda reason: (-abs(reason.why.points), reason.why.name, reason.why.detail))[:SHOWN]
    return sorted(ranked, key=lambda reason: reason.counts_against)


def _reason(part: Why, numbers: Mapping[str, int], items: Sequence[Item]) -> Reason:
    if part.name in WORDS:
        text = WORDS[part.name][part.points < 0] or part.name.rpartition(".")[2].replace("_", " ")
        return Reason(text, part, part.detail)
    other = part.detail.removeprefix("from ")
    number = numbers.get(other)
    subject = items[number - 1].symbol or other if number else other
    text = "joined with" if part.name == "merged" else tie(part.name.split(" > "))
    return Reason(text, part, subject, number)


def tie(labels: Sequence[str]) -> str:
    """How the last place of these steps is tied to the first: `called_by`, seen from the last place, is `calls`."""
    words = [_BACK.get(label, label).replace("_", " ") for label in reversed(labels)]
    return words[0] + "".join(f" what {'is ' * word.endswith(' by')}{word}" for word in words[1:])
