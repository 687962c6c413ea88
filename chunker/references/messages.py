"""Messages that are sent to objects, written as calls: `[[Cart open] add:item to:list]` as `Cart.open().add()`."""

from __future__ import annotations

import re

from chunker.kinds import UNKNOWN
from chunker.references.expressions import closing

_TOKEN = re.compile(rb"\"(?:\\.|[^\"\\\n])*\"|[()\[\]{}]|\s+")
_WORD = re.compile(rb"\s*([A-Za-z_]\w*)\s*(?=[:\]]|\Z)")
# What they return is, to a reader, the object that they are sent to, or one of its class.
_SAME = re.compile(rb"alloc|new|init([A-Z]\w*)?|(mutableC|c)opy|retain|autorelease|self|class")
_NAME = re.compile(rb"\w+")
_MAX_DEPTH = 6  # of messages to the results of messages


def as_calls(text: bytes, depth: int = 0) -> bytes:
    """The expression with calls in place of the messages that it begins with."""
    text = text.strip()
    if not text.startswith(b"["):
        return text
    end = closing(text, 0, _TOKEN)
    split = _end_of_receiver(text, 1)
    word = _WORD.match(text, split)
    if end < 0 or word is None or depth > _MAX_DEPTH:
        return UNKNOWN.encode()
    receiver = as_calls(text[1:split], depth + 1)
    if receiver.startswith(b"("):  # a cast is that of the receiver alone
        receiver = b"(" + receiver + b")"
    if _SAME.fullmatch(word[1]):
        made = b"()" if word[1] in (b"alloc", b"new") and _NAME.fullmatch(receiver) else b""
        return receiver + made + text[end:]
    return receiver + b"." + word[1] + b"()" + text[end:]


def _end_of_receiver(text: bytes, start: int) -> int:
    """Where the blank after the receiver begins, or the word after the bracket that ends it."""
    start = len(text) - len(text[start:].lstrip())
    depth = 0
    for match in _TOKEN.finditer(text, start):
        if match[0].isspace():
            if depth == 0:
                return match.start()
            continue
        depth += (match[0] in b"([{") - (match[0] in b")]}")
        if depth == 0 and match[0] == b"]" and text[match.end() : match.end() + 1].isalpha():
            return match.end()
    return len(text)
