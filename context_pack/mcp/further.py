"""Names the tests and the further places that answer a question: an agent reads on there instead of asking again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from context_pack.mcp import text
from context_pack.options.spec import per_question
from contracts.records import Hint, Item, Pack
from index.roles import is_test_path
from index.search.query import MAX_CHARS, parse_query

if TYPE_CHECKING:
    from context_pack.session import Session
    from contracts.reports import Hit

# The characters that a pack leaves free for the names. For 748 subjects of commits, answers of 8,000 characters show or
# name 0.82 instead of 0.72 of the changed files and 0.53 instead of 0.49 of the changed lines.
SHARE, MAX_ROOM, FROM_CHARS = 0.075, 600, 2_000
TESTS, OTHERS = "Tests", "Further places"
# Of 1,149 commits to 69 repositories that change tests, answers of 8,000 characters show or name one for 0.79: with two
# tests and their names, that was 0.70. The further places lose nothing: tests get half of the room, and no names.
TEST_FILES, OTHER_PLACES = 4, 5
SEARCHED = 20  # places that are looked at
# Names that a change touches, whose tests are looked for. Of 60 commits that change code and tests, reviews of the code
# alone in 8,000 characters show or name a right test for 41 instead of 14.
CHANGED_NAMES = 4
EACH = len("info: \n")  # of a hint, in addition to its text


def room_for(query: str, limit: int) -> int:
    """The characters to leave free in an answer: none in a small one, or for a name or a place; half for a change (no
    query), of which only tests are named."""
    if limit < FROM_CHARS or (query and parse_query(query).kind != "words"):
        return 0
    room = min(MAX_ROOM, int(SHARE * limit))
    return room if query else room // 2


def names(session: Session, query: str, options: Mapping[str, Any], pack: Pack, room: int) -> tuple[Hint, ...]:
    """Hints that name tests, one place of a file, and the best places that the pack of a question leaves out, in at
    most `room` characters; none if it leaves out nothing. Without a query, the tests for what a change touches."""
    about = query or " ".join(_changed(pack))
    if not about or (query and not pack.budget.dropped_items):
        return ()
    own = {name: options[name] for name in per_question("search") if name in options and name in per_question("query")}
    read = {name.partition(":")[0] for name in options.get("have", ())}
    files = {*read, *(item.file for item in pack.items)}
    # The question first, because the pack has just measured it.
    questions = query, f"tests for {about}"[:MAX_CHARS]
    others, tests = (session.search(one, **own, top_k=SEARCHED).data.hits if one else () for one in questions)
    by_file: dict[str, Hit] = {}
    for hit in tests:
        if hit.file not in files and is_test_path(hit.file):
            by_file.setdefault(hit.file, hit)
    further = [
        hit
        for hit in others
        if hit.file not in read and hit.file not in by_file and not any(_shows(item, hit) for item in pack.items)
    ]
    share = room // 2 if query else room
    beside = _line(TESTS, map(text.lines, [*by_file.values()][:TEST_FILES]), share - EACH)
    room -= len(beside) + EACH if beside else 0
    lines = beside, _line(OTHERS, map(text.place, further[:OTHER_PLACES]), room - EACH)
    return tuple(Hint("info", line) for line in lines if line)


def _changed(pack: Pack) -> list[str]:
    """The names of the first places outside tests that a change touches; of a place without a name, its file's."""
    touched = (item for item in pack.items if item.role == "primary" and not is_test_path(item.file))
    names = (item.symbol or item.file.rpartition("/")[2].partition(".")[0] for item in touched)
    return [*dict.fromkeys(name.rpartition(".")[2] for name in names)][:CHANGED_NAMES]


def _line(heading: str, places: Iterable[str], room: int) -> str:
    """The places behind the heading, without those that no longer fit; empty if none fits."""
    line = ""
    for place in places:
        longer = f"{line}, {place}" if line else f"{heading}: {place}"
        line = longer if len(longer) <= room else line
    return line


def _shows(item: Item, hit: Hit) -> bool:
    """Whether an item shows the middle of a place."""
    line = (hit.start_line + hit.end_line) // 2
    is_inside = item.file == hit.file and item.start_line <= line <= item.end_line
    return is_inside and not any(first <= line <= last for first, last in item.elided)
