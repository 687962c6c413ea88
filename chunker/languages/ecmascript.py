"""JavaScript and TypeScript."""

from __future__ import annotations

import re

from chunker.languages.import_syntax import Bound, Names, pair, split_list
from chunker.languages.rules import LanguageRules


def _read_import(text: str) -> list[Bound]:
    if match := re.match(
        r"(?:import|export)\b(?:\s+type\b(?!\s*(?:from|,)))?(.*?)\bfrom\s*['\"]([^'\"]+)['\"]", text, re.S
    ):
        return [(match[2], _listed(match[1]))]
    if required := re.findall(
        r"(\{[^}]*\}|[\w$]+)\s*(?::[^=]*)?=\s*(?:await\s+)?(?:require|import)"
        r"\s*\(\s*['\"`]([^'\"`]+)['\"`]\s*\)(?:\.([\w$]+))?",
        text,
    ):
        return [(module, _required(target, member)) for target, module, member in required]
    return [(module, ()) for module in re.findall(r"(?:import|require)\s*\(?\s*['\"`]([^'\"`]+)['\"`]", text)]


def _listed(clause: str) -> Names:
    """`React, { useState as state, type FC }`, `* as ns`, `*`."""
    names: list[tuple[str, str]] = []
    for part in split_list(clause):
        if part.startswith("{"):
            names += [pair(re.sub(r"^type\s+(?!as\b)", "", name)) for name in split_list(part.strip("{}"))]
        elif part == "*":
            names.append(("*", "*"))
        elif part.startswith("*"):
            names.append((pair(part)[0], ""))
        else:
            names.append((part, "default"))
    return tuple(names)


def _required(target: str, member: str) -> Names:
    if not target.startswith("{"):
        return ((target, member),)
    parts = split_list(target.strip("{}"))
    return tuple(pair(re.sub(r"\s*=.*", "", part, flags=re.S), r"\s*:\s*") for part in parts)


RULES = (
    LanguageRules(
        name="javascript", grammar="javascript", symbols=True, comment="//", read_import=_read_import, redefines=True,
        extensions=(".js", ".jsx", ".mjs", ".cjs", ".es6"), filenames=("Jakefile",),
        interpreters=("node", "nodejs", "bun", "deno"),
    ),
    LanguageRules(
        name="typescript", grammar="typescript", symbols=True, comment="//", read_import=_read_import, redefines=True,
        extensions=(".ts", ".mts", ".cts"), interpreters=("ts-node", "tsx"), clauses=True, family="javascript",
    ),
    LanguageRules(
        name="tsx", grammar="tsx", symbols=True, comment="//", read_import=_read_import, redefines=True,
        extensions=(".tsx",), clauses=True, family="javascript",
    ),
)  # fmt: skip
