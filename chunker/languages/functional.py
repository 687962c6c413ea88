"""Elixir and Haskell."""

from __future__ import annotations

import re

from chunker.languages.import_syntax import PARTS, WILDCARD, Bound, split_list
from chunker.languages.rules import LanguageRules


def _read_elixir(text: str) -> list[Bound]:
    pattern = r"(alias|import|use|require)\b[\s(]+([\w.]+?)(?:\.\{([^}]*)\})?(?:\s*,\s*(.*))?\)?\s*\Z"
    match = re.match(pattern, text, re.S)
    if match is None:
        return []
    word, module, listed, options = match[1], match[2], match[3], match[4] or ""
    if listed is not None:
        return [(f"{module}.{name}", ((name.split(".")[-1], ""),)) for name in split_list(listed)]
    if word == "use":  # imports whatever the quoted code of the module's `__using__` imports
        return [(module, WILDCARD)]
    if word == "import":
        only = re.search(r"only:\s*\[(.*?)\]", options, re.S)
        return [(module, tuple((name, name) for name in re.findall(r"(\w+[?!]?):", only[1])) if only else WILDCARD)]
    local = re.search(r"\bas:\s*(\w+)", options)
    return [(module, ((local[1] if local else module.split(".")[-1], ""),))]


def _read_haskell(text: str) -> list[Bound]:
    match = re.match(
        r"import\s+(?:safe\s+)?(?P<q>qualified\s+)?(?:\"[^\"]*\"\s*)?(?P<module>[\w.']+)(?P<q2>\s+qualified\b)?"
        r"(?:\s+as\s+(?P<local>[\w.']+))?\s*(?P<hiding>hiding\b)?\s*(?:\((?P<names>.*)\))?\s*\Z",
        text.strip(),
        re.S,
    )
    if match is None:
        return []
    names: list[tuple[str, str]] = []
    is_qualified = match["q"] or match["q2"]
    if match["local"] or is_qualified:
        names.append((match["local"] or match["module"], ""))
    if match["names"] is not None and not match["hiding"]:
        for listed in split_list(match["names"]):
            name, _, parts = re.sub(r"^(?:type|pattern)\s+", "", listed).partition("(")
            # `Shape(..)` shows the constructors and fields of the type, whatever they are.
            inside = split_list(parts.rstrip().removesuffix(")")) if name.strip() else []
            bare = name.strip() or listed.strip("() ")
            names += [(bare, bare), *(PARTS if part == ".." else (part, part) for part in inside)]
    elif not is_qualified:
        names.append(("*", "*"))
    return [(match["module"], tuple(names))]


def _file_stem(part: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", part).lower()


RULES = (
    LanguageRules(
        name="elixir", grammar="elixir", symbols=True, extensions=(".ex", ".exs"), interpreters=("elixir",),
        comment="#", clauses=True, read_import=_read_elixir, imports_by_name=True, module_stem=_file_stem,
        package="folder", program_wide=True, implicit_self=True, split_classes=True,
        self_names=("__MODULE__",),
    ),
    LanguageRules(
        name="haskell", grammar="haskell", symbols=True, extensions=(".hs", ".hsc", ".hs-boot"), comment="--",
        interpreters=("runhaskell", "stack"), clauses=True, read_import=_read_haskell, includes=True,
        constructors_mean_types=True,
    ),
)  # fmt: skip
