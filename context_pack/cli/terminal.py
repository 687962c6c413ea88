"""An answer for people: headings, clickable places, coloured code, and its confidence and size."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from io import StringIO
from typing import Any
from urllib.parse import quote

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.style import Style
from rich.syntax import Syntax
from rich.table import Column, Table
from rich.text import Text

from context_pack.answer import Reply
from context_pack.render import phrases
from context_pack.render.text import by_labels, heads
from contracts.errors import CtxpackError
from contracts.records import Item, Pack, as_data
from contracts.reports import Hit, Hits, Place, Related, Symbols

_EMPTY: tuple[object, ...] = (None, "", [], {})
_LINK_ID = re.compile(r"\x1b\]8;id=([^;]*);")
_SIGNS = {"info": ("·", "dim"), "warn": ("!", "yellow"), "action": ("→", "cyan")}


def drawn(reply: Reply, color: str) -> tuple[str, bool]:
    """A reply as text for a person, in whole lines, and whether it has colours."""
    coloured = color == "always" or (
        color == "auto" and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    text = StringIO()
    console = Console(
        file=text, width=shutil.get_terminal_size().columns, force_terminal=coloured,
        color_system="standard" if coloured else None, no_color=not coloured, highlight=False, markup=False,
        emoji=False, legacy_windows=False,
    )  # fmt: skip
    for part in (*_View(reply).parts(), *_footer(reply)):
        console.print(part)
    ids: dict[str, int] = {}  # rich numbers links at random, so that the same answer would have other bytes
    drawing = _LINK_ID.sub(lambda match: f"\x1b]8;id={ids.setdefault(match[1], len(ids))};", text.getvalue())
    return "".join(f"{line.rstrip(' ')}\n" for line in drawing.splitlines()), coloured


class _View:
    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        try:
            self._root = None if reply.corpus is None else reply.corpus.root
        except CtxpackError:  # several repositories have no common root
            self._root = None

    def parts(self) -> Iterator[RenderableType]:
        data = self._reply.answer.data
        if isinstance(data, Pack):
            yield Text(phrases.title(data), "bold")
            for item in data.items:
                yield from self._item(item)
        elif isinstance(data, Hits):
            yield Text(phrases.one_line(data.query), "bold")
            yield from self._hits(data.hits)
        elif isinstance(data, Related):
            yield from self._related(data)
        elif isinstance(data, Symbols):
            width = max((len(symbol.kind) for symbol in data.symbols), default=0)
            for symbol in data.symbols:
                kind, name = (f"{symbol.kind:{width}}  ", "dim"), (phrases.escaped(symbol.qualified), "green")
                yield Text.assemble(kind, name, "  ", self._place(symbol.file, symbol.line, symbol.line))
        elif self._reply.markdown is not None:
            yield Markdown(_clean(self._reply.markdown()), code_theme="ansi_dark")
        elif self._reply.text is not None:
            yield _highlighted(self._reply.text(), "markdown")
        else:
            yield from _record(data)

    def _place(self, file: str, first: int, last: int) -> Text:
        """`src/a.py:7-9`, as a link that opens the file if the terminal supports it."""
        shown = f"{phrases.escaped(file)}:{first}" + (f"-{last}" if last != first else "")
        link = None
        if self._root is not None:
            path = quote(str(self._root / file), errors="surrogateescape")
            in_editor = os.environ.get("TERM_PROGRAM") == "vscode"
            link = f"vscode://file{path}:{first}" if in_editor else f"file://{path}#{first}"
        return Text.assemble((shown, Style(color="blue", bold=True, link=link)))

    def _head(self, one: Item | Hit | Place) -> Text:
        kind, name = (f"  {one.type or ''}", "dim"), (f" {phrases.escaped(one.symbol or '')}".rstrip(), "green")
        return Text.assemble(self._place(one.file, one.start_line, one.end_line), kind, name)

    def _item(self, item: Item) -> Iterator[RenderableType]:
        yield Text()
        yield self._head(item).append(f"  {phrases.role_and_score(item)}", "dim")
        yield from _reasons(phrases.reason(part) for part in item.why)
        yield from self._content(item)
        if item.hunks:
            yield Padding(_highlighted(phrases.hunks(item), "diff"), (0, 0, 0, 2))

    def _content(self, item: Item) -> Iterator[RenderableType]:
        lines, count = item.content.split("\n"), item.end_line - item.start_line + 1
        if item.elided or len(lines) < count:
            yield _code(item.file, item.content, None)
            return
        if lines[:-count]:  # the imports before it
            yield _code(item.file, "\n".join(lines[:-count]), None)
        yield _code(item.file, "\n".join(lines[-count:]), item.start_line)

    def _hits(self, hits: Iterable[Hit]) -> Iterator[RenderableType]:
        for hit in hits:
            yield Text.assemble((f"{hit.score:.3f}  ", "dim"), self._head(hit))
            yield from _reasons(phrases.reason(part) for part in hit.why)
            if hit.content is not None:
                yield _code(hit.file, hit.content, hit.start_line)

    def _related(self, data: Related) -> Iterator[RenderableType]:
        yield from map(self._head, heads(data.of))
        for labels, hits in by_labels(data).items():
            yield Text()
            yield Text(" > ".join(labels).replace("_", " "), "bold")
            yield from self._hits(hits)


def _footer(reply: Reply) -> Iterator[RenderableType]:
    """The size of the answer, its confidence, and the hints."""
    answer, parts = reply.answer, []
    data = answer.data
    if isinstance(data, Pack) and (data.items or data.budget.dropped_items or not answer.hints):
        parts.append(phrases.balance(data, len(data.items)))
    counted: Sequence[object] | None = getattr(data, "hits", None) or getattr(data, "symbols", None)
    if counted is not None:
        parts.append(f"{len(counted)} found")
    if answer.grade is not None:
        sure = phrases.MATCHES[answer.grade.confidence]  # a hint has the reason of any but a strong match
        parts.append(f"{sure} ({answer.grade.reason})" if answer.grade.confidence == "strong" else sure)
    if parts:
        yield Text()
        yield Text(" · ".join(parts), "bold")
    for hint in answer.hints:
        sign, style = _SIGNS[hint.type]
        yield Text(f"{sign} {phrases.escaped(hint.text)}", style)


def _clean(text: str) -> str:
    """Code with its control characters escaped."""
    return "\n".join(map(phrases.escaped, text.expandtabs(4).split("\n")))


def _highlighted(text: str, language: str, first: int | None = None) -> Syntax:
    return Syntax(
        _clean(text.rstrip("\n")), language, theme="ansi_dark", background_color="default", word_wrap=True,
        line_numbers=first is not None, start_line=first or 1,
    )  # fmt: skip


def _code(file: str, content: str, first: int | None) -> RenderableType:
    """Coloured code, with line numbers if its lines are those of the file."""
    return Padding(_highlighted(content, Syntax.guess_lexer(file), first), (0, 0, 0, 2))


def _reasons(reasons: Iterable[str]) -> Iterator[Text]:
    return (Text(f"    {reason}", "dim") for reason in reasons)


def _record(data: Any) -> Iterator[RenderableType]:
    """Any other record: values by name, rows as a table, changes as a diff."""
    table = Table.grid(Column(), Column(overflow="fold"), padding=(0, 2))  # a path is not shortened
    rows: list[Mapping[str, Any]] = []
    for name, value in (as_data(data) if is_dataclass(data) else data).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows += value
        elif name != "version" and value not in _EMPTY:
            table.add_row(Text(name.replace("_", " "), "dim"), _value(value))
    if table.row_count:
        yield table
    if rows:
        yield _table(rows)
    for row in rows:
        if row.get("diff"):
            yield _highlighted(row["diff"], "diff")


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    every = dict.fromkeys(name for row in rows for name in row)
    names = [name for name in every if name != "diff" and any(row.get(name) for row in rows)]
    columns = (Column(name.replace("_", " "), overflow="fold") for name in names)
    table = Table(*columns, box=None, padding=(0, 2, 0, 0), header_style="bold")
    for row in rows:
        table.add_row(*(_value(row.get(name, "")) for name in names))
    return table


def _value(value: object) -> Text:
    if isinstance(value, bool):
        return Text("yes" if value else "no")  # whether that is good news depends on its name
    if isinstance(value, Mapping):
        named = ((name.replace("_", " "), one) for name, one in value.items() if one not in _EMPTY)
        return Text("\n").join(Text.assemble(f"{name}: ", _value(one)) for name, one in named)
    if isinstance(value, list):
        return Text("\n").join(map(_value, value))
    return Text(f"{value:,}" if isinstance(value, int) else phrases.escaped(str(value)))
