"""The four chunk invariants on real code: the standard library, installed packages, fixtures, damaged fixtures."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from invariants import assert_invariants

from chunker.api import MAX_CHARS, chunk_file
from chunker.languages.table import LANGUAGES

FIXTURES = sorted((Path(__file__).parent / "fixtures").iterdir())
STDLIB = Path(sysconfig.get_path("stdlib"))
PACKAGES = Path(pytest.__file__).parents[1]
CODE = {extension for row in LANGUAGES.values() if row.grammar for extension in row.extensions}


def sample(root: Path, count: int, max_bytes: int = 120_000) -> list[Path]:
    """`count` code files below a folder, or a few more, spread over the order of the paths."""
    files = sorted(path for path in root.rglob("*") if path.suffix in CODE and path.is_file())
    files = [path for path in files if "site-packages" not in path.relative_to(root).parts]
    files = [path for path in files if path.stat().st_size <= max_bytes]
    return files[:: max(1, len(files) // count)]


def check(data: bytes, path: str, max_chars: int = MAX_CHARS) -> None:
    assert_invariants(data, chunk_file(data, path, max_chars=max_chars), max_chars)


def test_standard_library() -> None:
    files = sample(STDLIB, 30)
    assert len(files) >= 20
    for path in files:
        check(path.read_bytes(), path.name)


def test_installed_packages() -> None:
    files = sample(PACKAGES, 40)
    assert len(files) >= 20
    for path in files:
        check(path.read_bytes(), path.name)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
@pytest.mark.parametrize("max_chars", [1600, 400, 100, 30])
def test_fixture_at_any_limit(path: Path, max_chars: int) -> None:
    data = path.read_bytes()
    check(data, path.name, max_chars)
    check(data.replace(b"\n", b"\r\n"), path.name, max_chars)
    check(b"\xef\xbb\xbf" + data, path.name, max_chars)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_line_breaks_do_not_change_what_is_found(path: Path) -> None:
    data = path.read_bytes()
    plain, windows = chunk_file(data, path.name), chunk_file(data.replace(b"\n", b"\r\n"), path.name)
    assert [(c.start_line, c.end_line, c.symbol) for c in plain.chunks] == [
        (c.start_line, c.end_line, c.symbol) for c in windows.chunks
    ]
    assert plain.definitions == windows.definitions
    assert plain.references == windows.references


@st.composite
def damaged(draw: st.DrawFn) -> tuple[bytes, str]:
    """A fixture with a slice taken out, doubled or replaced: unbalanced brackets, half words, broken strings."""
    path = draw(st.sampled_from(FIXTURES))
    data = path.read_bytes()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 200)))
        middle = draw(st.sampled_from([b"", data[start:end] * 2, b"{", b"\n\n}", b'"', b"\xff\xe9", b"/*", b"\t\r\n"]))
        data = data[:start] + middle + data[end:]
    return data, path.name


@given(damaged(), st.sampled_from([1600, 300, 60]))
@settings(max_examples=150, deadline=None)
def test_damaged_code(case: tuple[bytes, str], max_chars: int) -> None:
    check(*case, max_chars)


@given(
    st.binary(max_size=400), st.sampled_from([*(path.name for path in FIXTURES), "a.json", "a.css", "notes", "a.txt"])
)
@settings(max_examples=150, deadline=None)
def test_any_bytes_under_any_name(data: bytes, path: str) -> None:
    check(data, path, 50)


@given(st.text(alphabet=st.sampled_from(" \t\r\n\x0b\x0caé日{}();:#/*'\"`-=\\"), max_size=300), st.integers(1, 40))
@example("\x0c\n=\r", 7)  # a heading without a title
@settings(max_examples=150, deadline=None)
def test_any_text_at_tiny_limits(text: str, max_chars: int) -> None:
    for path in ("a.py", "a.js", "a.md", "a.txt"):
        check(text.encode(), path, max_chars)
