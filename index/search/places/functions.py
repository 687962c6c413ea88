"""The name of a function as its definition has it, from what a frame prints."""

# ruff: noqa: E501 - a pattern that is broken up is harder to read than a long line

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMELESS = re.compile(
    r"<(?:anonymous|module|lambda|listcomp|genexpr|dictcomp|setcomp|main|top [^>]*|class:[^>]*|init)>$|main chunk$|^\?$"
)
_NOISE = re.compile(
    r"::h[0-9a-f]{16}$|\{\{.*?\}\}|\{closure.*|\{lambda.*| \[as .*|\[clone .*|\(anonymous namespace\)::|\[[^\[\]]*\](?=[(.]|$)|<[^<>]{0,300}>(?=::|\.|\(|$)|\(\*?([\w.]+)\)(?=\.)"
)
_WORD = re.compile(r"[^\W\d][\w']*[?!=]?")
_LEADING = re.compile(
    r"(?:async|new|static|block in|block \([^)]*\) in|rescue in|ensure in|anonymous fn/[0-9]+ in|closure #[0-9]+ in|implicit closure #[0-9]+ in|anonymous namespace)\s+"
)
_GENERATED = re.compile(
    r"func[0-9]+|gowrap[0-9]+|lambda|anonfun|anonymous|MoveNext|invokeSuspend|closure|fun|init|b__[\w]*|d__[0-9]+|apply"
)
_CSHARP = re.compile(r"<(\w+)>[a-z]__[\w|]*|<>c\w*")  # `<Load>d__5.MoveNext`: what the compiler made of Load
_JAVA = re.compile(r"lambda\$(\w+)\$[0-9]+|\$\$Lambda.*|\$anonfun\$(\w+)\$[0-9]+|\$(?=\.)")
_OF_CLASS = re.compile(r"(?P<package>(?:[a-z_][\w]*\.)*)(?P<class>[A-Z]\w*)")


@dataclass(frozen=True, slots=True)
class Function:
    """`name` is empty where a frame has no name that could be looked up; `package` is that of a Java class."""

    name: str = ""
    qualifier: str = ""
    package: str = ""


def function_of(printed: str, format_name: str) -> Function:
    """The function that a frame prints: `main.(*Server).Handle.func1` -> Handle of Server."""
    text = printed.strip()
    package = _package(text) if format_name == "java" else ""
    if not text or _NAMELESS.search(text):
        return Function(package=package)
    text = _LEADING.sub("", text)
    if format_name == "java":
        text = _JAVA.sub(lambda match: match[1] or match[2] or "", text)
    if "<" in text and "__" in text:
        text = _CSHARP.sub(lambda match: match[1] or "", text)
    text = _NOISE.sub(lambda match: match[1] or "", text)
    text = text.partition("(")[0]
    words = _WORD.findall(re.sub(r"/[0-9]+.*$", "", text))
    while len(words) > 1 and _GENERATED.fullmatch(words[-1]):
        words.pop()
    if not words or (printed.strip().startswith("new ") and format_name == "javascript"):
        return Function(package=package)
    return Function(words[-1].strip("'"), words[-2] if len(words) > 1 else "", package)


def _package(text: str) -> str:
    """The package of a Java-like class: `com.foo.Bar$1.run` -> `com.foo`."""
    match = _OF_CLASS.match(text)
    return match["package"].rstrip(".") if match else ""
