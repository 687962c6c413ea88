"""The import statements of a file, and which of them a piece of its code uses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunker.chunks.lines import Lines
from chunker.chunks.outline import Outline
from chunker.kinds import JOINT
from chunker.languages.import_readers import READERS
from chunker.languages.import_syntax import Names
from chunker.languages.table import LanguageRules
from chunker.model import INNER, OWN, SHOWN, Import
from chunker.parse.captures import Symbol
from chunker.references.uses import enclosing

MAX_PER_CHUNK = 5  # shared contract: an item of a pack shows at most five statements

_WORD_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.") | set(range(128, 256))
_BLANK_OTHERS = bytes(byte if byte in _WORD_BYTES else 0x20 for byte in range(256))
_LINE_COMMENT = {mark: re.compile(rf"(?<![:\"'\w]){re.escape(mark)}[^\n]*") for mark in ("#", "//", "--", "%", ";")}
_BLANKED = b".*"  # at the end of a statement, where a mask hides it from the grammar of Groovy
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/|\{-.*?-\}|\(\*.*?\*\)", re.S)


def read_imports(outline: Outline, language: LanguageRules, lines: Lines) -> tuple[Import, ...]:
    """The statements of a file, in its order; one entry for each module that a statement names."""
    reader = READERS.get(language.name)
    if reader is None:
        return ()
    imports: list[Import] = []
    exported = _exported(language, lines.data) if outline.imports else frozenset()
    around = enclosing(outline.symbols, [span.start_byte for span in outline.imports])
    aliases: dict[str, str] = {}
    has_aliases = language.imports_by_name or language.file_modules
    for span, symbol in zip(outline.imports, around, strict=True):
        end = span.end_byte
        end += len(_BLANKED) * lines.data.startswith(_BLANKED, end)
        text = _statement(lines.data[span.start_byte : end].decode("utf-8", "replace"))
        if not text.startswith(language.import_word):
            text = f"{language.import_word} {text}"
        first = lines.row(span.start_byte) + 1
        last = first + text.count("\n")
        pattern = language.shown_imports if symbol is None else ""
        least = OWN if symbol is None else INNER
        for written, names in filter(lambda one: one[0], reader(_bare(text, language))):
            module = _whole_name(written, names, aliases, symbol) if has_aliases else written
            shown = (local in exported or (pattern and re.match(pattern, f"{local} {text}")) for local, _ in names)
            imports.append(Import(text, module, names, tuple(SHOWN if one else least for one in shown), first, last))
    return tuple(imports)


def _whole_name(module: str, names: Names, aliases: dict[str, str], around: Symbol | None) -> str:
    """The name of a module without an alias at its start: after `alias Shop.Cart`, `Shop.Cart.Item` of `Cart.Item`.

    Adds the statement's own names to `aliases`.
    """
    head, dot, rest = module.partition(".")
    own = around.qualified if around is not None and head == "__MODULE__" else head
    module = f"{aliases.get(own, own)}{dot}{rest}"
    aliases.update((local, module) for local, target in names if not target)
    return module


def _exported(language: LanguageRules, data: bytes) -> frozenset[str]:
    """The names in the list of what a file shows to files that import it."""
    listed = re.search(language.exports.encode(), data, re.M) if language.exports else None
    return frozenset(re.findall(r"[\w']+", listed[1].decode("utf-8", "replace")) if listed else ())


def _statement(text: str) -> str:
    """The statement without its `;`. Some grammars extend the last import over the comments that follow it."""
    head, blank, _ = text.strip().partition("\n\n")
    if blank and all(head.count(left) == head.count(right) for left, right in ("()", "{}", "[]")):
        text = head
    return text.strip().removesuffix(";").rstrip()


def _bare(text: str, language: LanguageRules) -> str:
    """The statement without comments."""
    if "\n" not in text and language.comment not in text and "/*" not in text:
        return text
    if language.comment != "#" or not text.startswith("#"):
        text = _LINE_COMMENT[language.comment].sub("", text) if language.comment else text
    return _BLOCK_COMMENT.sub(" ", text).strip()


class ImportUse:
    """Looks up which statements bind the names that a chunk uses."""

    def __init__(
        self, imports: Sequence[Import], visible: Sequence[bool], *, members: bool, name_chars: str = ""
    ) -> None:
        """`visible[i]` is False for a statement inside a function: its names are not visible elsewhere. With `members`,
        a name may also be used after a dot. `name_chars` may be in names besides the usual characters."""
        more = name_chars.encode()
        self._blank = bytes(byte if byte in more else blank for byte, blank in enumerate(_BLANK_OTHERS))
        self._by_name: dict[bytes, list[int]] = {}
        self._imports = imports
        prefixes = (b"", b".") if members else (b"",)
        for at, statement in enumerate(imports):
            if visible[at] and not statement.text.startswith("export"):  # a re-export binds nothing here
                for local, _ in statement.names:
                    if local not in ("*", "_", ""):
                        # A dotted local (Haskell's `Data.Map.lookup`) is looked up by its first part,
                        # the joined name of a module by its last.
                        name = local.split(".")[0].rpartition(JOINT)[2].encode()
                        for prefix in prefixes:
                            self._by_name.setdefault(prefix + name, []).append(at)

    def of(self, text: bytes, first_line: int, last_line: int) -> tuple[int, ...]:
        """Positions of at most five statements that `text` uses, with different texts, outside these lines."""
        by_name = self._by_name
        if not by_name:
            return ()
        positions = {at for name in by_name.keys() & _words(text, self._blank) for at in by_name[name]}
        by_text: dict[str, int] = {}
        for at in sorted(positions):
            statement = self._imports[at]
            if statement.end_line < first_line or statement.start_line > last_line:
                by_text.setdefault(statement.text, at)
        return tuple(list(by_text.values())[:MAX_PER_CHUNK])


def _words(text: bytes, blank: bytes) -> set[bytes]:
    """The identifiers in code; one right after a dot keeps the dot, because it is a member of something else.

    `blank` makes blanks of all other characters. A name after several dots (`...props`, `0..n`) stands for itself.
    Twice as fast as a regular expression.
    """
    spaced = text.replace(b"...", b" ").replace(b"..", b" ").replace(b".", b" .")
    return set(spaced.translate(blank).split())
