"""What changed since a revision, by git's own word; the repository does not decide what runs (see `index.git`).

No external diff, no text conversion, no clean filters; every setting that changes a diff's text is given, so that two
machines say the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from context_pack.corpora.borrowed import borrowed_from
from context_pack.options.consent import is_trusted
from contracts.errors import InvalidRequest, IOFailure
from index import git
from index.git import Setting

TIMEOUT_S = 30.0
MAX_DIFF_BYTES = 20_000_000  # of all patches together: more is no delta between two turns
_REVISION = re.compile(r"[^\s\x00-\x1f-][^\s\x00-\x1f]{0,255}")
DIFF = (
    "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--relative", "--ignore-submodules=all",
    "--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/",
    "-O/dev/null",
)  # fmt: skip
_STATES = {"A": "added", "M": "modified", "D": "deleted", "T": "type changed", "U": "unmerged"}


@dataclass(frozen=True, slots=True)
class Change:
    """A file that differs from the base; `patch` is its unified diff (empty for a new file that git does not know)."""

    path: str
    state: str
    patch: str = ""

    @property
    def is_binary(self) -> bool:
        return "\nBinary files " in self.patch

    @property
    def summary(self) -> str:
        """`modified, +12 -3`."""
        if self.is_binary:
            return f"{self.state}, binary"
        if not self.patch:
            return self.state
        hunks = self.patch[self.patch.find("\n@@") :] if "\n@@" in self.patch else ""
        signs = re.findall(r"^[+-]", hunks, re.MULTILINE)
        return f"{self.state}, +{signs.count('+')} -{signs.count('-')}"


@dataclass(frozen=True, slots=True)
class Delta:
    """The commit that a base names, and what changed since, by path."""

    commit: str
    changes: tuple[Change, ...]


def delta(root: Path, base: str) -> Delta:
    """The files below `root` that differ from `base`, those that are not committed or not even added among them.

    InvalidRequest (`base`) when it names no commit or `root` is in no repository; IOFailure when git fails.
    """
    commit = commit_of(root, base)
    try:
        return Delta(commit, _changes(root, commit))
    except GitFailed as error:
        raise IOFailure(f"git could not say what changed since {base}: {error.said}") from error


def _changes(root: Path, commit: str) -> tuple[Change, ...]:
    filters = filters_off(root)
    raw = run(root, [*DIFF, "--raw", "-z", "--abbrev=40", commit, "--"], filters)
    fields = raw.decode("utf-8", "surrogateescape").split("\0")
    states = dict(zip(fields[1::2], (meta.rsplit(" ", 1)[-1][:1] for meta in fields[0::2] if meta), strict=False))
    patches = _patches(root, commit, list(states), filters)
    changes = [Change(path, _STATES.get(state, "changed"), patches[path]) for path, state in states.items()]
    new = run(root, ["ls-files", "--others", "--exclude-standard", "-z"], filters)
    known = {change.path for change in changes}
    names = {name for name in new.decode("utf-8", "surrogateescape").split("\0") if name}
    changes += [Change(name, "new") for name in names - known]
    shown = [change for change in changes if is_text(change.path)]
    return tuple(sorted(shown, key=lambda change: change.path.encode()))


def is_text(path: str) -> bool:
    """Whether a name is valid Unicode: another one can stand in no JSON document."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def commit_of(root: Path, base: str, field: str = "base") -> str:
    """The hash of the commit that a revision names. InvalidRequest (`field`) when there is none."""
    if not _REVISION.fullmatch(base):
        raise InvalidRequest(field, f"{field} {base[:80]!r} is no git revision")
    _check_own(root, field)
    try:
        found = run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}"])
    except GitFailed as error:
        if "not a git repository" in error.said:
            raise InvalidRequest(field, f"{field} is given, but the root is in no git repository") from error
        said = f": {error.said}" if error.said else ""
        raise InvalidRequest(
            field, f"{field} {base} names no commit{said}", hint="give a commit, a tag or a branch"
        ) from error
    return found.decode("ascii").strip()


def _check_own(root: Path, field: str) -> None:
    """InvalidRequest (`field`) where a diff would show another repository's lines, unless the user agreed to that."""
    from context_pack.options.config_file import consented

    try:
        why = borrowed_from(root)
    except OSError as error:
        raise _not_started(error) from error
    if why and not is_trusted(root, consented(root).content):
        raise InvalidRequest(
            field, f"{field} is not looked up, because the repository may show another one's content: {why}",
            hint="if that is your own doing, `ctxpack trust DIR` records that you agree to it",
        )  # fmt: skip


def filters_off(root: Path) -> list[Setting]:
    """Settings that switch off every clean filter. IOFailure where that cannot be."""
    try:
        return git.filters_off(root, TIMEOUT_S)
    except git.GitRefused as error:
        raise IOFailure(f"git is not asked: {error}", hint="install a newer git") from error
    except OSError as error:
        raise _not_started(error) from error


def _patches(root: Path, commit: str, paths: Sequence[str], filters: Sequence[Setting]) -> dict[str, str]:
    """Each file's patch. In the diff of all files no line but a patch's first starts with `diff --git`.

    A file that became a link has two patches, an unmerged one none: then each file is asked for by itself.
    """
    diff = [*DIFF, "--patch", "-U3", commit, "--"]
    text = run(root, diff, filters).decode("utf-8", "replace")
    found = ["diff --git " + part for part in re.split(r"(?m)^diff --git ", text)[1:]]
    if len(found) == len(paths):
        return dict(zip(paths, found, strict=True))
    single = ["--literal-pathspecs", *diff]
    return {path: run(root, [*single, path], filters).decode("utf-8", "replace") for path in paths}


class GitFailed(Exception):
    """What git said when it exited otherwise than with 0."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


def run(root: Path, arguments: Sequence[str], settings: Sequence[Setting] = ()) -> bytes:
    """Git's output. GitFailed with what it said when it exits otherwise than with 0."""
    try:
        done = git.run(arguments, root, settings=settings, limit_s=TIMEOUT_S, most_bytes=MAX_DIFF_BYTES)
    except OSError as error:
        raise _not_started(error) from error
    if len(done.output) > MAX_DIFF_BYTES:
        raise InvalidRequest("base", f"more than {MAX_DIFF_BYTES:,} bytes changed", hint="give a later revision")
    if done.stopped:
        raise IOFailure(done.stopped)
    if done.code != 0:
        raise GitFailed(done.complaint)
    return done.output


def _not_started(error: OSError) -> IOFailure:
    return IOFailure(f"git could not be started: {error.strerror}", hint="install git")
