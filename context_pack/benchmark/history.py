"""Reads a git history: commits, the files and lines that they changed, and trees, which are written as plain files.

Nothing is checked out, executed or fetched: objects that a partial clone lacks are left out.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from subprocess import DEVNULL

from context_pack.io import patches
from context_pack.io.patches import Hunk, line_after
from contracts.errors import IOFailure
from contracts.frozen import frozen
from index.tree.git import run, start

MAX_FILE_BYTES = 1_000_000
MAX_COMMITS = 4000  # that are read of a history
HISTORY_LIMIT_S = 600.0  # of one call: the first log of a large repository reads all of its packs
_RECORD, _FIELD = "\x1e", "\x1f"


@frozen
class Commit:
    """One commit that is not a merge: `changed` pairs a status letter (A, M, D, T) with a path, in git's order."""

    sha: str
    parent: str
    subject: str
    changed: tuple[tuple[str, str], ...]


def git(git_dir: Path, *arguments: str) -> bytes:
    """The output of git; empty if it fails. IOFailure if git is not installed."""
    return _run(["--git-dir", str(git_dir), *arguments])


def _run(arguments: list[str]) -> bytes:
    try:
        return run(arguments, limit_s=HISTORY_LIMIT_S).output
    except OSError as error:
        raise IOFailure(f"git could not be started: {error.strerror}", hint="install git") from error


def enclosing_git_dir(folder: Path) -> Path | None:
    """The git folder of the repository that a folder is in; None if it is in none."""
    folder_name = _run(["-C", str(folder), "rev-parse", "--absolute-git-dir"])
    return Path(os.fsdecode(folder_name.rstrip(b"\n"))) if folder_name else None


def commits(git_dir: Path) -> Iterator[Commit]:
    """The newest MAX_COMMITS commits with exactly one parent, newest first (git's default order)."""
    shown = git(
        git_dir, "log", "--no-merges", f"-n{MAX_COMMITS}", "--name-status", "--no-renames", "-z",
        f"--format={_RECORD}%H{_FIELD}%P{_FIELD}%s{_FIELD}", "HEAD", "--",
    ).decode("utf-8", "replace")  # fmt: skip
    for record in shown.split(_RECORD)[1:]:
        sha, parents, subject, rest = record.split(_FIELD, 3)
        if len(parents.split()) == 1:
            fields = [field for field in rest.replace("\n", "").split("\0") if field]
            yield Commit(sha, parents, subject, tuple(zip(fields[::2], fields[1::2], strict=False)))


def paths_in(git_dir: Path, revision: str) -> dict[str, int]:
    """Path -> bytes of every regular file of a tree."""
    sizes: dict[str, int] = {}
    for row in git(git_dir, "ls-tree", "-r", "-l", "-z", revision).split(b"\0"):
        meta, _, path = row.partition(b"\t")
        fields = meta.split()
        if len(fields) == 4 and fields[1] == b"blob" and fields[0] != b"120000" and fields[3].isdigit():
            sizes[path.decode("utf-8", "surrogateescape")] = int(fields[3])
    return sizes


def names_in(git_dir: Path, revision: str) -> set[str]:
    """The paths of all entries of a tree, without sizes, which would need a look-up of every object."""
    listed = git(git_dir, "ls-tree", "-r", "--name-only", "-z", revision).split(b"\0")
    return {path.decode("utf-8", "surrogateescape") for path in listed if path}


def write_tree(git_dir: Path, revision: str, dest: Path) -> set[str]:
    """Write the text files (no NUL byte, at most MAX_FILE_BYTES) of a tree below `dest`; returns the paths written."""
    wanted = [path for path, size in paths_in(git_dir, revision).items() if size <= MAX_FILE_BYTES and _is_below(path)]
    written = set()
    for path, data in zip(wanted, blobs(git_dir, revision, wanted), strict=True):
        if data is None or b"\0" in data[:8000]:
            continue
        target = dest / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        written.add(path)
    return written


def _is_below(path: str) -> bool:
    """Whether a tree's path stays below the folder that it is written to, as git itself demands."""
    parts = PurePosixPath(path).parts
    return not path.startswith("/") and "\\" not in path and not {"..", ".git"}.intersection(parts)


def blobs(git_dir: Path, revision: str, paths: list[str]) -> Iterator[bytes | None]:
    """The bytes of each path in order; None for a missing object."""
    with tempfile.TemporaryFile() as names:
        for path in paths:
            names.write(f"{revision}:{path}\n".encode("utf-8", "surrogateescape"))
        names.seek(0)
        with start(["--git-dir", str(git_dir), "cat-file", "--batch"], stdin=names, stderr=DEVNULL) as running:
            assert running.stdout is not None
            for _ in paths:
                head = running.stdout.readline().split()
                if len(head) < 3 or head[-2] != b"blob" or not head[-1].isdigit():
                    yield None
                    continue
                data = running.stdout.read(int(head[-1]))
                running.stdout.read(1)
                yield data


def difference(git_dir: Path, before: str, after: str, path: str) -> tuple[Hunk, ...]:
    """The hunks that turn a file at one revision into the file at another; none if git lacks one of them.

    A plumbing command with forced text: neither attributes nor configuration decide what is printed or run.
    """
    options = ("-r", "-p", "-U0", "--text", "--no-ext-diff", "--no-textconv", "--no-renames")
    diff = git(git_dir, "--literal-pathspecs", "diff-tree", *options, before, after, "--", path)
    return patches.hunks(diff.decode("utf-8", "replace"))


def changed_lines(git_dir: Path, commit: Commit, path: str) -> list[tuple[int, int]]:
    """(first, last) line of each place that a commit changed, in the file before the commit, in order.

    If it only added lines, a place is the line that they follow.
    """
    hunks = difference(git_dir, commit.parent, commit.sha, path)
    replaced = [hunk for hunk in hunks if hunk.old_count]
    return [(max(1, hunk.old_line), max(1, hunk.old_line + max(hunk.old_count, 1) - 1)) for hunk in replaced or hunks]


def lines_at(git_dir: Path, commit: Commit, path: str, revision: str) -> frozenset[int]:
    """The lines that a commit changed, numbered as in the file at an older revision."""
    changed = changed_lines(git_dir, commit, path)
    between = difference(git_dir, commit.parent, revision, path) if changed else ()
    return frozenset(line_after(line, between) for first, last in changed for line in range(first, last + 1))
