"""Each first-tier or document language, compared with the listing of its fixture. CTXPACK_UPDATE_GOLDENS=1 rewrites."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from listing import listing

from chunker.languages.heading_readers import HEADING_READERS
from chunker.languages.table import FIRST_TIER

HERE = Path(__file__).parent
FIXTURES = {path.stem: path for path in sorted((HERE / "fixtures").iterdir())}
LANGUAGES = [*(row.name for row in FIRST_TIER), *HEADING_READERS]
LIMITS = (1600, 400)


@pytest.mark.parametrize("language", LANGUAGES)
def test_fixture_becomes_its_golden_listing(language: str) -> None:
    fixture = FIXTURES[language]
    found = listing(fixture.read_bytes(), f"src/{fixture.name}", LIMITS)
    golden = HERE / "golden" / f"{language}.txt"
    if os.environ.get("CTXPACK_UPDATE_GOLDENS"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, encoding="utf-8", newline="\n")
    assert found == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_fixture_is_read_as_its_language_without_errors(language: str) -> None:
    fixture = FIXTURES[language]
    first = listing(fixture.read_bytes(), fixture.name, LIMITS).splitlines()[0]
    assert first == f"language {language}"
