"""Parsing unified diffs, as git prints and forges serve them, into files and runs of changed lines.

A patch is untrusted text: nothing here opens a path. Line numbers are 1-based.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from contracts.frozen import frozen

Lines = tuple[int, int]

_HEAD = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NOTHING = "/dev/null"
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_CONTROLS = bytes.maketrans(b"abfnrtv", b"\a\b\f\n\r\t\v")


@frozen
class Hunk:
    """A run of changed lines: first line and number of lines, before and after. A side of 0 lines is after that line.

    `removed` and `added` are the lines that the current file does not contain.
    """

    old_line: int
    old_count: int
    line: int
    count: int
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@frozen
class ChangedFile:
    """A changed file and its unified diff; `was` is its former path if it was renamed.

    An untracked file has neither hunks nor a patch. `lost` counts the hunks of a patch for which the tree contains
    neither side; `ahead` means that the tree is in the state before the patch.
    """

    path: str
    state: str
    was: str = ""
    hunks: tuple[Hunk, ...] = ()
    patch: str = ""
    lost: int = 0
    ahead: bool = False

    @property
    def is_new(self) -> bool:
        return self.state in ("added", "new")

    @property
    def is_binary(self) -> bool:
        return "\nBinary files " in self.patch

    @property
    def lines(self) -> tuple[Lines, ...]:
        """The new and changed lines; for a pure removal, the lines around the gap."""
        return tuple(
            (hunk.line, hunk.line + hunk.count - 1) if hunk.count else (max(1, hunk.line), hunk.line + 1)
            for hunk in self.hunks
        )

    @property
    def removed(self) -> tuple[Lines, ...]:
        """The lines of the old file that are gone or changed."""
        return tuple((hunk.old_line, hunk.old_line + hunk.old_count - 1) for hunk in self.hunks if hunk.old_count)

    @property
    def summary(self) -> str:
        """`modified, +12 -3`."""
        if self.is_binary or not self.patch:
            return f"{self.state}, binary" if self.patch else self.state
        signs = re.findall(r"^[+-]", self.patch[self.patch.find("\n@@") :], re.MULTILINE) if self.hunks else []
        return f"{self.state}, +{signs.count('+')} -{signs.count('-')}"


@frozen
class Block:
    """The body below one `@@` line: the lines of both sides with their context, and the runs that differ."""

    old_line: int
    line: int
    old: list[str]
    new: list[str]
    runs: list[Hunk]


@dataclass(slots=True)
class Patched:
    """One file of a patch, with its names in the patch."""

    old: str
    new: str
    state: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def path(self) -> str:
        return self.old if self.state == "deleted" else self.new


def hunks(patch: str) -> tuple[Hunk, ...]:
    """The runs of lines of one file's patch, without context."""
    return tuple(run for file in _sections(patch.split("\n")) for block in file.blocks for run in block.runs)


def new_lines(patch: str, most: int) -> set[int]:
    """The numbers of the lines of the new file, changed or context, in the first `most` lines of a patch's hunks."""
    numbers, line = set[int](), 0
    for text in patch[patch.find("\n@@") + 1 :].split("\n")[:most]:
        if head := _HEAD.match(text):
            line = int(head[3])
        elif line and text[:1] in ("+", " "):
            numbers.add(line)
            line += 1
    return numbers


def line_after(line: int, changes: Sequence[Hunk]) -> int:
    """The number of a line after changes; for a replaced line, the first line of the replacement."""
    offset = 0
    for hunk in changes:
        if hunk.old_line + max(hunk.old_count, 1) <= line:
            offset += hunk.count - hunk.old_count
        elif hunk.old_count and hunk.old_line <= line:
            return max(1, hunk.line)
    return line + offset


def files(patch: str) -> list[Patched]:
    """The files of a patch, in order; a file that several commits of a series touch appears once."""
    by_path: dict[str, Patched] = {}
    for file in _sections(patch.split("\n")):
        first = by_path.setdefault(file.path, file)
        if first is not file:
            first.blocks += file.blocks
            first.state = file.state if file.state != "modified" else first.state
    return list(by_path.values())


def _sections(lines: Sequence[str]) -> list[Patched]:
    sections: list[Patched] = []
    named = True  # by `---` and `+++`: the next such pair starts another file
    at = 0
    while at < len(lines):
        line = lines[at].rstrip("\r")
        below = lines[at + 1].rstrip("\r") if at + 1 < len(lines) else ""
        if line.startswith("diff --git "):
            sections.append(Patched(*_names_of_header(line.removeprefix("diff --git ")), "modified"))
            named = False
        elif line.startswith("--- ") and below.startswith("+++ "):
            file = None if named else sections.pop()
            sections.append(_file_of_names(file, _name(line[4:]), _name(below[4:])))
            named = True
            at += 1
        elif sections and (head := _HEAD.match(lines[at])):
            at, block = _block(lines, at, head)
            sections[-1].blocks.append(block)
            continue
        elif sections and not sections[-1].blocks:
            _extend(sections[-1], line)
        at += 1
    return sections


def _extend(file: Patched, line: str) -> None:
    """Apply one of git's header lines, which are between the file's names and its first hunk."""
    if line.startswith("new file mode "):
        file.state = "added"
    elif line.startswith("deleted file mode "):
        file.state = "deleted"
    elif line.startswith("rename from "):
        file.old, file.state = _unquoted(line[12:]), "renamed"
    elif line.startswith("rename to "):
        file.new, file.state = _unquoted(line[10:]), "renamed"


def _file_of_names(file: Patched | None, old: str, new: str) -> Patched:
    """The file named by `---` and `+++` lines; git's header lines take precedence."""
    state = "added" if old == _NOTHING else "deleted" if new == _NOTHING else "modified"
    old, new = _without_prefixes(old, new)
    if file is None:
        return Patched(old, new, state)
    if file.state == "modified":
        file.old, file.new, file.state = old, new, state
    return file


def _names_of_header(names: str) -> tuple[str, str]:
    """The two names of a `diff --git` line: equal but for their prefix, or quoted."""
    if names.startswith('"'):
        quoted = re.findall(r'"(?:[^"\\]|\\.)*"', names)
        left, right = (quoted[0], quoted[-1]) if quoted else (names, names)
    else:
        middle = (len(names) - 1) // 2
        left, right = names[:middle], names[middle + 1 :]
    return _without_prefixes(_unquoted(left), _unquoted(right))


def _without_prefixes(old: str, new: str) -> tuple[str, str]:
    """The names without `a/` and `b/` (or git's other letters), if both have such a prefix."""
    both = [name for name in (old, new) if name != _NOTHING]
    if all(re.match("[abciwo]/", name) for name in both) and (len(both) == 1 or old[0] != new[0]):
        both = [name[2:] for name in both]
    return both[0] if old != _NOTHING and both else "", both[-1] if new != _NOTHING and both else ""


def _name(text: str) -> str:
    """A name without the time that `diff` prints after a tab."""
    return _unquoted(text if text.startswith('"') else text.partition("\t")[0])


def _unquoted(text: str) -> str:
    """A name without git's quotes, which are those of C strings; other names unchanged."""
    if len(text) < 2 or not (text.startswith('"') and text.rstrip().endswith('"')):
        return text

    def character(escape: re.Match[bytes]) -> bytes:
        return bytes([int(escape[1], 8) & 255]) if len(escape[1]) == 3 else escape[1].translate(_CONTROLS)

    return _ESCAPE.sub(character, text.rstrip()[1:-1].encode("utf-8", "replace")).decode("utf-8", "replace")


def _is_header(lines: Sequence[str], at: int) -> bool:
    """Whether the next file starts here, although lines are missing (editors remove final blank lines)."""
    return lines[at].startswith("--- ") and at + 2 < len(lines) and _HEAD.match(lines[at + 2]) is not None


def _block(lines: Sequence[str], at: int, head: re.Match[str]) -> tuple[int, Block]:
    """(the line after it, the block) whose `@@` line, matched by `head`, is at `at`.

    The block ends early if its body is shorter than the `@@` line says, or at a line that is not part of a diff.
    """
    old_line, old_count, line, count = (int(part) if part else 1 for part in head.groups())
    old_line, line = old_line + (not old_count), line + (not count)
    body: list[tuple[str, str]] = []
    at += 1
    while at < len(lines) and (old_count > 0 or count > 0):
        sign, text = lines[at][:1].rstrip("\r"), lines[at][1:].rstrip("\r")
        if sign not in ("", " ", "+", "-", "\\") or _is_header(lines, at):
            break
        if sign != "\\":  # a remark by git, not a line
            body.append((sign, text))
            old_count -= sign != "+"
            count -= sign != "-"
        at += 1
    old, new = ([text for sign, text in body if sign != other] for other in "+-")
    return at, Block(old_line, line, old, new, list(_runs(body, old_line, line)))


def _runs(body: Iterable[tuple[str, str]], old_line: int, line: int) -> Iterator[Hunk]:
    """The runs of removed and added lines in (sign, line) of a body that starts at these lines. A line without a sign
    is an empty line of context whose space a mailer removed."""
    for is_changed, rows in groupby(body, key=lambda row: row[0] in ("+", "-")):
        run = list(rows)
        removed, added = (tuple(text for sign, text in run if sign != other) for other in "+-")
        if is_changed:
            yield Hunk(old_line - (not removed), len(removed), line - (not added), len(added), removed, added)
        old_line += len(removed)
        line += len(added)
