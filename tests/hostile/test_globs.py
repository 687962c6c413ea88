"""A pattern that a stranger wrote takes no longer than its length times that of the path."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

PATTERNS = ("*a*a*a*b", "*a" * 30 + "*b", "**/*a*a*a*a*b", "**a**a**a**a**b", "**/a*/" * 8 + "b", "{a,aa}*" * 4 + "b")
ASKED = """
import sys
from context_pack.io.globs import holds
from index.tree.ignore import Rules
pattern = sys.argv[1]
for path in ("a" * 4_000, "a/" * 2_000 + "a", "a" * 250 + "/" + "a" * 3_000):
    assert not holds(pattern, path)
    assert not Rules([pattern.encode()]).matches(path.encode())
"""


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_long_names_are_no_trap(pattern: str) -> None:
    done = subprocess.run([sys.executable, "-c", ASKED, pattern], capture_output=True, check=False, preexec_fn=_limited)
    assert done.returncode == 0, (pattern, done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("pattern", "path", "holds_it"),
    [
        ("*a*ab", "xaab", True), ("*a*ab", "aab", True), ("*ab*b", "abab", True), ("*ab*b", "ab", False),
        ("**/a*b/**/c", "x/ab/c", True), ("**/a*b/**/c", "x/a/b/c", False), ("**b**/c", "abb/x/c", True),
        ("a/**/b/**/b", "a/b/b", True), ("a/**/b/**/b", "a/b", False), ("{a,ab}{bcc,c}*cX", "abccX", True),
        ("src/{api,web}/*.{ts,tsx}", "src/web/a.tsx", True), ("src/{*}/x", "src/b/x", False),
    ],
)  # fmt: skip
def test_what_is_found_first_leaves_room_for_the_rest(pattern: str, path: str, holds_it: bool) -> None:
    from context_pack.io.globs import holds

    assert holds(pattern, path) is holds_it
