"""The names that the code of a template uses, and the templates that code or another template names by their paths.

Only marks tell code from text, for no grammar reads all of these languages. The time is linear in the size of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from chunker.chunks.lines import Lines
from chunker.kinds import UNKNOWN, ReferenceKind
from chunker.languages.table import rules_of
from chunker.languages.template_syntax import TemplateSyntax, is_template, template_syntax
from chunker.model import FileChunks, Reference, chunk_at

_MAX_BYTES = 1_000_000  # larger templates are built, or data
_TOKEN = re.compile(rb"(\??->|[?&]?\.|::|[$@#]|[|%] ?)?([A-Za-z_]\w*(?:[?!](?![\w.?=]))?)(\()?", re.ASCII)
_MEMBERS = frozenset({b".", b"?.", b"&.", b"->", b"?->", b"::"})
_STRING = re.compile(rb"\"[^\"\n#$@(]*\"|'[^'\n$@(]*'")  # one with code in it counts as code
_WORDS = re.compile(rb"[a-zA-Z0-9]_+[a-zA-Z0-9]|[a-z0-9][A-Z]")  # between two words of a name
_OF_TYPE = re.compile(rb"\.[A-Za-z]|::")  # after the name of a type
# `<.cart_item`, `<Cart.item`, `<CartItem`, `<x-cart-item`
_TAG = re.compile(rb"<(?:x-([a-z][\w.-]*)|([A-Z]\w*)?(?:\.([a-z_]\w*))?)", re.ASCII)
_PATH = rb"[\w./:@~\\-]{1,200}"
_PARTIAL = re.compile(rb"\{\{~?#?>[ ]?(" + _PATH + rb")", re.ASCII)  # `{{> cart/item}}`
# What takes the path of a template, after a word of these: `render partial: "item"`, `@include('parts.header')`,
# `<partial name="_Item"`, `return View("Show")`, `render(request, "show.html")`, `template_name = "show.html"`,
# `render :edit`
_SHOWING = (b"render", b"Render", b"view(", b"View(", b"emplate", b"HTML(")
_INCLUDING = (*_SHOWING, *b"artial nclude xtends omponent @each ayout".split(), b"{% embed", b"import ", b"from ")
_SHOWS = re.compile(
    rb"\w{0,20}+(?:[^\"'\n;{}<>]{0,50}+([\"'])(" + _PATH + rb")\1"
    rb"|[ (](?::?(?:action|template|partial)(?::| =>) ?)?:([a-z]\w*))",
    re.ASCII,
)


def read_template_names(path: str, file: FileChunks, lines: Lines) -> tuple[Reference, ...]:
    """The names in the code of a template, and the templates that it or other code shows, each once per chunk."""
    syntax, data = template_syntax(path), lines.data
    references = _References(file, lines)
    if syntax and file.chunks and len(data) <= _MAX_BYTES and _has_code(data, syntax):
        if syntax.actions:
            *_, folder, name = ("", *path.split("/"))
            controller = _camel(folder.removesuffix("_html")) + "Controller"
            references.add(name.partition(".")[0], "render", 0, controller)
        for first, last in _spans(data, syntax.code) if syntax.code else [(0, len(data))]:
            _add_names(references, data, first, last, syntax)
        if syntax.tags:
            _add_components(references, data)
        _add_shown(references, data, _INCLUDING)
        for match in _PARTIAL.finditer(data):
            references.add(_template_path(match[1]), "render", match.start())
    if rules_of(file.language).graph and file.chunks and syntax is None:
        _add_shown(references, data, _SHOWING)
    return references.all


def _has_code(data: bytes, syntax: TemplateSyntax) -> bool:
    return not syntax.code or any(opening in data for opening, _ in syntax.code)


def _add_components(references: _References, data: bytes) -> None:
    """The functions, types and templates that elements stand for."""
    for match in _TAG.finditer(data):
        view, type_, member = (part.decode() if part else "" for part in match.groups())
        at = match.start()
        if view:
            references.add(_camel(view.rpartition(".")[2]), "embed", at)
            references.add(f"components/{view.replace('.', '/')}", "render", at)
        elif member:
            references.add(member, "embed", at, type_ or None)
        elif type_:
            references.add(type_, "embed", at)
            references.add(type_, "render", at)


def _add_shown(references: _References, data: bytes, words: Sequence[bytes]) -> None:
    for word in words:
        at = data.find(word)
        while at >= 0:
            if match := _SHOWS.match(data, at + len(word)):
                references.add(_template_path(match[2] or match[3]), "render", at)
            at = data.find(word, at + len(word))


class _References:
    """References by name, kind, receiver and chunk; most files have none, so what they need is made when used."""

    def __init__(self, file: FileChunks, lines: Lines) -> None:
        self._by_key: dict[tuple[str, str, str | None, int], Reference] = {}
        self._file, self._lines = file, lines

    @cached_property
    def _starts(self) -> list[int]:
        return [chunk.start_byte for chunk in self._file.chunks]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The first definition of each qualified name."""
        return {one.qualified: number for number, one in reversed([*enumerate(self._file.definitions)])}

    @property
    def all(self) -> tuple[Reference, ...]:
        return tuple(self._by_key.values())

    def add(self, name: str, kind: ReferenceKind, at: int, receiver: str | None = None) -> None:
        chunk = chunk_at(self._starts, at)
        key = name, kind, receiver, chunk
        if name and key not in self._by_key:
            symbol = self._numbers.get(self._file.chunks[chunk].symbol or "")
            self._by_key[key] = Reference(name, kind, chunk, self._lines.row(at) + 1, receiver, symbol)


def _spans(data: bytes, marks: Sequence[tuple[bytes, bytes]]) -> Iterator[tuple[int, int]]:
    """The parts of `data` between marks. A mark that nothing closes is looked for once."""
    closing = dict(marks)
    opening = re.compile(b"|".join(map(re.escape, sorted(closing, key=len, reverse=True))))
    unclosed = set[bytes]()
    at = 0
    while len(unclosed) < len(closing) and (match := opening.search(data, at)):
        at = match.end()
        end = -1 if match[0] in unclosed else data.find(closing[match[0]], at)
        if end < 0:
            unclosed.add(match[0])
        else:
            yield at, end
            at = end


def _add_names(references: _References, data: bytes, first: int, last: int, syntax: TemplateSyntax) -> None:
    """The names in a code part that may be names of the program."""
    if syntax.code and data[first : first + 1] in (b"#", b"!"):  # a comment
        return
    code = _STRING.sub(lambda match: b" " * len(match[0]), data[first:last])
    end, before, is_first = -1, b"", bool(syntax.code)
    for match in _TOKEN.finditer(code):
        lead, name, call = match.groups()
        start = match.start()
        is_near, end, owner, before = start == end, match.end(2), before, name
        lead = lead.strip() if lead else b""
        is_telling = _WORDS.search(name) is not None
        if lead in _MEMBERS:
            if is_near or is_telling:
                receiver = _camel(owner.decode()) if is_near else UNKNOWN
                references.add(name.decode(), "embed", first + start, receiver)
        elif lead != b"$" and (lead != b"@" or not syntax.code):
            is_called = syntax.bare or call or lead or is_first
            is_type = not lead and name[:1].isupper() and _OF_TYPE.match(code, end)
            if is_type or (is_called and is_telling):
                references.add(name.decode(), "embed", first + start)
        is_first = False


def _camel(text: str) -> str:
    """`cart_item`, `cart-item` -> `CartItem`: the type that a value of this name may have."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[_-]", text))


def _template_path(path: bytes) -> str:
    """A path as templates are looked up: without a namespace, and with folders for Blade's `layouts.app`."""
    text = path.decode().replace("\\", "/").rpartition("::")[2].lstrip("~/@")
    text = text if "/" in text or is_template(text) else text.replace(".", "/")
    return text if re.search(r"[^\W\d]", text.rpartition("/")[2]) else ""
