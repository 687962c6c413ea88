"""Matching a stranger's pattern takes time at most proportional to its length times that of the path."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from context_pack.cli.init import write_example
from index.tree.ignore import wildmatch

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
def test_long_names_take_no_time(pattern: str) -> None:
    done = subprocess.run([sys.executable, "-c", ASKED, pattern], capture_output=True, check=False, preexec_fn=_limited)
    assert done.returncode == 0, (pattern, done.returncode, done.stderr)


def test_the_expression_of_a_pattern_is_not_many_times_as_long() -> None:
    """A megabyte of `[!a]` would be 250 MB of expressions, which take minutes to compile."""
    assert all(len(wildmatch(pattern) or b"") < 10 * len(pattern) for pattern in (b"[!a]", b"[^a-c]", b"[abc]", b"*a?"))


PATTERN, LONG = "*a*a*a*a*a*a*b", "/".join(["a" * 240] * 8)
FILE_OF = {"ignore file": ".ctxpackignore", "git's ignore file": ".gitignore", "settings": "ctxpack.toml"}
ASKED_WITH = {
    "include": ("query", "code", "--include", PATTERN), "exclude": ("query", "code", "--exclude", PATTERN),
    "names": ("symbols", PATTERN), "ownership": ("turn", "request.json"), "rules": ("task", "T02"),
}  # fmt: skip


@pytest.mark.parametrize("place", [*FILE_OF, *ASKED_WITH])
def test_a_star_anywhere_takes_no_time(tmp_path: Path, place: str) -> None:
    """The folder is outside any repository, so that we read its ignore files."""
    kind = {"ownership": "turn", "rules": "task"}.get(place, "turn")
    write_example(kind, str(tmp_path / "tree"))
    file = tmp_path / "tree" / f"{LONG}.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"def code_{'a' * 3_000}():\n    return 1\n")
    if place in FILE_OF:
        text = f"exclude = ['{PATTERN}']\n" if place == "settings" else f"{PATTERN}\n**/{PATTERN}/**/{PATTERN}\n"
        (tmp_path / "tree" / FILE_OF[place]).write_text(text)
    elif place == "ownership":
        request = tmp_path / "tree" / "request.json"
        request.write_text(json.dumps({**json.loads(request.read_text()), "ownership": {f"**/{PATTERN}": "us"}}))
    elif place == "rules":
        scars = tmp_path / "tree" / ".nexus" / "01-governance" / "SCARS.md"
        graph = tmp_path / "tree" / ".nexus" / "05-runtime" / "TASK_GRAPH.json"
        graph.write_text(graph.read_text().replace("src/auth/middleware.ts", f"{LONG}.py"))
        scars.write_text(scars.read_text().replace("src/payments/", PATTERN))
    command = [sys.executable, "-P", "-m", "context_pack", *ASKED_WITH.get(place, ("query", "code"))]
    command += ["--format", "json"] if place in ("ownership", "rules") else []
    done = subprocess.run(command, capture_output=True, check=False, preexec_fn=_limited, cwd=tmp_path / "tree")
    assert done.returncode == 0, done.stdout[-2_000:]


@pytest.mark.parametrize(
    ("pattern", "path", "holds_it"),
    [
        ("*a*ab", "xaab", True), ("*a*ab", "aab", True), ("*ab*b", "abab", True), ("*ab*b", "ab", False),
        ("**/a*b/**/c", "x/ab/c", True), ("**/a*b/**/c", "x/a/b/c", False), ("**b**/c", "abb/c", True),
        ("a/**/b/**/b", "a/b/b", True), ("a/**/b/**/b", "a/b", False), ("{a,ab}{bcc,c}*cX", "abccX", True),
        ("src/{api,web}/*.{ts,tsx}", "src/web/a.tsx", True), ("src/{*}/x", "src/b/x", False),
        ("[[]a", "[a", True), ("[&&a]", "a", True), ("[a--]b", "-b", False), ("[z-a]b", "ab", False),
        ("x[!z-a]", "xa", True), ("[^]", "^", False), ("[!a-c]", "b", False), ("[a\\d-]", "-", True),
    ],
)  # fmt: skip
def test_early_matches_leave_room_for_the_rest(pattern: str, path: str, holds_it: bool) -> None:
    from context_pack.io.globs import holds

    assert holds(pattern, path) is holds_it
