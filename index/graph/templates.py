"""Links templates to the definitions that their code names, and code to the templates that it shows by their paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from chunker.languages.table import rules_of
from chunker.languages.template_syntax import TEMPLATE_END, is_template
from index.graph.guesses import GUESSED, WORDS
from index.graph.lookup import MAX_SHARED, NONE, Lookup, kinds
from index.graph.path_ends import Parts, PathEnds, Place, nearest, shared_parts, within
from index.graph.references import Uses
from index.graph.symbol_table import SymbolTable
from index.segment.columns import Array

EMBED, RENDER = map(REFERENCE_KINDS.index, ("embed", "render"))
_TYPES = kinds("class", "struct", "enum", "interface", "trait", "module")
_USED = _TYPES | kinds("function", "method", "macro", "const", "type")
_STEM_WORD = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+")


def embedded(table: SymbolTable) -> Uses:
    """The definitions that the code of templates names."""
    return _named(table, np.flatnonzero(table.segment.array("reference.kind") == EMBED))


def _named(table: SymbolTable, rows: Array) -> Uses:
    """Definitions by the type that the name before the dot may have, or as the only ones of their name in the languages
    of the program, which counts half for a member."""
    segment = table.segment
    chain = table.pointed("reference", "chain", "chain", rows)
    owner = table.last_steps(chain)
    name = segment.array("reference.name")[rows].astype(np.int64)
    # In these languages, a module is a namespace.
    is_package = table.files_where(lambda rules: rules.package == "declared")[table.file] & kinds("module")[table.kind]
    used = _USED[table.kind] & ~is_package & ~table.is_test[table.file]
    has_words = np.array([WORDS.search(table.names[number]) is not None for number in name.tolist()], bool)
    belongs = (table.container >= 0) | kinds("method")[table.kind]
    languages = segment.strings("file.language").to_list()
    language = np.array([languages[file] for file in table.files_at("reference", rows).tolist()])
    minor, minor_family = segment.array("minor.name").astype(np.int64), table.family[table.file_of("minor")]
    answers = np.full((MAX_SHARED, len(rows)), NONE, np.int64)
    is_guess = np.zeros(len(rows), bool)
    for own in sorted(set(language.tolist())):
        rules = rules_of(own)
        for host in rules.hosts or (rules.family,):
            family = table.families.get(host, -1)
            if family < 0 or not ((language == own) & (answers[0] == NONE)).any():
                continue
            code = np.flatnonzero(used & (table.family[table.file] == family))
            other = minor[minor_family == family]
            members = Lookup((table.key(0, table.last_names[table.container[code]], table.name[code]), code))
            at = np.flatnonzero((language == own) & (answers[0] == NONE) & (owner >= 0))
            _fill(table, answers, at, members.find(table.key(0, owner[at], name[at])), members)
            anywhere = Lookup(
                (table.key(0, -1, table.name[code]), code),
                (table.key(0, -1, other), np.full(len(other), table.definitions)),
            )
            at = np.flatnonzero((language == own) & (answers[0] == NONE))
            _fill(table, answers, at, anywhere.find(table.key(0, -1, name[at])), anywhere)
            target, is_bare = answers[0, at], chain[at] == -1
            is_type, is_member = (np.append(holds, False)[target] for holds in (_TYPES[table.kind], belongs))
            fits = np.where(
                is_bare, has_words[at] | is_type, has_words[at] & (is_member | (is_type & (chain[at] >= 0)))
            )
            answers[:, at[~fits]] = NONE
            is_guess[at] = fits & ~is_bare
    place, at = np.nonzero(answers >= 0)
    count = np.maximum((answers >= 0).sum(axis=0), np.where(is_guess, GUESSED, 1))
    return Uses(rows[at], answers[place, at], count[at])


def _fill(table: SymbolTable, answers: Array, rows: Array, hits: Array, look_up: Lookup) -> None:
    """Write the sole definition of each name, or the few pieces of one: overloads, parts of a class."""
    single = table.is_definition(hits)
    answers[0, rows[single]] = hits[single]
    at, among = look_up.among(hits)
    starts = np.searchsorted(at, at)
    differ = np.append(table.qualified, -2)[among] != np.append(table.qualified, -2)[among[starts]]
    good = ~np.isin(at, at[differ]) & (among < table.definitions)
    answers[(np.arange(len(at)) - starts)[good], rows[at[good]]] = among[good]


def rendered(table: SymbolTable) -> tuple[Array, Array, Array]:
    """(symbol or file, chunk, template): what shows a template by its path, and the method of a controller that the
    template is named for."""
    segment = table.segment
    rows = np.flatnonzero(segment.array("reference.kind") == RENDER)
    is_action = segment.array("reference.chain")[rows] >= 0
    actions, rows = _named(table, rows[is_action]), rows[~is_action]
    finder = TemplateFinder(table.paths if len(rows) else ())
    names, files = segment.array("reference.name")[rows].tolist(), table.files_at("reference", rows).tolist()
    hits = [finder.find(table.names[name], file) for name, file in zip(names, files, strict=True)]
    template = np.array(hits, np.int64)
    good = (template >= 0) & (template != files) & (np.diff(segment.rows["chunk"])[template] > 0)
    rows, template = rows[good], template[good]
    return (
        np.append(table.sources(rows), actions.definition),
        np.append(
            table.pointed("reference", "chunk", "chunk", rows),
            segment.absolute("definition", "chunk", "chunk")[actions.definition],
        ),
        np.append(template, table.files_at("reference", actions.reference)),
    )


class TemplateFinder:
    """Finds the template that a path means, as seen from a file. The time does not grow with the number of templates of
    one name."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._folders = [tuple(path.split("/")[:-1]) for path in paths]
        self._paths = paths
        self._files = [number for number, path in enumerate(paths) if is_template(path)]
        self._ends = PathEnds((_parts(paths[file]), self._folders[file]) for file in self._files)

    def find(self, name: str, file: int) -> int:
        """The file whose path ends like `name`: the nearest one; for a name alone, one in the same folder or in the
        folder that a controller is named for, or else the only one; -1 without such a file."""
        folder, parts = self._folders[file], _parts(name)
        if ".." in parts or name.startswith("."):
            parts = _parts(posixpath.normpath("/".join([*folder, name])))
        groups: list[Sequence[Place]] = [self._ends.fitting(parts)]
        if len(parts) == 1 and len(groups[0]) > 1:
            beside = [place for place in within(groups[0], folder) if place[0] == folder]
            words = {word.lower() for word in _STEM_WORD.findall(self._paths[file].rpartition("/")[2])}
            groups = [beside] if beside else [self._ends.fitting((word, *parts)) for word in words]
        best = [pair for group in groups for pair in within(group, folder[: nearest(group, folder)])]
        near = max((shared_parts(one, folder) for one, _ in best), default=0)
        files = [self._files[one] for place, one in best if shared_parts(place, folder) == near]
        if len({_parts(self._paths[one]) for one in files}) != 1:
            return -1
        # Of `show.html.erb` and `show.text.erb`, the one whose name is written, or else the first.
        return min([one for one in files if self._paths[one].endswith(name)] or files)


def _parts(path: str) -> Parts:
    """The folders and the stem of a template, as they are compared."""
    *folders, stem = TEMPLATE_END.sub("", path).lower().split("/")
    return *folders, stem.lstrip("_")
