"""Markdown: a heading and a fenced block for each item; backticks in the content cannot end a fence or a code span."""

from __future__ import annotations

import re
from functools import lru_cache

from chunker.languages.detection import detect_language
from context_pack.render import phrases
from context_pack.render.text import TextLayout
from contracts.records import Item, Pack

_language_of = lru_cache(maxsize=1_024)(detect_language)  # a server shows the same files again and again
_BACKTICKS = re.compile("`+")


def _longer(delimiter: str, text: str) -> str:
    """The delimiter, or a run of backticks longer than any in the text if the text contains the delimiter."""
    return "`" * (max(map(len, _BACKTICKS.findall(text))) + 1) if delimiter in text else delimiter


def code_span(text: str) -> str:
    """Inline code (CommonMark 6.1). Text with backticks gets a delimiter longer than any run of them, and padding."""
    if "`" not in text:
        return f"`{text}`"
    delimiter = _longer("`", text)
    return f"{delimiter} {text} {delimiter}"


def fenced(text: str, language: str) -> str:
    """A fenced block (CommonMark 4.5) whose fence is longer than any run of backticks inside."""
    fence = _longer("```", text)
    return f"{fence}{language}\n{text}\n{fence}\n"


class MarkdownLayout(TextLayout):
    bullet = "- "

    def head(self, pack: Pack) -> str:
        model = f"Model {pack.model_id}, profile {pack.profile}.\n\n"
        return f"# {code_span(phrases.title(pack))}\n\n{model}{phrases.notes(pack, self.bullet)}"

    def item(self, item: Item) -> str:
        symbol = f" {code_span(phrases.escaped(item.symbol))}" if item.symbol else ""
        name = f" {item.type}{symbol}" if item.type else symbol
        heading = f"## {code_span(phrases.place(item))}{name}\n\n{phrases.role_and_score(item)}\n\n"
        more = f"{phrases.alike(item, code_span)}\n\n" if item.alike else ""
        why = "".join(f"- {phrases.reason(part)}\n" for part in item.why)
        hunks = fenced(phrases.hunks(item), "diff") if item.hunks else ""
        code = fenced(phrases.code(item), _language_of(item.file) or "")
        return f"{heading}{more}{why}{chr(10) if why else ''}{code}{hunks}\n"

    def foot(self, pack: Pack, items: int) -> str:
        return f"---\n\n{phrases.balance(pack, items)}\n"


LAYOUT = MarkdownLayout()
