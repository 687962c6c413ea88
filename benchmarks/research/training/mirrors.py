"""Read git mirrors: the files of a tree, and the hunks of commits. Nothing is checked out or executed."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
MAX_FILE_BYTES = 400_000  # larger files are generated or data
MAX_FILES = 4000

# extension -> the style of its comments (comments.py)
LANGUAGES = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".jsx": "javascript", ".ts": "javascript", ".tsx": "javascript", ".go": "go", ".rs": "rust", ".java": "java",
    ".c": "c", ".h": "c", ".cc": "c", ".cpp": "c", ".cxx": "c", ".hpp": "c", ".hh": "c", ".cs": "csharp",
    ".kt": "java", ".scala": "java", ".swift": "swift", ".rb": "ruby", ".php": "java", ".ex": "elixir",
    ".exs": "elixir", ".hs": "haskell", ".lua": "lua", ".zig": "zig", ".sh": "bash", ".bash": "bash",
}  # fmt: skip
_VENDOR_PATH = re.compile(
    r"(^|/)(vendor|node_modules|third_party|thirdparty|3rdparty|external|deps|dist|\.yarn|fixtures?|testdata)/|\.min\.|"
    r"\.pb\.|_pb2|\.generated\.|\.d\.ts$"
)
_COMMIT = "\x1ectxpack-commit\x1f"


@dataclass(frozen=True, slots=True)
class Mirror:
    """A bare repository and the commit that is read."""

    slug: str
    git_dir: Path
    commit: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """One changed region of a commit, with its text before the change."""

    subject: str
    path: str
    text: str


def find_mirrors(folder: Path) -> list[Mirror]:
    """The mirrors of a folder laid out OWNER+NAME/repo, without the repositories that training must not use."""
    excluded = {name.lower() for name in json.loads((HERE / "excluded.json").read_text())["repositories"]}
    mirrors = []
    for place in sorted(folder.glob("*+*")):
        slug = place.name.replace("+", "/", 1)
        git_dir = next((path for path in (place / "repo" / ".git", place / "repo") if (path / "HEAD").is_file()), None)
        if git_dir is None or slug.lower() in excluded:
            continue
        head = _git(git_dir, "rev-parse", "HEAD").decode().strip()
        if head:
            mirrors.append(Mirror(slug, git_dir, head))
    return mirrors


def code_files(mirror: Mirror) -> Iterator[tuple[str, str]]:
    """(path, text) of the tree's code files in path order."""
    rows = []
    for row in _git(mirror.git_dir, "ls-tree", "-r", "-l", "-z", mirror.commit).split(b"\0"):
        meta, _, raw = row.partition(b"\t")
        fields = meta.split()
        path = raw.decode("utf-8", "replace")
        regular = len(fields) == 4 and fields[1] == b"blob" and fields[0] != b"120000" and fields[3].isdigit()
        if regular and int(fields[3]) <= MAX_FILE_BYTES and is_code(path):
            rows.append((path, fields[2]))
    step = max(1, -(-len(rows) // MAX_FILES))
    rows = rows[::step]
    batch = b"".join(sha + b"\n" for _, sha in rows)
    answer = subprocess.run(
        ["git", "--git-dir", str(mirror.git_dir), "cat-file", "--batch"], input=batch, capture_output=True, check=True
    ).stdout
    at = 0
    for path, _ in rows:
        end = answer.index(b"\n", at)
        head = answer[at:end].split()
        at = end + 1
        if len(head) < 3:
            continue
        data = answer[at : at + int(head[2])]
        at += int(head[2]) + 1
        if b"\0" not in data[:8000]:
            yield path, data.decode("utf-8", "replace").replace("\r\n", "\n")


def is_code(path: str) -> bool:
    """Whether a path is code of this repository, neither vendored nor generated."""
    return Path(path).suffix in LANGUAGES and not _VENDOR_PATH.search(path)


def hunks(mirror: Mirror, commits: int) -> Iterator[Hunk]:
    """The hunks of the newest commits without merges, each with its text before the commit.

    Snapshots lack their largest files, and git stops at a commit that needs one: such a commit is skipped.
    """
    todo = _git(mirror.git_dir, "rev-list", "--no-merges", f"-n{commits}", mirror.commit).decode().split()
    while todo:
        last = ""
        for commit, hunk in _diffs(mirror, todo):
            last = commit
            if hunk.path:
                yield hunk
        todo = todo[todo.index(last) + 1 if last else 1 :]


def _diffs(mirror: Mirror, commits: list[str]) -> Iterator[tuple[str, Hunk]]:
    """(commit, hunk) until the first commit that git cannot show; a hunk without a path marks the start of a commit."""
    command = [
        "git", "--git-dir", str(mirror.git_dir), "diff-tree", "--stdin", "-p", "-r", "-U6", "--no-ext-diff",
        "--no-textconv", "--no-renames", "--diff-filter=M", f"--format={_COMMIT}%H %s", "--",
        *(f"*{extension}" for extension in LANGUAGES),
    ]  # fmt: skip
    with tempfile.TemporaryFile() as names:
        names.write("\n".join(commits).encode() + b"\n")
        names.seek(0)
        with subprocess.Popen(command, stdin=names, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout
            yield from _parse_diff(line.decode("utf-8", "replace").rstrip("\n") for line in process.stdout)


def _parse_diff(lines: Iterator[str]) -> Iterator[tuple[str, Hunk]]:
    commit = subject = path = ""
    before: list[str] = []
    inside = False
    for line in lines:
        if inside and line[:1] in {" ", "-"}:
            before.append(line[1:])
            continue
        if inside and line[:1] in {"+", "\\"}:
            continue
        if before:
            yield commit, Hunk(subject, path, "\n".join(before))
        before, inside = [], False
        if line.startswith(_COMMIT):
            commit, _, subject = line[len(_COMMIT) :].partition(" ")
            yield commit, Hunk(subject, "", "")
        elif line.startswith("diff --git "):
            path = line.rpartition(" b/")[2]
        elif line.startswith("@@ "):
            inside = is_code(path)
    if before:
        yield commit, Hunk(subject, path, "\n".join(before))


def _git(git_dir: Path, *args: str) -> bytes:
    return subprocess.run(["git", "--git-dir", str(git_dir), *args], capture_output=True, check=False).stdout
