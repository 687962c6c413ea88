"""Which lines of which files changed: since a revision, between two, in git's index, or by a patch.

Line ranges are 1-based and inclusive, and mean the files as they are in the working tree now: that is what is indexed.
No external diff, no text conversion, no clean filters; every setting that changes a diff's text is given, so that the
diffs of two machines are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from context_pack.core.text import is_unicode
from context_pack.io import patches
from context_pack.io.git import MAX_DIFF_BYTES, GitFailed, commit_of, filters_off, run
from context_pack.io.patch_positions import located, undone
from context_pack.io.patches import ChangedFile, Hunk, line_after
from context_pack.io.tree import Tree
from contracts.errors import CtxpackError, InvalidRequest
from contracts.frozen import frozen

_RANGE = re.compile(r"(?P<base>.*?)(?P<dots>\.{2,3})(?P<head>.*)")
_DIFF = (
    "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative", "--ignore-submodules=all",
    "--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/",
    "-O/dev/null",
)  # fmt: skip
_STATES = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "T": "type changed", "U": "unmerged"}


@frozen
class Changes:
    """What changed since `commit` (which `base` names), by path: up to `head`, or up to the working tree.

    Of a patch there is no commit. `counts` are the lines added and removed, without those of files that git does not
    know yet; `before` gives a file as it was, None where that cannot be had.
    """

    base: str
    commit: str
    head: str
    files: tuple[ChangedFile, ...]
    counts: tuple[int, int]
    before: Callable[[ChangedFile], bytes | None]


def delta(root: Path, base: str) -> Changes:
    """The files below `root` that differ from `base`, those that are not committed or not even added among them.

    A renamed file is one that is gone and one that is new. Errors as for `changes`, the field is `base`.
    """
    commit = commit_of(root, base, "base")
    files = _by_path(_unknown(root), _between(root, "--no-renames", "-U3", commit))
    return _since(root, base, commit, "", files)


def changes(root: Path, source: str, *, staged: bool = False) -> Changes:
    """What changed below `root`: since `REV` with everything not committed, or by `REV..REV` (`...`: since the fork).

    With `staged`, what git's index holds that REV does not. A text of several lines is a patch.
    InvalidRequest (`diff`) when a revision names no commit, the root is in no repository, or a patch names no file;
    GitFailed when git fails.
    """
    if "\n" in source:
        return _patched(root, source)
    span = _RANGE.fullmatch(source)
    base, head = (span["base"] or "HEAD", span["head"] or "HEAD") if span else (source, "")
    commit = commit_of(root, base, "diff")
    if staged:
        if span is not None:
            raise InvalidRequest("staged", "staged changes need one revision, not a range", hint="leave out its end")
        files = _by_path(_as_now(_renamed(root, "--cached", commit), _renamed(root)))
        return _since(root, base, commit, "index", files)
    if span is None:
        return _since(root, base, commit, "", _by_path(_renamed(root, commit), _unknown(root)))
    until = commit_of(root, head, "diff")
    if span["dots"] == "...":
        commit = run(root, ["merge-base", commit, until]).decode("ascii").strip()
    files = _by_path(_as_now(_renamed(root, commit, until), _renamed(root, until)))
    return _since(root, base, commit, head, files)


def _since(root: Path, base: str, commit: str, head: str, files: tuple[ChangedFile, ...]) -> Changes:
    hunks = [hunk for file in files for hunk in file.hunks]
    counts = sum(hunk.count for hunk in hunks), sum(hunk.old_count for hunk in hunks)
    return Changes(base, commit, head, files, counts, partial(before, root, commit))


def before(root: Path, commit: str, file: ChangedFile) -> bytes | None:
    """A file as it was in a commit; None when it cannot be had."""
    try:
        return run(root, ["show", "--no-textconv", f"{commit}:./{file.was or file.path}"])
    except GitFailed:
        return None


def _patched(root: Path, patch: str) -> Changes:
    """The changes of a patch, whether the tree is as before it or as after. No path leads out of the root."""
    if len(patch) > MAX_DIFF_BYTES:
        raise InvalidRequest("diff", f"the patch is larger than {MAX_DIFF_BYTES:,} bytes", hint="give a smaller patch")
    tree, files = Tree(root), list[ChangedFile]()
    texts: dict[str, str] = {}
    runs: list[Hunk] = []
    top = _folder_in_repository(root)
    for file in patches.files(patch):
        path = file.path.removeprefix(top)
        text = _text_of(tree, path)
        texts[path] = text or ""
        runs += [run for block in file.blocks for run in block.runs]
        files.append(located(file, path, text))
    if not files and patch.strip():
        raise InvalidRequest("diff", "the patch names no file", hint="give a unified diff, as printed by `git diff`")

    def undo(file: ChangedFile) -> bytes | None:
        text = "" if file.ahead else texts[file.path]
        return undone(text, file.hunks).encode("utf-8", "replace") or None

    counts = sum(run.count for run in runs), sum(run.old_count for run in runs)
    return Changes("patch", "", "", _by_path(files), counts, undo)


def _folder_in_repository(root: Path) -> str:
    """The path of the root from the top of its repository, to which patches are relative; empty outside of any."""
    try:
        return run(root, ["rev-parse", "--show-prefix"]).decode("utf-8", "replace").strip("\n")
    except GitFailed:
        return ""


def _text_of(tree: Tree, path: str) -> str | None:
    """A file of the tree; None where there is none that may be read."""
    try:
        data = tree.read(path)
    except CtxpackError:
        return None
    return None if data is None or b"\0" in data else data.decode("utf-8", "replace")


def _renamed(root: Path, *commits: str) -> list[ChangedFile]:
    return _between(root, "--find-renames", "-U0", *commits)


def _between(root: Path, renames: str, context: str, *commits: str) -> list[ChangedFile]:
    """The files that differ between two commits, or between one and the working tree."""
    filters = filters_off(root)
    diff = [*_DIFF, renames]
    raw = run(root, [*diff, "--raw", "-z", "--abbrev=40", *commits, "--"], filters).decode("utf-8", "surrogateescape")
    files = _named(raw.split("\0"))

    def printed(*paths: str) -> str:
        literal = ["--literal-pathspecs"] if paths else []
        command = [*literal, *diff, "--patch", context, *commits, "--", *paths]
        return run(root, command, filters).decode("utf-8", "replace")

    # In the diff of all files no line but a patch's first starts with `diff --git`.
    texts = [f"diff --git {patch}" for patch in re.split(r"(?m)^diff --git ", printed())[1:]]
    if len(texts) != len(files):  # a file that became a link has two patches, an unmerged one none
        texts = [printed(*filter(None, (file.was, file.path))) for file in files]
    # The new side of the hunks is what stands in the tree.
    hunks = [tuple(replace(hunk, added=()) for hunk in patches.hunks(text)) for text in texts]
    rows = zip(files, texts, hunks, strict=True)
    return [replace(file, patch=text, hunks=runs) for file, text, runs in rows]


def _named(fields: Sequence[str]) -> list[ChangedFile]:
    """Files and states of `git diff --raw -z`: a rename names two paths."""
    files: list[ChangedFile] = []
    rest = iter(fields)
    for meta in filter(None, rest):
        state = meta.rsplit(" ", 1)[-1][:1]
        was = next(rest) if state in "RC" else ""
        files.append(ChangedFile(next(rest), _STATES.get(state, "changed"), was))
    return files


def _unknown(root: Path) -> list[ChangedFile]:
    """Files that git does not know yet and does not ignore."""
    listed = run(root, ["ls-files", "--others", "--exclude-standard", "-z"]).decode("utf-8", "surrogateescape")
    return [ChangedFile(path, "new") for path in listed.split("\0") if path]


def _by_path(*files: Iterable[ChangedFile]) -> tuple[ChangedFile, ...]:
    """Each path once, by its bytes, the last one's word; a name that is no Unicode can stand in no document."""
    by_path = {file.path: file for some in files for file in some if is_unicode(file.path)}
    return tuple(sorted(by_path.values(), key=lambda file: file.path.encode()))


def _as_now(files: Sequence[ChangedFile], since: Sequence[ChangedFile]) -> Iterator[ChangedFile]:
    """Changes between two commits, in the lines and under the paths that the files have now."""
    later = {file.was or file.path: file for file in since}
    for file in files:
        after = later.get(file.path)
        if after is None or file.state == "deleted":
            yield file
        elif after.state == "deleted":
            yield replace(file, state="deleted")
        else:
            hunks = tuple(_shifted(hunk, after.hunks) for hunk in file.hunks)
            yield replace(file, path=after.path, was=file.was or file.path, hunks=hunks)


def _shifted(hunk: Hunk, later: Sequence[Hunk]) -> Hunk:
    """A hunk in the lines of a file that changed again."""
    first, last = line_after(hunk.line, later), line_after(hunk.line + max(hunk.count, 1) - 1, later)
    return replace(hunk, line=first, count=max(1, last - first + 1) if hunk.count else 0)
