"""The slots of a task packet that are cut out of documents: prevention rules, criteria, the state, boundaries."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from context_pack.core.budget import Amounts, Budget
from context_pack.core.candidate import Candidate, Slot
from context_pack.core.fit import fit
from context_pack.corpora.globs import holds
from context_pack.corpora.inside import plain
from context_pack.kinds.task.markdown import Table, bare, bullets, cells, fenced, headings, section, tables, unquoted
from context_pack.kinds.task.slices import reason
from contracts.records import Why

SCARS_LINES, CRITERIA_LINES, STATE_LINES, COMPACT_LINES = 30, 50, 150, 80
RULES = "Active Prevention Rules"
# What the seed asks to be said in every compact state.
NOTE = "Do not ask for more context — request with NEXUS_PERMISSION_REQUEST if truly needed"


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of a document that belong together and are never cut apart."""

    id: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """A slot's text, why its parts are there, and which were left out by the limit."""

    text: str
    shown: tuple[tuple[str, tuple[Why, ...]], ...] = ()
    withheld: tuple[str, ...] = ()
    found: bool = True


EMPTY = Digest("", found=False)


def _fitted(slots: Sequence[Slot[Part]], limit: int, fixed: int, gap: int = 0) -> tuple[list[Part], Digest]:
    """The parts that fit into a number of lines, in the order of the slots; the digest lacks its text."""

    def measure(part: Part) -> Amounts:
        return {"lines": len(part.lines) + gap}

    fitted = fit(slots, Budget(limits={"lines": limit + gap}, fixed={"lines": fixed}), measure)
    shown = tuple((candidate.id, candidate.why) for candidate in fitted.kept)
    withheld = tuple(drop.candidate.id for drop in fitted.dropped)
    return [candidate.item for candidate in fitted.kept], Digest("", shown, withheld)


def _text(head: Iterable[str], parts: Iterable[Part], digest: Digest) -> Digest:
    lines = [*head, *(line for part in parts for line in part.lines)]
    return Digest("\n".join(lines), digest.shown, digest.withheld)


def scars(text: str, files: Sequence[str], limit: int = SCARS_LINES) -> Digest:
    """Heading and table of the prevention rules; when they are too many, those that apply to the files come first."""
    lines = text.split("\n")
    place = section(lines, RULES)
    if place is None:
        return EMPTY
    body = lines[place[0] + 1 : place[1]]
    found = tables(body)
    head = [lines[place[0]].rstrip(), *(found[0].head if found else ())]
    rules = [rule for table in found for rule in _rules_of(table, files)] or _listed_rules(body, files)
    if len(head) + sum(len(rule.item.lines) for rule in rules) > limit:
        rules.sort(key=lambda rule: rule.why[0].name != "applies_to")  # stable: the document's order within each
    parts, digest = _fitted([Slot("rules", tuple(rules))], limit, len(head))
    return _text(head, parts, digest)


def _rules_of(table: Table, files: Sequence[str]) -> list[Candidate[Part]]:
    column = next((n for n, name in enumerate(table.columns) if bare(name).lower().startswith("appl")), None)
    found = []
    for row in table.rows:
        values = cells(row)
        applies = values[column] if column is not None and column < len(values) else ""
        found.append(_rule(bare(values[0]) or row, (row.rstrip(),), applies, files))
    return found


def _listed_rules(body: Sequence[str], files: Sequence[str]) -> list[Candidate[Part]]:
    """Rules in a list instead of a table; a rule applies to the paths and globs in its code spans."""
    return [
        _rule(item.split("\n")[0], tuple(f"{'- ' if not n else '  '}{line}" for n, line in enumerate(item.split("\n"))),
              ",".join(re.findall(r"`([^`]+)`", item)), files)
        for item in bullets(body)
    ]  # fmt: skip


def _rule(name: str, lines: tuple[str, ...], applies: str, files: Sequence[str]) -> Candidate[Part]:
    matched = [file for file in files if applies_to(applies, file)]
    why = reason("applies_to", f"{unquoted(applies)} matches {matched[0]}") if matched else reason("active_rule", "")
    return Candidate(name, Part(name, lines), 0.0, (why,))


def applies_to(scope: str, file: str) -> bool:
    """Whether a rule's scope covers a file: a path, a glob (`*` crosses folders here), or one of several, by comma."""
    path = plain(file)
    for part in re.split(r"[,;]|\s+and\s+", scope):
        wanted = unquoted(part)
        if not wanted:
            continue
        if wanted.lower() in ("all", "all files", "everything", "*", "**", "any"):
            return True
        if fnmatch.fnmatchcase(path, wanted) or holds(wanted, path) or wanted in path.split("/"):
            return True
    return False


_ID = r"[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*"
# `AC-1:`, `[MUST] AC-01: x`, `- [ ] **AC-1** - x`, `### AC-1: x`, `| AC-1 | x |`
_START = re.compile(
    rf"(?P<lead>[ \t]*(?:[-*+][ \t]+)?(?:\[[ xX]\][ \t]+)?(?:\[[A-Z]+\][ \t]*)?|\#{{1,6}}[ \t]+(?:\[[A-Z]+\][ \t]*)?"
    rf"|[ \t]*\|[ \t]*)[*_`\[]*(?P<id>{_ID})[*_`\]]*(?P<end>[ \t]*(?::|\||—|–|-[ \t]|$|[ \t]\())"
)


def criteria(text: str, ids: Sequence[str], limit: int = CRITERIA_LINES) -> tuple[Digest, list[str]]:
    """The criteria with these ids, in the order of the ids, and the ids that no criterion has.

    Each reaches up to the next criterion or the end of its section. One that does not fit is left out as a whole;
    only the first, when it alone is too long, is cut.
    """
    blocks = _criteria(text.split("\n"), ids)
    candidates, missing = [], []
    for name in dict.fromkeys(ids):
        if name in blocks:
            candidates.append(Candidate(name, Part(name, blocks[name]), 0.0, (reason("task", f"{name} is listed"),)))
        else:
            missing.append(name)
    if candidates and len(candidates[0].item.lines) > limit:
        first = candidates[0]
        cut = Digest("\n".join(first.item.lines[:limit]), ((first.id, first.why),),
                     (*(c.id for c in candidates[1:]), f"{first.id} from its line {limit + 1}"))  # fmt: skip
        return cut, missing
    rows = all(len(c.item.lines) == 1 for c in candidates)
    parts, digest = _fitted([Slot("criteria", tuple(candidates))], limit, 0, gap=0 if rows else 1)
    texts = ["\n".join(part.lines) for part in parts]
    return Digest(("\n" if rows else "\n\n").join(texts), digest.shown, digest.withheld), missing


def _criteria(lines: Sequence[str], ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Every wanted criterion's lines, by id: the first that has the id counts."""
    code = fenced(lines)
    levels = {heading.line: heading.level for heading in headings(lines)}
    families = {"AC-"} | {_family(name) for name in ids}
    starts = {
        number: match
        for number, line in enumerate(lines)
        if not code[number]
        and (match := _START.match(line))
        and (match["id"] in ids or _family(match["id"]) in families)
    }
    found: dict[str, tuple[str, ...]] = {}
    for number, match in starts.items():
        if match["id"] in ids and match["id"] not in found:
            found[match["id"]] = _block(lines, number, match["lead"], starts, levels, code)
    return found


def _family(name: str) -> str:
    """`AC-` of `AC-12`: what the ids of one document have in common. A name without a number has no family."""
    match = re.match(r"(.*?[A-Za-z_-])\d", name)
    return match[1].upper() if match else name


def _block(
    lines: Sequence[str], start: int, lead: str, starts: dict[int, re.Match[str]], levels: dict[int, int],
    code: Sequence[bool],
) -> tuple[str, ...]:  # fmt: skip
    if lead.strip() == "|":
        return (lines[start].rstrip(),)
    own_level = levels.get(start, 7)
    end = start + 1
    while end < len(lines) and (code[end] or not _ends(lines[end], end, own_level, starts, levels)):
        end += 1
    block = [line.rstrip() for line in lines[start:end]]
    while not block[-1]:
        block.pop()
    return tuple(block)


def _ends(line: str, number: int, own_level: int, starts: dict[int, re.Match[str]], levels: dict[int, int]) -> bool:
    if number in starts or re.fullmatch(r" {0,3}(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}", line):
        return True
    return number in levels and levels[number] <= own_level


def compact_state(
    state: str, rules: str, decisions: Sequence[str], files: Sequence[str], limit: int = COMPACT_LINES
) -> Digest:
    """The phase goal, the active rules, and the decisions about these files, in that order of weight, and the note.

    The goal may fill half of the lines, and more where the rest needs less.
    """
    active = _whole_lines("rules", rules.split("\n") if rules else (), "active_rule")
    about = _decisions([state, *decisions], files)
    others = 1 + len(active) + sum(len(one.item.lines) for one in about)
    goal = [Candidate("phase goal", Part("phase goal", (line,)), 0.0, (reason("phase_goal", ""),))
            for line in _goal(state.split("\n"))]  # fmt: skip
    room = max(limit // 2, limit - others)
    slots = [Slot("goal", tuple(goal[:room])), Slot("rules", tuple(active)), Slot("decisions", tuple(about))]
    parts, digest = _fitted(slots, limit, 1)
    digest = replace(digest, withheld=(*(one.id for one in goal[room:]), *digest.withheld))
    return _text((), [*parts, Part("note", (NOTE,))], digest)


def _whole_lines(name: str, lines: Sequence[str], why: str) -> list[Candidate[Part]]:
    return [Candidate(f"{name}:{number}", Part(name, (line,)), 0.0, (reason(why, ""),))
            for number, line in enumerate(lines, 1)]  # fmt: skip


def _goal(lines: Sequence[str]) -> list[str]:
    """The section that is headed by the phase's goal, else the line that states it."""
    place = section(lines, "Current Phase Goal", "Phase Goal")
    if place is not None:
        return [line.rstrip() for line in lines[place[0] : place[1]] if line.strip()]
    stated = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[*_]*(?:current )?phase goal[*_]*:", re.IGNORECASE)
    return [line.rstrip() for line in lines if stated.match(line)][:1]


def _decisions(documents: Sequence[str], files: Sequence[str]) -> list[Candidate[Part]]:
    """The rows of decision tables, and the listed decisions, that name a modified file or a folder that holds it."""
    found: dict[str, Candidate[Part]] = {}
    for document in documents:
        lines = document.split("\n")
        rows = [row for table in tables(lines) if _is_decisions(table) for row in table.rows]
        listed = [lines[start:end] for start, end in [section(lines, "Recent Decisions", "Decisions") or (0, 0)]]
        for row in (*rows, *(f"- {item}" for block in listed for item in bullets(block))):
            about = [file for file in files if _names(row, file)]
            if about and row not in found:
                part = Part("decision", tuple(line.rstrip() for line in row.split("\n")))
                name = bare(cells(row)[0]) if row.lstrip().startswith("|") else row[2:60]
                found[row] = Candidate(name, part, 0.0, (reason("names_file", about[0]),))
    return list(found.values())


def _is_decisions(table: Table) -> bool:
    return any("decision" in bare(column).lower() for column in table.columns)


def _names(text: str, file: str) -> bool:
    """Whether a text names a file by its path, by its name, or by a folder above it."""
    path = plain(file)
    folders = ["/".join(path.split("/")[:count]) + "/" for count in range(path.count("/"), 0, -1)]
    words = [path, path.rpartition("/")[2]]
    if any(re.search(rf"(?<![\w./-]){re.escape(word)}(?![\w-]|\.\w)", text) for word in words):
        return True
    return any(re.search(rf"(?<![\w./-]){re.escape(folder)}(?![\w.-])", text) for folder in folders)


_DO_NOT_CHANGE = re.compile(r"[*_#\s>]*DO NOT (?:CHANGE|TOUCH|MODIFY)\b[^\n]*", re.IGNORECASE)
_LABEL = re.compile(r"[ \t]*(?:\*\*|__)[^*_]+:?(?:\*\*|__):?[ \t]*$|[ \t]*[A-Z][A-Z ]{3,}:[ \t]*$")


def boundaries(text: str) -> Digest:
    """The bullets under every `DO NOT CHANGE`, verbatim: a heading's whole section, a bold label's list."""
    lines = text.split("\n")
    code = fenced(lines)
    levels = {heading.line: heading.level for heading in headings(lines)}
    items: list[str] = []
    labels = 0
    for number, line in enumerate(lines):
        if code[number] or not _DO_NOT_CHANGE.fullmatch(line):
            continue
        labels += 1
        own_level = levels.get(number, 7)
        end = number + 1
        while end < len(lines) and not (
            levels.get(end, 8) <= own_level or (own_level == 7 and _closes(lines[end], end, levels))
        ):
            end += 1
        items += bullets(lines[number + 1 : end])
    items = list(dict.fromkeys(items))
    why = (reason("do_not_change", ""),)
    return Digest("\n".join(items), tuple((item, why) for item in items), found=labels > 0)


def _closes(line: str, number: int, levels: dict[int, int]) -> bool:
    """Whether a line ends the list under a bold label: the next label, a heading, a rule."""
    return number in levels or _LABEL.match(line) is not None or re.fullmatch(r" {0,3}-{3,}[ \t]*", line) is not None
