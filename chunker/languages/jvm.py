"""Java, Kotlin and Scala: packages that files declare, and one family of names."""

from __future__ import annotations

import re

from chunker.languages.import_syntax import Bound, braced, clause, split_list
from chunker.languages.rules import LanguageRules


def _read_import(text: str) -> list[Bound]:
    return braced(clause(text, r"import\s+(?:static\s+)?"), ".")


def _read_scala(text: str) -> list[Bound]:
    parts = split_list(clause(text, r"(?:import|export)\s+"))
    return [one for part in parts for one in braced(re.sub(r"\bgiven\b(?:\s+[\w.\[\]]+)?", "*", part), ".")]


RULES = (
    LanguageRules(
        name="java", grammar="java", symbols=True, extensions=(".java",), comment="//", read_import=_read_import,
        package="declared", overloads=True, implicit_self=True,
    ),
    LanguageRules(
        name="kotlin", grammar="kotlin", symbols=True, extensions=(".kt", ".kts"), comment="//",
        read_import=_read_import, imports_members=True, family="java", package="declared", overloads=True,
        trailing_blocks=True, implicit_self=True, split_classes=True, extensions_by="scope",
    ),
    LanguageRules(
        name="scala", grammar="scala", symbols=True, extensions=(".scala", ".sc", ".sbt"), interpreters=("scala",),
        comment="//", read_import=_read_scala, imports_members=True, imports_from_around=True, family="java",
        package="declared", nested_packages=True, overloads=True, implicit_self=True, companions=True,
    ),
)  # fmt: skip
