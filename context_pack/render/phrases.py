"""Phrases that the text formats share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contracts.lazy_regex import lazy_regex
from contracts.records import Budget, Dropped, Item, Pack, Why, as_data

CLIPPED_CHARS = 120  # of a query in the head: a pasted stack trace must not eat the budget
CAUSES = {
    "too_large": "larger than the whole budget", "no_room": "no room left", "little_evidence": "little evidence",
    "alike": "similar to one shown", "bare": "only an opening line",
}  # fmt: skip
MAX_RUNS = 4  # runs of lines in the heading of an item: an outline has many
MATCHES = {"strong": "strong match", "weak": "weak match", "none": "no confident match"}  # by confidence
# Contract v1 stores import statements without the `;` that ends them in these languages.
ENDING_IMPORTS = (".java", ".php", ".cs", ".rs", ".dart", ".zig", ".pl", ".pm", ".t", ".psgi")
_RULER = lazy_regex(r"([=_*~-])\1{4,}")
NOTHING = "nothing here shares a word with the query and passes its filters; try an identifier or other words"


def one_line(text: str) -> str:
    """A query or a path as part of a line: white space collapsed, clipped, control characters escaped.

    Several lines, such as a trace, lose rulers (`=====`) and are clipped in the middle: one of their ends says what
    failed.
    """
    end = CLIPPED_CHARS // 2 if "\n" in text.strip() else 0
    words = (_RULER.sub(" ", text) if end else "").split() or text.split()
    plain = " ".join(words)
    if len(plain) > CLIPPED_CHARS:
        plain = f"{plain[: CLIPPED_CHARS - 3 - end]}...{plain[len(plain) - end :]}"
    return escaped(plain)


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def first_of(names: Sequence[str], most: int) -> str:
    """`a, b and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def title(pack: Pack) -> str:
    """The query, the change that the pack was made for, or both, as part of a line."""
    query = one_line(pack.query) + (f" ({MATCHES[pack.confidence]})" if pack.confidence else "")
    if pack.diff is None:
        return query
    diff = pack.diff
    span = f"in {diff.base}..{diff.head}" if diff.head else f"since {diff.base}"
    changes = f"changes {escaped(span)} ({diff.commit[:12]})" if diff.commit else f"changes of a {diff.base}"
    change = f"{changes}: {counted(diff.files, 'file')}, +{diff.added} -{diff.removed}"
    return f"{query}; {change}" if query else change


def notes(pack: Pack, bullet: str = "note: ") -> str:
    """A line for each note, then a blank line; empty if there are no notes."""
    return "".join(f"{bullet}{escaped(note)}\n" for note in pack.notes) + "\n" * bool(pack.notes)


def escaped(text: str) -> str:
    """A path with its control characters (a newline is legal in a file name) written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cell(text: str) -> str:
    """A cell of a table (GFM 4.10): pipes and line ends are escaped."""
    return escaped(text).replace("|", "\\|")


def place(item: Item) -> str:
    """`src/a.py:7-9`; of an item that was cut, the lines that it shows: `src/a.py:7-9,20,31-40,...`."""
    runs = visible_runs(item)
    lines = ",".join(span(*run) for run in runs[:MAX_RUNS]) + ",..." * (len(runs) > MAX_RUNS)
    return escaped(f"{item.file}:{lines or span(item.start_line, item.end_line)}")


def visible_runs(item: Item) -> list[tuple[int, int]]:
    """The runs of lines that an item shows in full."""
    starts = (item.start_line, *(end + 1 for _, end in item.elided))
    ends = (*(start - 1 for start, _ in item.elided), item.end_line)
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start <= end]


def span(start: object, end: object) -> str:
    """`7-9`, or `7`."""
    return f"{start}" if start == end else f"{start}-{end}"


def role_and_score(item: Item) -> str:
    """`primary, score 0.912` or `related (calls, distance 1), score 0.412`; an item that was cut says so."""
    tie = f" ({' > '.join(item.relationship)}, distance {item.distance})" if item.distance is not None else ""
    changed = f", changed lines {', '.join(span(*lines) for lines in item.changed)}" if item.changed else ""
    return f"{item.role}{tie}, score {item.score:.3f}{changed}{', cut' if item.elided else ''}"


def code(item: Item) -> str:
    """The content with its import statements as the language writes them."""
    if not item.imports or not item.file.endswith(ENDING_IMPORTS):
        return item.content
    imports = "\n".join(item.imports)
    return "".join(f"{statement};\n" for statement in item.imports) + item.content[len(imports) + 1 :]


def hunks(item: Item) -> str:
    """The lines of the change that the content does not show, as a diff; empty if there are none."""
    parts: list[str] = []
    for hunk in item.hunks:
        parts.append(f"@@ before line {hunk.line} @@")
        parts += [f"-{line}" for line in hunk.old.split("\n")] if hunk.old is not None else []
        parts += [f"+{line}" for line in hunk.new.split("\n")] if hunk.new is not None else []
        parts += [f"({hunk.more} more lines of the change)"] if hunk.more else []
    return "\n".join(parts)


def reason(why: Why) -> str:
    """`+1.250 name_match 0.500`; `+0.350 and 7 more` if there was no room for more."""
    if why.name == "more":
        return f"{why.points:+.3f} and {why.signal:.0f} more"
    detail = f" {escaped(why.detail)}" if why.detail else ""
    return f"{why.points:+.3f} {why.name} {why.signal:.3f}{detail}"


def balance(pack: Pack, items: int) -> str:
    """`3 items, 1204 of 8000 characters, 290 of 2000 tokens (chars/4), 2 left out`."""
    budget = pack.budget
    if not items and not budget.dropped_items and not pack.notes:
        return NOTHING if pack.diff is None or pack.diff.files else "nothing changed"
    tokens = ""
    if budget.used_tokens is not None:
        limit = f" of {budget.max_tokens}" if budget.max_tokens is not None else ""
        tokens = f", {budget.used_tokens}{limit} tokens ({escaped(budget.token_counter)})"
    used = f"{budget.used_chars} of {budget.max_chars} characters{tokens}"
    return f"{counted(items, 'item')}, {used}{', ' * (budget.dropped_items > 0)}{left_out(budget)}"


def left_out(budget: Budget) -> str:
    """`12 left out (8 little evidence)`; empty if nothing is."""
    if not budget.dropped_items:
        return ""
    counts = as_data(budget.left_out) if budget.left_out else {}
    causes = ", ".join(f"{count} {CAUSES[cause]}" for cause, count in counts.items())
    return f"{budget.dropped_items} left out" + (f" ({causes})" if causes else "")


def alike(item: Item, quoted: Callable[[str], str] = str) -> str:
    """`and 2 more like it: src/b.py:3-9, src/c.py:4`; empty if there are none."""
    ids = (one.rsplit(":", 2) for one in item.alike)
    places = ", ".join(quoted(escaped(f"{file}:{span(start, end)}")) for file, start, end in ids)
    return f"and {len(item.alike)} more like it: {places}" if places else ""


def drop(dropped: Dropped) -> str:
    """`left out: src/a.py:1:40 (no room left; 1530 characters, 2.250 points)`."""
    cause = f"{CAUSES[dropped.cause]}; {dropped.cost_chars} characters, {dropped.points:.3f} points"
    return f"left out: {escaped(dropped.id)} ({cause})"
