"""Names the tests and the further files that answer a question: an agent reads on there instead of asking again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from context_pack.mcp import text
from context_pack.options.spec import per_question
from contracts.records import Hint
from index.roles import is_test_path
from index.search.query import parse_query

if TYPE_CHECKING:
    from context_pack.session import Session
    from contracts.records import Pack

# The characters that a pack leaves free for the names. Of the files that 748 commits change, answers of 8,000
# characters name 0.84 instead of 0.72, and for 0.67 instead of 0.19 of 369 commits one of the tests that they change.
# The price: 0.477 instead of 0.488 of the changed lines.
SHARE, MOST_CHARS, FROM_CHARS = 0.075, 600, 2_000
TESTS, OTHERS = "Tests", "Other files that match"
TEST_FILES, OTHER_FILES = 2, 5
SEARCHED = 20  # places that are looked at
EACH = len("info: \n")  # of a hint, in addition to its text


def room_for(query: str, limit: int) -> int:
    """The characters to leave free in an answer: none in a small one, or for a name or a place."""
    return min(MOST_CHARS, int(SHARE * limit)) if limit >= FROM_CHARS and parse_query(query).kind == "words" else 0


def names(session: Session, query: str, options: Mapping[str, Any], pack: Pack, room: int) -> tuple[Hint, ...]:
    """Hints that name tests and files that the pack of a question leaves out, each by its best place, in at most `room`
    characters; none if it leaves out nothing."""
    if not pack.budget.dropped_items:
        return ()
    own = {name: options[name] for name in per_question("search") if name in options and name in per_question("query")}
    seen = {*(item.file for item in pack.items), *(name.partition(":")[0] for name in options.get("have", ()))}
    hints: list[Hint] = []
    for heading, question, most in (TESTS, f"tests for {query}", TEST_FILES), (OTHERS, query, OTHER_FILES):
        best: dict[str, str] = {}
        for hit in session.search(question, **own, top_k=SEARCHED).data.hits:
            if hit.file not in seen and (heading == OTHERS or is_test_path(hit.file)):
                best.setdefault(hit.file, text.place(hit))
        line = ""
        for place in [*best.values()][:most]:
            longer = f"{line}, {place}" if line else f"{heading}: {place}"
            line = longer if len(longer) <= room - EACH else line
        if line:
            hints.append(Hint("info", line))
            room -= len(line) + EACH
        seen.update(best)
    return tuple(hints)
