"""Changed files and lines: since a revision, between two revisions, in git's index, or in a patch.

Line ranges are 1-based and inclusive. They refer to the files in the working tree now, because that is what is indexed.
No external diff, no text conversion, no clean filters. Every setting that affects the text of a diff is passed, so that
two machines get the same diff.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from chunker.languages.table import rules_of
from context_pack.core.text import is_unicode, size
from context_pack.io import patches
from context_pack.io.git import MAX_DIFF_BYTES, GitFailed, commit_of, filters_off, run
from context_pack.io.patch_positions import located, undone
from context_pack.io.patches import ChangedFile, Hunk, line_after
from context_pack.io.tree import Tree
from contracts.errors import CtxpackError, InvalidRequest
from contracts.frozen import frozen
from index.roles import is_test_path

_RANGE = re.compile(r"(?P<base>.*?)(?P<dots>\.{2,3})(?P<head>.*)")
_DIFF = (
    "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative", "--ignore-submodules=all",
    "--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/",
    "-O/dev/null",
)  # fmt: skip
_USUAL = (stat.S_IFREG, stat.S_IFLNK, stat.S_IFDIR)  # the types of tracked paths
_STATES = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "T": "type changed", "U": "unmerged"}


@frozen
class Changes:
    """The changes since `commit` (which `base` names), by path: up to `head`, or up to the working tree.

    A patch has no commit. `counts` are the lines added and removed, without those of untracked files. `before` returns
    the old content of a file, or None if it is not available.
    """

    base: str
    commit: str
    head: str
    files: tuple[ChangedFile, ...]
    counts: tuple[int, int]
    before: Callable[[ChangedFile], bytes | None]


def reading_rank(path: str, language: str | None) -> int:
    """The place of a changed file in the order of a reader: 0 for code, 1 for tests, 2 for everything else."""
    rules = rules_of(language)
    return 2 if not rules.symbols or rules.prose else int(is_test_path(path))


def delta(root: Path, base: str) -> Changes:
    """The files below `root` that differ from `base`, including uncommitted and untracked files.

    A renamed file counts as one deleted and one new file. Errors as for `changes`; the field is `base`.
    """
    commit = commit_of(root, base, "base")
    files = _by_path(_untracked(root), _between(root, commit, renames="--no-renames", context="-U3"))
    return _since(root, base, commit, "", files)


def changes(root: Path, source: str, *, staged: bool = False) -> Changes:
    """The changes below `root`: since `REV`, with everything uncommitted, or in `REV..REV` (`...`: since the fork).

    With `staged`, the changes in git's index since REV. A text of several lines is a patch.
    InvalidRequest (`diff`) if a revision names no commit, the root is in no repository, or a patch names no file;
    GitFailed if git fails.
    """
    if "\n" in source:
        return _patched(root, source)
    span = _RANGE.fullmatch(source)
    base, head = (span["base"] or "HEAD", span["head"] or "HEAD") if span else (source, "")
    commit = commit_of(root, base, "diff")
    if staged:
        if span is not None:
            raise InvalidRequest("staged", "staged changes need one revision, not a range", hint="leave out its end")
        files = _by_path(_at_current_positions(_between(root, "--cached", commit), _between(root)))
        return _since(root, base, commit, "index", files)
    if span is None:
        return _since(root, base, commit, "", _by_path(_with_renames(root, _between(root, commit), _untracked(root))))
    until = commit_of(root, head, "diff")
    if span["dots"] == "...":
        commit = run(root, ["merge-base", commit, until]).decode("ascii").strip()
    files = _by_path(_at_current_positions(_between(root, commit, until), _between(root, until)))
    return _since(root, base, commit, head, files)


def _since(root: Path, base: str, commit: str, head: str, files: tuple[ChangedFile, ...]) -> Changes:
    hunks = [hunk for file in files for hunk in file.hunks]
    counts = sum(hunk.count for hunk in hunks), sum(hunk.old_count for hunk in hunks)
    return Changes(base, commit, head, files, counts, partial(before, root, commit))


def before(root: Path, commit: str, file: ChangedFile) -> bytes | None:
    """The content of a file at a commit; None if git cannot show it."""
    try:
        return run(root, ["show", "--no-textconv", f"{commit}:./{file.was or file.path}"])
    except GitFailed:
        return None


def _patched(root: Path, patch: str) -> Changes:
    """The changes of a patch, whether or not the tree contains them already. No path leads out of the root."""
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
    """The root's path from the top of its repository, where paths in patches start; empty outside a repository."""
    try:
        return run(root, ["rev-parse", "--show-prefix"]).decode("utf-8", "replace").strip("\n")
    except GitFailed:
        return ""


def _text_of(tree: Tree, path: str) -> str | None:
    """The text of a file; None if it does not exist, may not be read or is binary."""
    try:
        data = tree.read(path)
    except CtxpackError:
        return None
    return None if data is None or b"\0" in data else data.decode("utf-8", "replace")


def _between(root: Path, *commits: str, renames: str = "--find-renames", context: str = "-U1") -> list[ChangedFile]:
    """The files that differ between two commits, or between one and the working tree."""
    try:
        return _compared(root, renames, context, commits, [])
    except GitFailed:
        special = _special(root)
        if not special:
            raise
    others = _compared(root, renames, context, commits, [f":(exclude,literal){path}" for path in special])
    return [*others, *(ChangedFile(path, "type changed") for path in special)]


def _special(root: Path) -> list[str]:
    """Tracked paths where there is now a pipe, a socket or a device: if there is one, git prints no patch at all."""
    paths = run(root, ["ls-files", "-z"]).decode("utf-8", "surrogateescape").split("\0")
    statuses = ((path, _status(root / path)) for path in paths if path)
    return [path for path, status in statuses if status and stat.S_IFMT(status.st_mode) not in _USUAL]


def _status(place: Path) -> os.stat_result | None:
    """The status of a path itself, not of what a link leads to; None if nothing is there."""
    try:
        return place.lstat()
    except OSError:
        return None


def _compared(
    root: Path, renames: str, context: str, commits: Sequence[str], pathspecs: Sequence[str]
) -> list[ChangedFile]:
    filters = filters_off(root)
    diff = [*_DIFF, renames]
    command = [*diff, "--raw", "-z", "--abbrev=40", *commits, "--", *pathspecs]
    files = _listed(run(root, command, filters).decode("utf-8", "surrogateescape").split("\0"))

    def printed(pathspecs: Sequence[str]) -> str:
        command = [*diff, "--patch", context, *commits, "--", *pathspecs]
        return run(root, command, filters).decode("utf-8", "replace")

    # In the diff of all files, only the first line of each patch starts with `diff --git`.
    texts = [f"diff --git {patch}" for patch in re.split(r"(?m)^diff --git ", printed(pathspecs))[1:]]
    if len(texts) != len(files):  # a file that became a link has two patches, an unmerged file none
        texts = [printed([f":(literal){path}" for path in (file.was, file.path) if path]) for file in files]
    # The tree already contains the new side of the hunks.
    hunks = [tuple(replace(hunk, added=()) for hunk in patches.hunks(text)) for text in texts]
    return [replace(file, patch=text, hunks=runs) for file, text, runs in zip(files, texts, hunks, strict=True)]


def _listed(fields: Sequence[str]) -> list[ChangedFile]:
    """Files and states from `git diff --raw -z`, which prints two paths for a rename."""
    files: list[ChangedFile] = []
    rest = iter(fields)
    for meta in filter(None, rest):
        state = meta.rsplit(" ", 1)[-1][:1]
        was = next(rest) if state in "RC" else ""
        files.append(ChangedFile(next(rest), _STATES.get(state, "changed"), was))
    return files


def _untracked(root: Path) -> list[ChangedFile]:
    """Untracked files that git does not ignore."""
    listed = run(root, ["ls-files", "--others", "--exclude-standard", "-z"]).decode("utf-8", "surrogateescape")
    return [ChangedFile(path, "new") for path in listed.split("\0") if path]


def _with_renames(root: Path, files: Sequence[ChangedFile], untracked: Sequence[ChangedFile]) -> Iterator[ChangedFile]:
    """The changed and the untracked files; a deleted file whose text an untracked one has is renamed to it."""
    gone: dict[str, list[ChangedFile]] = {}
    for file in files:
        if file.state == "deleted" and len(file.hunks) == 1:
            gone.setdefault("\n".join(file.hunks[0].removed), []).append(file)
    lengths = {size(text) + end for text in gone for end in (0, 1)}  # with and without a last line end
    tree, former = Tree(root), set[str]()
    for new in untracked:
        status = _status(root / new.path) if gone else None
        may_be_same = status is not None and stat.S_ISREG(status.st_mode) and status.st_size in lengths
        text = _text_of(tree, new.path) if may_be_same else None
        same = gone.get(text.removesuffix("\n"), []) if text is not None else []
        was = ""
        if same:
            name = PurePosixPath(new.path).name
            was = same.pop(next((at for at, old in enumerate(same) if PurePosixPath(old.path).name == name), 0)).path
            former.add(was)
        yield replace(new, state="renamed", was=was) if was else new
    yield from (file for file in files if file.path not in former)


def _by_path(*files: Iterable[ChangedFile]) -> tuple[ChangedFile, ...]:
    """The files sorted by the bytes of their paths, the last entry of each; paths that are not Unicode are left out."""
    by_path = {file.path: file for some in files for file in some if is_unicode(file.path)}
    return tuple(sorted(by_path.values(), key=lambda file: file.path.encode()))


def _at_current_positions(files: Sequence[ChangedFile], since: Sequence[ChangedFile]) -> Iterator[ChangedFile]:
    """Changes between two commits, with the lines and paths that the files have now."""
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
    """A hunk, its line numbers moved by the `later` changes of the file."""
    first, last = line_after(hunk.line, later), line_after(hunk.line + max(hunk.count, 1) - 1, later)
    return replace(hunk, line=first, count=max(1, last - first + 1) if hunk.count else 0)
