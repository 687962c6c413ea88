"""Why an item is in a pack, in words, because the names of signals are for those who tune the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.frozen import frozen
from contracts.records import Item, Why
from index.search.related import BACKWARD

SHOWN = 3  # reasons shown at first; the table below lists all
# The words for a signal that adds points, and for one that takes them away. docs/packs.md says how each is measured.
WORDS: Mapping[str, tuple[str, str]] = {
    "exact.symbol": ("defines the name you asked for", ""),
    "exact.named": ("defines a name in your question", ""),
    "exact.literal": ("contains the text you quoted", ""),
    "exact.mention": ("contains a text from your question", ""),
    "named_in_file": ("named in your question", "your question names another place in its file"),
    "exact.key": ("contains the key or the name you asked for", ""),
    "exact.code": ("is the code you pasted", ""),
    "exact.overview": ("is a place to start reading the repository", ""),
    "exact.path": ("is the place you asked for", ""),
    "exact.frame": ("is in the stack trace", ""),
    "exact.message": ("contains the message of the trace", ""),
    "own.file": ("its file fits the question", "its file fits the question poorly"),
    "own.file_gap": ("its file is one of the best", "other files fit better"),
    "own.match": ("matches the words you asked for", "matches few of the words"),
    "own.match_gap": ("hardly any place matches more of the words", "other places match more of the words"),
    "own.match_names": ("has your words in its name", "has other words in its name"),
    "own.match_around": ("your words occur in and around it", "few of your words occur around it"),
    "own.dense_symbol": ("its symbol is close in meaning", "its symbol is not close in meaning"),
    "own.dense_beside": ("the code next to it is close in meaning", "the code next to it is not close in meaning"),
    "own.transformer": ("a transformer finds it close in meaning", "a transformer does not find it close in meaning"),
    "own.dense_place": ("among the closest in meaning in its file", "others in its file are closer in meaning"),
    "own.feedback": ("resembles the best places", "hardly resembles the best places"),
    "own.kind": ("a kind of code that is often the answer", "a kind of code that is seldom the answer"),
    "own.part": ("a part of its symbol that is often the answer", "a part of its symbol that is seldom the answer"),
    "own.lines": ("as long as a typical answer", "not as long as a typical answer"),
    "own.density": ("its lines are as full as in a typical answer", "its lines are not as full as in a typical answer"),
    "own.called_by": ("called as often as a typical answer", "not called as often as a typical answer"),
    "own.test": ("not a test", "a test"),
    "own.in_tests": ("not a test", "a test next to the code"),
    "around.beside": ("the code next to it fits", "the code next to it does not fit"),
    "around.beyond": ("the code near it fits", "the code near it does not fit"),
    "around.container": ("what contains it fits", "nothing that fits contains it"),
    "around.others_in_file": ("the rest of its file fits", "the rest of its file does not fit"),
    "around.folder": ("its folder fits", "its folder does not fit"),
    "around.linked_file": ("a file linked to it by imports fits", "no file linked to it by imports fits"),
    "around.caller": ("a caller of it fits", "no caller of it fits"),
    "around.callers": ("its callers fit", "its callers do not fit"),
    "around.callee": ("something it calls fits", "nothing it calls fits"),
    "around.callees": ("what it calls fits", "what it calls does not fit"),
    "match": ("matches your words", ""),
    "name": ("has your words in its name", ""),
    "likeness": ("resembles what was found", ""),
    "centrality": ("", "used in many places"),
    "size": ("", "very short"),
    "aside": ("", "a test, an example or generated"),
    "distance": ("", "some steps away"),
    "repeat": ("", "one of several from its file"),
}
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
