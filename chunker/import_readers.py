"""The text of one import statement -> the modules that it names and the local names that it binds.

One reader for each family of syntaxes; `READERS` is the table that `languages.py` refers to. A reader gets the
statement as it stands in the file, comments taken out, and returns (module, names) pairs; see `model.Import`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

Names = tuple[tuple[str, str], ...]
Bound = tuple[str, Names]
Reader = Callable[[str], list[Bound]]

_WILDCARD: Final[Names] = (("*", "*"),)
_PATH_SEPARATOR = re.compile(r"::|[./\\]")


def _last(module: str) -> str:
    return _PATH_SEPARATOR.split(module.rstrip("./"))[-1]


def _split(text: str) -> list[str]:
    """The parts of a list, split at commas that stand in no bracket."""
    parts: list[str] = []
    depth = start = 0
    for at, char in enumerate(text):
        if char in "({[":
            depth += 1
        elif char in ")}]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _pair(text: str, separator: str = r"\s+as\s+") -> tuple[str, str]:
    """`name as local` -> (local, name); a name alone is both."""
    parts = re.split(separator, text.strip(), maxsplit=1)
    return (parts[-1].strip(), parts[0].strip())


def _python(text: str) -> list[Bound]:
    if match := re.match(r"c?import\b(.*)", text, re.S):
        found: list[Bound] = []
        for part in _split(match[1].replace("\\\n", " ")):
            local, module = _pair(part)
            found.append((module, ((local if local != module else module.split(".")[0], ""),)))
        return found
    match = re.match(r"from\s*(\.*\s*[\w.]*)\s*c?import\b(.*)", text.replace("\\\n", " "), re.S)
    if match is None:
        return []
    module, listed = match[1].replace(" ", ""), match[2].strip().strip("()").strip()
    if module == "__future__":
        return [(module, ())]  # switches the compiler, binds nothing that code would use
    return [(module, _WILDCARD if listed == "*" else tuple(_pair(part) for part in _split(listed)))]


_JS_REQUIRE = re.compile(
    r"(\{[^}]*\}|[\w$]+)\s*(?::[^=]*)?=\s*(?:await\s+)?(?:require|import)\s*\(\s*['\"`]([^'\"`]+)['\"`]\s*\)(?:\.([\w$]+))?"
)
_JS_FROM = re.compile(r"(?:import|export)\b(?:\s+type\b(?!\s*(?:from|,)))?(.*?)\bfrom\s*['\"]([^'\"]+)['\"]", re.S)
_JS_QUOTED = re.compile(r"(?:import|require)\s*\(?\s*['\"`]([^'\"`]+)['\"`]")


def _javascript(text: str) -> list[Bound]:
    if match := _JS_FROM.match(text):
        return [(match[2], _js_clause(match[1]))]
    if required := _JS_REQUIRE.findall(text):
        return [(module, _js_required(target, member)) for target, module, member in required]
    return [(match[1], ()) for match in _JS_QUOTED.finditer(text)]


def _js_clause(clause: str) -> Names:
    """`React, { useState as state, type FC }`, `* as ns`, `*`."""
    names: list[tuple[str, str]] = []
    for part in _split(clause):
        if part.startswith("{"):
            inner = (re.sub(r"^type\s+(?!as\b)", "", name) for name in _split(part.strip("{}")))
            names += [_pair(name) for name in inner]
        elif part == "*":
            names.append(("*", "*"))
        elif part.startswith("*"):
            names.append((_pair(part)[0], ""))
        else:
            names.append((part, "default"))
    return tuple(names)


def _js_required(target: str, member: str) -> Names:
    if target.startswith("{"):
        pairs = (_pair(re.sub(r"\s*=.*", "", part, flags=re.S), r"\s*:\s*") for part in _split(target.strip("{}")))
        return tuple(pairs)
    return ((target, member),)


def _go(text: str) -> list[Bound]:
    """One import spec: `fmt`, `m "math"`, `. "dsl"`, `_ "driver"`, quoted as in the file."""
    match = re.search(r"(?:([\w.]+)\s+)?[\"`]([^\"`]+)[\"`]", text.strip().removeprefix("import"))
    if match is None:
        return []
    local, module = match[1], match[2]
    if local == ".":
        return [(module, _WILDCARD)]
    return [(module, () if local == "_" else ((local or _go_package(module), ""),))]


def _go_package(path: str) -> str:
    """The name that a package most likely has: neither a version nor a `go-` belongs to it."""
    last = re.sub(r"/v\d+$", "", path).rsplit("/", 1)[-1]
    return re.sub(r"\.v\d+$|^go-|-go$|\.go$", "", last)


def _rust(text: str) -> list[Bound]:
    text = re.sub(r"^pub\s*(?:\([^)]*\))?\s*", "", text).strip().rstrip(";")
    if text.startswith("mod"):
        return [("self::" + (name := text[3:].strip()), ((name, ""),))]
    if text.startswith("extern"):
        local, module = _pair(re.sub(r"^extern\s+crate\s+", "", text))
        return [(module, ((local, ""),))]
    return _braced(re.sub(r"^use\s+", "", text), "::")


def _braced(tree: str, separator: str, alias: str = r"\s+as\s+|\s*=>\s*") -> list[Bound]:
    """`a::{b, c as d, e::*}` -> one entry for each module, in the order of the text."""
    names: dict[str, list[tuple[str, str]]] = {}
    pending = [("", tree)]
    while pending:
        prefix, text = pending.pop()
        head, brace, inner = text.partition("{")
        if brace:
            path = prefix + head.strip()
            pending += [(path, part) for part in reversed(_split(inner.rsplit("}", 1)[0]))]
            continue
        local, path = _pair(text, alias)
        local = _last(local)
        module, _, name = (prefix + path).rpartition(separator)
        if name in ("*", "_"):
            local = name = "*"
        elif name == "self":
            local, name = (_last(module) if local == "self" else local), ""
        names.setdefault(module or name, []).append((local, name))
    return [(module, tuple(pairs)) for module, pairs in names.items()]


def _java(text: str) -> list[Bound]:
    path = re.sub(r"^import\s+(?:static\s+)?", "", text).strip().rstrip(";").replace(" ", "")
    return _braced(path, ".")


def _kotlin(text: str) -> list[Bound]:
    return _braced(re.sub(r"^import\s+", "", text).strip().rstrip(";"), ".")


def _scala(text: str) -> list[Bound]:
    clause = re.sub(r"^(?:import|export)\s+", "", text).strip().rstrip(";")
    found: list[Bound] = []
    for part in _split(clause):
        found += _braced(re.sub(r"\bgiven\b(?:\s+[\w.\[\]]+)?", "*", part), ".")
    return found


def _csharp(text: str) -> list[Bound]:
    clause = re.sub(r"^(?:global\s+)?using\s+(?:static\s+)?", "", text).strip().rstrip(";")
    if "=" in clause:
        local, module = (part.strip() for part in clause.split("=", 1))
        return [(module, ((local, ""),))]
    return [(clause, _WILDCARD)]


def _swift(text: str) -> list[Bound]:
    match = re.search(r"\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)", text)
    if match is None:
        return []
    module, _, name = match[1].rpartition(".")
    return [(module, ((name, name),))] if module else [(name, _WILDCARD)]


def _haskell(text: str) -> list[Bound]:
    match = re.match(
        r"import\s+(?:safe\s+)?(?P<q>qualified\s+)?(?:\"[^\"]*\"\s*)?(?P<module>[\w.']+)(?P<q2>\s+qualified\b)?"
        r"(?:\s+as\s+(?P<local>[\w.']+))?\s*(?P<hiding>hiding\b)?\s*(?:\((?P<names>.*)\))?\s*\Z",
        text.strip(),
        re.S,
    )
    if match is None:
        return []
    names: list[tuple[str, str]] = []
    if match["local"] or match["q"] or match["q2"]:
        names.append((match["local"] or match["module"], ""))
    if match["names"] is not None and not match["hiding"]:
        for listed in _split(match["names"]):
            name, _, parts = re.sub(r"^(?:type|pattern)\s+", "", listed).partition("(")
            # `Shape(..)` shows the constructors and fields of the type, whatever they are.
            inside = [part for part in _split(parts.rstrip().removesuffix(")")) if name.strip()]
            bare = name.strip() or listed.strip("() ")
            names.append((bare, bare))
            names += [("*", "(..)") if part == ".." else (part, part) for part in inside]
    elif not (match["q"] or match["q2"]):
        names.append(("*", "*"))
    return [(match["module"], tuple(names))]


def _ruby(text: str) -> list[Bound]:
    match = re.match(r"(require_relative|require|load|autoload)\b[\s(]*(?::(\w+)\s*,\s*)?['\"]([^'\"]+)['\"]", text)
    if match is None:
        return []
    # `require_relative "a"` is a path from this file, `require "a"` a library: only the first gets the dot.
    module = match[3] if match[1] != "require_relative" or match[3].startswith(".") else "./" + match[3]
    return [(module, ((match[2], match[2]),) if match[2] else ())]


def _php(text: str) -> list[Bound]:
    if match := re.match(r"(?:require|include)(?:_once)?\b[^'\"]*['\"]([^'\"]+)['\"]", text):
        return [(match[1].lstrip("/") if "__DIR__" in text else match[1], ())]
    found: list[Bound] = []
    for part in _split(re.sub(r"^use\s+(?:function\s+|const\s+)?", "", text).strip().rstrip(";")):
        found += _braced(part.lstrip("\\"), "\\")
    return found


def _elixir(text: str) -> list[Bound]:
    pattern = r"(alias|import|use|require)\b[\s(]+([\w.]+?)(?:\.\{([^}]*)\})?(?:\s*,\s*(.*))?\)?\s*\Z"
    match = re.match(pattern, text, re.S)
    if match is None:
        return []
    word, module, braced, options = match[1], match[2], match[3], match[4] or ""
    if braced is not None:
        return [(f"{module}.{name}", ((name.split(".")[-1], ""),)) for name in _split(braced)]
    if word in ("import", "use"):
        only = re.search(r"only:\s*\[(.*?)\]", options, re.S)
        if only and word == "import":
            return [(module, tuple((name, name) for name in re.findall(r"(\w+[?!]?):", only[1])))]
        # `use` imports whatever the quoted code of the module's `__using__` imports.
        return [(module, _WILDCARD if word == "import" else (("*", "__using__"),))]
    local = re.search(r"\bas:\s*(\w+)", options)
    return [(module, ((local[1] if local else module.split(".")[-1], ""),))]


def _c(text: str) -> list[Bound]:
    match = re.match(r"#\s*(?:include|import)\w*\s*(?:<([^>]+)>|\"([^\"]+)\")", text)
    if match:
        return [(match[1] or match[2], ())]
    named = re.match(r"(?:export\s+)?import\s+([\w.:<>/\"]+)", text)  # C++20
    return [(named[1].strip('<>"'), _WILDCARD)] if named else []


_LUA_REQUIRE = re.compile(r"(?:([\w., \t]+?)\s*=\s*)?\brequire\s*\(?\s*['\"]([^'\"]+)['\"]\s*\)?(?:\.(\w+))?")


def _lua(text: str) -> list[Bound]:
    found: list[Bound] = []
    for match in _LUA_REQUIRE.finditer(re.sub(r"^local\s+", "", text)):
        local = (match[1] or "").split(",")[0].strip()
        # `require("a.b").run()` names the module where it is used; see `path_of`.
        names = (
            ((local, match[3] or ""),)
            if re.fullmatch(r"\w+", local)
            else ((f"require({match[2]})".replace(".", "/"), ""),)
        )
        found.append((match[2], names))
    return found


def _zig(text: str) -> list[Bound]:
    match = re.search(
        r"(?:\b(?:const|var)\s+(\w+)[^=]*=\s*)?@(?:import|cImport|embedFile)\(\s*\"([^\"]+)\"\s*\)((?:\.\w+)*)", text
    )
    if match is None:
        return []
    return [(match[2], ((match[1], match[3].removeprefix(".")),) if match[1] else _WILDCARD)]


def _bash(text: str) -> list[Bound]:
    """What a variable or a command puts before the path (`$DIR/`, `$(dirname "$0")/`) is left out."""
    path = re.sub(
        r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}]*\}|\$\w+|[\"']", "", re.sub(r"^(?:source|\.)\s+", "", text)
    )
    match = re.match(r"[^\s;|&]+", path.strip())
    if match is None:
        return []
    return [(match[0].lstrip("/") if "$" in text else match[0], ())]


READERS: Final[dict[str, Reader]] = {
    "python": _python,
    "javascript": _javascript,
    "go": _go,
    "rust": _rust,
    "java": _java,
    "c": _c,
    "csharp": _csharp,
    "kotlin": _kotlin,
    "scala": _scala,
    "swift": _swift,
    "ruby": _ruby,
    "php": _php,
    "elixir": _elixir,
    "haskell": _haskell,
    "lua": _lua,
    "zig": _zig,
    "bash": _bash,
}
