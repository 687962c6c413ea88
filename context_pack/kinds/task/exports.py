"""The names that an indexed file exports, read from its definitions and its lists of exports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

from chunker.languages.detection import detect_language
from chunker.languages.table import rules_of
from context_pack.io.paths import plain
from index.text import indentation

if TYPE_CHECKING:
    from index import Index

_SCRIPTS = ("javascript", "typescript", "tsx")
_LIST = re.compile(r"export\s*(?:type\s*)?\{([^}]*)\}")
_LISTED_NAME = re.compile(r"(?:[\w$]+\s+as\s+)?([A-Za-z_$][\w$]*)\s*(?:[:,]|$)")
_ALL = re.compile(
    r"""export\s*(?:type\s*)?\*\s*from\s*["']([^"']+)["']"""
    r"""|\bmodule\.exports\s*=\s*require\(["']([^"'\n]+)["']\)\s*;?[ \t]*$""",
    re.MULTILINE,
)
# `export default class Cart`, `module.exports = cart`, with the name in the first or second group; else the value.
_DEFAULT = re.compile(
    r"^(?:export\s+default\b|[^*/\n]*\bmodule\.exports\s*=(?!=))\s*(?:async\s+)?"
    r"(?:(?:abstract\s+)?(?:class|function|interface)\b\s*\*?\s*([A-Za-z_$][\w$]*)?"
    r"|([A-Za-z_$][\w$]*)\s*;?[ \t]*(?=$|/[/*])|(\S.*))",
    re.MULTILINE,
)
_MEMBER = re.compile(r"^[ \t]*(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=(?!=)", re.MULTILINE)
_OBJECT = re.compile(r"\bmodule\.exports\s*=\s*\{([^{}\n]*)(\}?)")
_PLAIN = re.compile(r"""[^()\[\]{}"'`/]*""")  # an item without brackets, texts and comments
_KEY = re.compile(r"(?:async\s+)?(?:[gs]et\s+)?\*?\s*([A-Za-z_$][\w$]*)\s*(?:[:(,]|$)")
MAX_OBJECT_CHARS = 100_000  # of an object of exports whose keys are read
_PYTHON_IMPORTS = re.compile(r"^from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^(\n]*)", re.MULTILINE)
# A list of texts only: what code computes is not known.
_PYTHON_EXPORTS = re.compile(r"""^__all__[^=\n]*=\s*[\[(]((?:\s*+["']\w++["']\s*+,?)*+)\s*[\])]""", re.MULTILINE)
# Endings of a file's name that an import specifier may leave out.
_ENDINGS = (
    "", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".py", ".go", ".rs", ".java", ".kt", ".rb", ".php",
    ".vue", "/index.ts", "/index.tsx", "/index.js", "/__init__.py", "/mod.rs",
)  # fmt: skip


def is_seen(index: Index, file: str, importer: str) -> bool:
    """Whether the importer uses a name of the file, if it imports the whole folder; True in other languages."""
    return not rules_of(index.language(file)).imports_folders or not _words(index, importer).isdisjoint(
        _folder_names(index, file, importer)
    )


def exported(index: Index, file: str, importers: Iterable[str] = ()) -> list[str]:
    """The names that an indexed file exports: definitions marked as exported, in order, then those of export lists,
    then those that it passes on from other files. Importers in a package's own folder see all of its names, and of
    those that are not exported, the ones that they use are listed.
    """
    text = index.file_text(file) or ""
    if index.language(file) == "python" and (every := " ".join(_PYTHON_EXPORTS.findall(re.sub("#.*", "", text)))):
        return list(dict.fromkeys(re.findall(r"\w+", every)))
    files = new = {file: None}
    while new:
        new = dict.fromkeys(path for one in new for path in _passed_on(index, one) if path not in files)
        files |= new
    names = dict.fromkeys(name for one in files for name in _exported(index, one))
    for importer in importers if _shares_folder(index, file) else ():
        words = _words(index, importer)
        names |= dict.fromkeys(name for name in _folder_names(index, file, importer) if name in words)
    return list(names)


def _shares_folder(index: Index, file: str) -> bool:
    """Whether the files of a folder see each other's names, and are imported together."""
    return rules_of(index.language(file)).package == "folder"


def _words(index: Index, file: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", index.file_text(file) or ""))


def _folder_names(index: Index, file: str, importer: str) -> list[str]:
    """The names of a file that an importer can see: all top-level ones in the same folder, else the exported ones."""
    if dirname(file) != dirname(importer):
        return _exported(index, file)
    return [row.name for row in index.defined_in(file) if row.qualified == row.name]


def _passed_on(index: Index, file: str) -> list[str]:
    """The files all of whose names a script exports."""
    specifiers = _ALL.findall(index.file_text(file) or "") if index.language(file) in _SCRIPTS else ()
    paths = (resolved("".join(one), file, lambda path: index.language(path) is not None) for one in specifiers)
    return [path for path in paths if path is not None]


def _exported(index: Index, file: str) -> list[str]:
    """The names that a file itself defines or lists, which may rename or pass on a name."""
    text, language = index.file_text(file) or "", index.language(file) or ""
    listed: Iterable[str] = ()
    if language in _SCRIPTS:
        listed = _script_names(text)
    elif basename(file) == "__init__.py":
        own = {"", *dirname(file).split("/")}  # where modules of this package may begin
        imports = _PYTHON_IMPORTS.findall(re.sub("#.*", "", text) + ")")
        imported = "\n".join(names for module, names in imports if module.partition(".")[0] in own)
        listed = re.findall(r"(?m)\b([A-Za-z]\w*)\s*(?:,|\)|$)", imported)
    listed, lines = dict.fromkeys(listed), text.split("\n")
    names = [row.name for row in index.defined_in(file) if row.qualified == row.name
             and (row.name in listed or _is_open(row.name, lines[row.line - 1], language))]  # fmt: skip
    return [*names, *listed]


def _script_names(text: str) -> Iterator[str]:
    """The names of a script's lists of exports, and of what it exports as a whole: `default` if that has no name."""
    # The bracket behind the text closes the last list: looking for the end of each open one takes quadratic time.
    for one in _LIST.findall(text + "}"):
        yield from (name for item in one.split(",") for name in _LISTED_NAME.findall(item.strip()))
    for match in _DEFAULT.finditer(text):
        name, value = match[1] or match[2], match[3] or ""
        if name or not ("module" in match[0] and value.startswith(("{", "require("))):
            yield name or "default"
    members = _OBJECT.search(text)
    if members is not None:
        yield from _keys(members[1].split(",") if members[2] else [members[1], *_inside(text, members.end())])
    yield from _MEMBER.findall(text)


def _inside(text: str, start: int) -> Iterator[str]:
    """The lines of an object, which begins before `start`, that are indented like the first one."""
    depth = None
    for line in text[start : start + MAX_OBJECT_CHARS].split("\n"):
        if line.strip():
            own = indentation(line)
            depth = own if depth is None else depth
            if own < depth:
                return
            if own == depth:
                yield line


def _keys(items: Iterable[str]) -> Iterator[str]:
    """The first key of each item, or all of one whose commas can be between keys only."""
    parts = (part for item in items for part in (item.split(",") if _PLAIN.fullmatch(item) else [item]))
    return (match[1] for part in parts if (match := _KEY.match(part.strip())))


def _is_open(name: str, line: str, language: str) -> bool:
    """Whether a top-level definition is exported, by its name and first line."""
    if language == "go":
        return name[:1].isupper()
    rules = rules_of(language)
    if rules.shown_definitions:
        return re.search(rules.shown_definitions, line) is not None
    return not (rules.hidden_definitions and re.search(rules.hidden_definitions, line)) and not name.startswith("_")


def resolved(specifier: str, importer: str, exists: Callable[[str], bool]) -> str | None:
    """The file that a specifier names: from the root or relative to the importer, with or without its ending."""
    written = re.sub(r"^[@~]/", "src/", specifier.replace("\\", "/").strip())
    bases = [normpath(join(dirname(importer), written))]
    if not written.startswith("."):
        bases.insert(0, plain(written))
    for base in bases:
        stem = re.sub(r"\.(?:js|mjs|cjs|jsx)$", "", base)  # TypeScript names the file that it compiles to
        for path in (*(base + ending for ending in _ENDINGS), *(stem + ending for ending in _ENDINGS[1:5])):
            if not path.startswith("..") and exists(path):
                return path
    is_file = "/" in written and not bases[0].startswith("..") and detect_language(written) is not None
    return bases[0] if is_file else None  # a file that is named in full and does not exist yet
