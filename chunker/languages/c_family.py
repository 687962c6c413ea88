"""C, C++ and C#."""

from __future__ import annotations

import re

from chunker.languages.import_syntax import WILDCARD, Bound, clause
from chunker.languages.rules import LanguageRules


def _read_include(text: str) -> list[Bound]:
    if match := re.match(r"#\s*(?:include|import)\w*\s*(?:<([^>]+)>|\"([^\"]+)\")", text):
        return [(match[1] or match[2], ())]
    named = re.match(r"(?:export\s+)?import\s+([\w.:<>/\"]+)", text)  # modules of C++20
    return [(named[1].strip('<>"'), WILDCARD)] if named else []


def _read_using(text: str) -> list[Bound]:
    local, equals, module = clause(text, r"(?:global\s+)?using\s+(?:static\s+)?").partition("=")
    return [(module.strip(), ((local.strip(), ""),))] if equals else [(local, WILDCARD)]


RULES = (
    LanguageRules(
        name="c", grammar="c", symbols=True, extensions=(".c", ".h"), interpreters=("tcc",), modes=("c",),
        comment="//", preprocessor="macros", read_import=_read_include, imports_paths=True, includes=True,
        package="folder", program_wide=True, split_classes=True,
    ),
    LanguageRules(
        name="cpp", grammar="cpp", symbols=True, modes=("c++",), comment="//", preprocessor="macros",
        extensions=(
            ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".txx", ".tcc",
            ".ixx", ".cppm", ".ino",
        ),
        read_import=_read_include, imports_paths=True, includes=True, family="c", package="folder", overloads=True,
        program_wide=True, split_classes=True, implicit_self=True,
    ),
    LanguageRules(
        name="csharp", grammar="csharp", symbols=True, extensions=(".cs", ".csx"), modes=("c#",), comment="//",
        preprocessor="conditionals", read_import=_read_using, package="declared", nested_packages=True, overloads=True,
        program_wide=True, split_classes=True, reopens_classes=True, implicit_self=True, extensions_by="parameter",
    ),
)  # fmt: skip
