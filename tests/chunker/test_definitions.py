"""Definitions in files of languages for which the chunker only knows definitions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chunker.api import chunk_file
from chunker.languages.table import FIRST_TIER, LANGUAGES

HERE = Path(__file__).parent
FILES = {path.stem: path for path in sorted((HERE / "definitions").iterdir())}


def test_every_language_with_definitions_has_a_file() -> None:
    first_tier = {rules.name for rules in FIRST_TIER}
    assert FILES.keys() == {rules.name for rules in LANGUAGES.values() if rules.symbols} - first_tier


def test_what_the_files_define() -> None:
    expected = (HERE / "golden" / "definitions.txt").read_text("utf-8")
    assert "".join(f"{line}\n" for name in FILES for line in _listing(name)) == expected


def _listing(name: str) -> Iterator[str]:
    """The language, then one line per definition with its line numbers and the names inside."""
    file = chunk_file(FILES[name].read_bytes(), FILES[name].name)
    yield file.language
    for one in file.definitions:
        yield f"  {one.kind} {one.qualified} {one.start_line}-{one.end_line}"
    if file.minor:
        yield f"  and {', '.join(one.qualified for one in file.minor)}"
