"""Go, Rust, Swift, Zig and Dart."""

from __future__ import annotations

import re

from chunker.languages.import_syntax import WILDCARD, Bound, braced, clause, pair
from chunker.languages.rules import LanguageRules


def _read_go(text: str) -> list[Bound]:
    """One import spec: `fmt`, `m "math"`, `. "dsl"`, `_ "driver"`, quoted as in the file."""
    match = re.search(r"(?:([\w.]+)\s+)?[\"`]([^\"`]+)[\"`]", text.strip().removeprefix("import"))
    if match is None:
        return []
    local, module = match[1], match[2]
    if local == ".":
        return [(module, WILDCARD)]
    # The name that a package most likely has: neither a version nor a `go-` belongs to it.
    package = re.sub(r"\.v\d+$|^go-|-go$|\.go$", "", re.sub(r"/v\d+$", "", module).rsplit("/", 1)[-1])
    return [(module, () if local == "_" else ((local or package, ""),))]


def _read_rust(text: str) -> list[Bound]:
    text = clause(text, r"pub\s*(?:\([^)]*\))?\s*")
    if text.startswith("mod"):
        return [("self::" + (name := text[3:].strip()), ((name, ""),))]
    if text.startswith("extern"):
        local, module = pair(clause(text, r"extern\s+crate\s+"))
        return [(module, ((local, ""),))]
    return braced(re.sub(r"^use\s+", "", text), "::")


def _read_swift(text: str) -> list[Bound]:
    match = re.search(r"\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)", text)
    if match is None:
        return []
    module, _, name = match[1].rpartition(".")
    return [(module, ((name, name),))] if module else [(name, WILDCARD)]


def _read_zig(text: str) -> list[Bound]:
    name = r"(?:\b(?:const|var)\s+(\w+)[^=]*=\s*)?"
    match = re.search(name + r"@(?:import|cImport|embedFile)\(\s*\"([^\"]+)\"\s*\)((?:\.\w+)*)", text)
    if match is None:
        return []
    return [(match[2], ((match[1], match[3].removeprefix(".")),) if match[1] else WILDCARD)]


def _read_dart(text: str) -> list[Bound]:
    match = re.search(r"\b(?:import|export)\s+(['\"])(?:package:\w+/)?([^'\"]+)\1(?P<rest>.*)", text, re.S)
    if match is None:
        return []
    prefix, shown = (re.search(rf"\b{word}\s+([\w\s,]+)", match["rest"]) for word in ("as", "show"))
    if prefix:
        return [(match[2], ((prefix[1].split()[0], ""),))]
    names = re.split(r"\s*,\s*", shown[1].partition("hide")[0].strip()) if shown else []
    return [(match[2], tuple((name, name) for name in names) or WILDCARD)]


RULES = (
    LanguageRules(
        name="go", grammar="go", symbols=True, extensions=(".go",), modes=("golang",), comment="//",
        manifest=("go.mod", r"^module\s+\"?([^\s\"]+)"), package="folder", read_import=_read_go, import_word="import",
        imports_folders=True,
    ),
    LanguageRules(
        name="rust", grammar="rust", symbols=True, extensions=(".rs",), interpreters=("rust-script",), comment="//",
        read_import=_read_rust, split_classes=True,
    ),
    LanguageRules(
        name="swift", grammar="swift", symbols=True, extensions=(".swift",), interpreters=("swift",), comment="//",
        read_import=_read_swift, package="folder", overloads=True, trailing_blocks=True, program_wide=True,
        split_classes=True, implicit_self=True,
    ),
    LanguageRules(
        name="zig", grammar="zig", symbols=True, extensions=(".zig", ".zon"), comment="//", read_import=_read_zig,
        imports_paths=True, implicit_self=True, file_is_class=True, self_names=("@This",),
    ),
    LanguageRules(
        name="dart", grammar="dart", symbols=True, extensions=(".dart",), interpreters=("dart",), comment="//",
        read_import=_read_dart, imports_paths=True, implicit_self=True, split_classes=True,
    ),
)  # fmt: skip
