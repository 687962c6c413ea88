"""Every language that a file can be in: records by name, and names by what files are called.

`FIRST_TIER` languages have symbol-level chunks. `others.tsv` lists those that are split along the tree of a grammar of
tree-sitter-language-pack 0.13.0, or by lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from chunker.languages import c_family, compiled, ecmascript, functional, jvm, scripting
from chunker.languages.rules import LanguageRules


def _others() -> Iterator[LanguageRules]:
    for line in Path(__file__).with_name("others.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, grammar, *names, comment, marks = (*line.split("\t"), *[""] * 6)[:7]
            extensions, filenames, interpreters = (tuple(field.split()) for field in names)
            yield LanguageRules(
                name=name, grammar=None if grammar == "-" else grammar or name, extensions=extensions,
                filenames=filenames, interpreters=interpreters, comment=comment,
                prose="prose" in marks, mentions_code="mentions_code" in marks,
            )  # fmt: skip


MARKDOWN: Final = LanguageRules(
    name="markdown", grammar="markdown", symbols=True, prose=True, mentions_code=True, filenames=("README",),
    extensions=(".md", ".markdown", ".mdx", ".mdown", ".mkd"),
)  # fmt: skip
FIRST_TIER: Final = (
    *ecmascript.RULES, *jvm.RULES, *c_family.RULES, *compiled.RULES, *scripting.RULES, *functional.RULES, MARKDOWN,
)  # fmt: skip
LANGUAGES: Final[dict[str, LanguageRules]] = {rules.name: rules for rules in (*FIRST_TIER, *_others())}

BY_EXTENSION: Final = {extension: rules.name for rules in LANGUAGES.values() for extension in rules.extensions}
BY_FILENAME: Final = {filename: rules.name for rules in LANGUAGES.values() for filename in rules.filenames}
BY_INTERPRETER: Final = {program: rules.name for rules in LANGUAGES.values() for program in rules.interpreters}
BY_MODE: Final = {mode: rules.name for rules in LANGUAGES.values() for mode in rules.modes}
