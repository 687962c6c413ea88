"""What tests are about and what documents speak of: edges by name, where code itself has no reference."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.columns import Array, Strings
from index.graph.edges import LABELS, Rows
from index.graph.files import is_test_path
from index.graph.learned import Uses
from index.graph.lookup import MAX_SHARED, NONE, Lookup
from index.graph.world import World, kinds
from index.segment import Segment

_TESTED = kinds("function", "method", "class", "struct", "enum", "interface", "trait", "type", "macro", "module")
_TESTING = kinds("function", "method", "class", "struct", "module")
_DOCUMENTED = _TESTED | kinds("const", "variable")
_AFFIX = re.compile(r"^(?:[Tt]ests?_*(?=[A-Z_\d]|[a-z]*_)|test_+|should_?)|_*(?:[Tt]ests?|[Ss]pec|TestCase)$")
_ASIDE = re.compile(r"(^|/)(examples?|samples?|demos?|docs?)/", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_APART = re.compile(r"[_\s]+")
_BY_USE = 2  # a test of a file that uses a symbol of it counts half of one that is named after it


def subjects_of(name: str) -> list[tuple[str, str]]:
    """What a test's name says that it tests, as (container or empty, name) without case and underscores, the likelier
    first; nothing where it is no test's name."""
    bare = _AFFIX.sub("", name)
    if bare == name or not bare:
        return []
    whole = _plain(bare)
    outer, _, last = bare.strip("_").rpartition("_")
    return [("", whole), *([(_plain(outer), _plain(last))] if outer and last else [])]


def _plain(name: str) -> str:
    return _APART.sub("", name).lower()


def tested_by_name(world: World, near: Array) -> Rows:
    """`test_total` tests `total`, `CartTest` tests `Cart`: among the files that the test file tests, imports or shares
    a package with. `near`: int64[n, 2] (test file, file)."""
    is_test = np.array([is_test_path(path) for path in world.paths], bool)
    asking = _asking(world, np.flatnonzero(is_test[world.file] & _TESTING[world.kind]))
    known = _named({subject for _, subjects in asking for _, subject in subjects}, world, is_test)
    reach = set(map(tuple, near.tolist()))
    found: list[tuple[int, int, int]] = []
    for row, subjects in asking:
        for outer, subject in subjects:
            rows = [
                one for one, holder in known.get(subject, ())
                if (not outer or holder == outer) and _is_near(world, reach, int(world.file[row]), int(world.file[one]))
            ]  # fmt: skip
            if 0 < len(rows) <= MAX_SHARED:
                found += [(row, one, len(rows)) for one in rows]
                break
    return _rows(found, "tests")


def _asking(world: World, rows: Array) -> list[tuple[int, list[tuple[str, str]]]]:
    """The definitions in tests that are named after something, with what that may be. Names that many have are read
    once."""
    names = world.segment.names
    number, place = np.unique(world.name[rows], return_inverse=True)
    by_name = [subjects_of(names[name]) for name in number.tolist()]
    outers: dict[int, list[str]] = {-1: []}
    asking = []
    for row, at, container in zip(rows.tolist(), place.tolist(), world.container[rows].tolist(), strict=True):
        subjects = by_name[at]
        if subjects:  # a method of `CartTest` is about a method of `Cart` first
            if container not in outers:
                outers[container] = _outers(names[container])
            asking.append((row, [(outer, subjects[0][1]) for outer in outers[container]] + subjects))
    return asking


def _outers(container: str) -> list[str]:
    return [whole for _, whole in subjects_of(container.rpartition(".")[2])[:1]]


def may_be_tested(segment: Segment, names: Iterable[str]) -> bool:
    """Whether a definition of a test file may be named after one of these: its name holds what it is named after."""
    paths = segment.strings("file.path").to_list()
    is_test = np.array([is_test_path(path) for path in paths], bool)
    rows = np.flatnonzero(np.repeat(is_test, np.diff(segment.rows["definition"])))
    numbers = np.unique(segment.array("definition.name")[rows])
    texts = "\0".join(_plain_names(segment.names, numbers))
    return any(_plain(name) in texts for name in names)


def _plain_names(names: Strings, numbers: Array) -> list[str]:
    """The plain forms of these names, made in one go."""
    texts = names.take(numbers).to_list()
    plain = _plain("\0".join(texts)).split("\0")
    return plain if len(plain) == len(texts) else list(map(_plain, texts))  # where a name holds a NUL itself


def _named(wanted: set[str], world: World, is_test: Array) -> dict[str, list[tuple[int, str]]]:
    """The definitions outside of tests of each wanted name, with the plain name of what they stand in."""
    if not wanted:
        return {}
    names = world.segment.names
    rows = np.flatnonzero(~is_test[world.file] & _TESTED[world.kind])
    numbers = np.unique(world.name[rows])
    plain = dict(zip(numbers.tolist(), _plain_names(names, numbers), strict=True))
    hopeful = np.zeros(len(names), bool)
    hopeful[[number for number, text in plain.items() if text in wanted]] = True
    found: dict[str, list[tuple[int, str]]] = {}
    for row in rows[hopeful[world.name[rows]]].tolist():
        container = int(world.container[row])
        holder = _plain(names[container].rpartition(".")[2]) if container >= 0 else ""
        found.setdefault(plain[int(world.name[row])], []).append((row, holder))
    return found


def _is_near(world: World, reach: set[tuple[int, int]], test: int, file: int) -> bool:
    package = int(world.package[test])
    return (test, file) in reach or (package >= 0 and package == int(world.package[file]))


def tested_by_use(world: World, used: Rows, pairs: Array) -> Rows:
    """What a test file calls or uses of the file that it tests. `used` are edges between symbols."""
    home = np.concatenate([world.file, np.arange(world.files)])
    keys = np.unique(pairs[:, 0] * world.files + pairs[:, 1])
    mine = np.isin(home[used.source] * world.files + home[used.target], keys)
    mine &= np.isin(used.label, [LABELS.index("calls"), LABELS.index("uses")])
    kept = used.keep(mine)
    return Rows.of(kept.source, kept.target, "tests", np.maximum(kept.shared, _BY_USE))


def documented(world: World, only: Array | None = None) -> Uses:
    """What documents mention: by name, and by what stands before the dot where something does."""
    segment = world.segment
    rows = np.flatnonzero(segment.array("reference.kind") == REFERENCE_KINDS.index("mention"))
    rows = rows if only is None else np.intersect1d(rows, only)
    if not len(rows):
        return Uses(rows, rows, rows)
    aside = np.array([is_test_path(path) or _ASIDE.search(path) is not None for path in world.paths], bool)
    code = np.flatnonzero(_DOCUMENTED[world.kind] & ~aside[world.file])
    last = np.full(len(segment.names) + 1, -1, np.int64)  # the last part of a qualified name
    last[world.qualified] = world.name
    chain = segment.array("reference.chain")[rows]
    at = segment.absolute("reference", "chain", "chain")[rows]
    owner = np.full(len(rows), -1, np.int64)
    for part in ("first", "second", "third", "fourth"):
        step = segment.array(f"chain.{part}")[at[chain >= 0]]
        owner[chain >= 0] = np.where(step >= 0, step, owner[chain >= 0])
    name = segment.array("reference.name")[rows].astype(np.int64)
    inside = Lookup(world.keys.of(0, last[world.container[code]], world.name[code]), code)
    anywhere = Lookup(world.keys.of(0, -1, world.name[code]), code)
    answers = inside.find(world.keys.of(0, owner, name))
    # `flask.Flask`: what stands before the dot may be a module, and then the name stands at the top of a file.
    top = code[world.container[code] < 0]
    tops = Lookup(world.keys.of(0, -1, world.name[top]), top)
    # A plain word is a name only where it can be no other.
    vague = np.zeros(len(segment.names) + 1, bool)
    vague[[number for number in np.unique(name).tolist() if _WORD.fullmatch(segment.names[number])]] = True
    parts = []
    for table, open_ in ((inside, owner >= 0), (tops, (owner >= 0) & (answers == -1)), (anywhere, owner < 0)):
        place = np.flatnonzero(open_)
        found = table.find(world.keys.of(0, owner[place] if table is inside else -1, name[place]))
        if table is anywhere:
            clear = found >= 0
            clear[clear] = world.container[found[clear]] < 0
            found[vague[name[place]] & ~clear] = NONE
        single = found >= 0
        many_at, among = table.among(found)
        share = np.bincount(many_at, minlength=len(found))[many_at]
        parts.append(
            (
                np.concatenate([rows[place[single]], rows[place[many_at]]]),
                np.concatenate([found[single], among]),
                np.concatenate([np.ones(int(single.sum()), np.int64), share]),
            )
        )
    return Uses(*(np.concatenate([part[column] for part in parts]) for column in range(3)))


def _rows(found: list[tuple[int, int, int]], label: str) -> Rows:
    table = np.array(found, np.int64).reshape(-1, 3)
    return Rows.of(table[:, 0], table[:, 1], label, table[:, 2])
