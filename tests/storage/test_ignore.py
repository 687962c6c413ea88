"""Our ignore rules, compared with git's own on generated rules that nobody would write by hand."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from index.tree.ignore import Rules
from index.tree.walk import walk

TREE = [
    f"{folder}{name}"
    for folder in ("", "a/", "a/b/", "b/", "b/a/c/", ".h/", "ä/")
    for name in ("a.x", "b.y", "c", "d e")
]
WORDS = r"""
    a b c .h * ** *** *.x a.* a** **x ?.y [ab].x [!a].y [^]a].x [a-].x [b-a] [a [ [[:alpha:]].x [[:no:]] [\]ab].y
    \a.x a.x\ #a \#a !a \!a d?e [!-~] ä
"""
PARTS = st.sampled_from([*WORDS.split(), "", "d e", "d\\ e", "a.x ", "a.x\\ ", "d e\\\\ "])


@st.composite
def rules(draw: st.DrawFn) -> str:
    pattern = "/".join(draw(st.lists(PARTS, min_size=1, max_size=3)))
    return (
        draw(st.sampled_from(["", "!"])) + draw(st.sampled_from(["", "/"])) + pattern + draw(st.sampled_from(["", "/"]))
    )


FILES = st.dictionaries(
    st.sampled_from(["", "a/", "a/b/", "b/"]), st.lists(rules(), min_size=1, max_size=4), min_size=1, max_size=3
)


@settings(max_examples=60, deadline=None)
@given(written=FILES)
def test_the_scan_agrees_with_git(git: Callable[..., str], written: dict[str, list[str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for path in TREE:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        (root / "kept").touch()
        git(root, "init", "-q")
        for folder, lines in written.items():
            (root / folder / ".gitignore").write_text("\n".join(lines) + "\n")
        git(root, "add", "-f", "kept")  # an empty list would not count as an answer
        with_git = walk(root)
        shutil.rmtree(root / ".git")
        without = walk(root)
    listed = [file.path for file in with_git.files if file.path != "kept"]
    assert [file.path for file in without.files if file.path != "kept"] == listed


def test_one_pattern_list_decides_about_files_and_their_folders() -> None:
    rules = Rules([b"# vendored", b"vendor/", b"*.min.js", b"!keep.min.js", b"docs/*.md", b""])
    matched = [
        path
        for path in (
            "vendor/a.py", "src/vendor/a.py", "vendor", "a.min.js", "src/keep.min.js", "vendor/keep.min.js",
            "docs/a.md", "docs/sub/a.md", "src/a.py",
        )
        if rules.matches(path.encode())
    ]  # fmt: skip
    assert matched == ["vendor/a.py", "src/vendor/a.py", "a.min.js", "vendor/keep.min.js", "docs/a.md"]
    assert not Rules([b"# nothing", b""])
