"""What git says of a tree; the repository does not decide what runs (see `index.tree.git`), nor whose lines show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from context_pack.io.borrowed import borrowed_from
from context_pack.options.consent import is_trusted
from contracts.errors import InvalidRequest, IOFailure
from index.tree import git
from index.tree.git import Setting

TIMEOUT_S = 30.0
MAX_DIFF_BYTES = 20_000_000  # of all patches together: more is no delta between two turns
_REVISION = re.compile(r"[^\s\x00-\x1f-][^\s\x00-\x1f]{0,255}")


class GitFailed(IOFailure):
    """Git exited otherwise than with 0; `details["said"]` is what it said."""


def run(root: Path, arguments: Sequence[str], settings: Sequence[Setting] = ()) -> bytes:
    """Git's output. GitFailed when it exits otherwise than with 0."""
    try:
        done = git.run(arguments, root, settings=settings, limit_s=TIMEOUT_S, most_bytes=MAX_DIFF_BYTES)
    except OSError as error:
        raise _not_started(error) from error
    if len(done.output) > MAX_DIFF_BYTES:
        raise InvalidRequest("base", f"more than {MAX_DIFF_BYTES:,} bytes changed", hint="give a later revision")
    if done.stopped:
        raise IOFailure(done.stopped)
    if done.code != 0:
        raise GitFailed(f"git {arguments[0]} failed: {done.complaint}", details={"said": done.complaint})
    return done.output


def filters_off(root: Path) -> list[Setting]:
    """Settings that switch off every clean filter. IOFailure where that cannot be."""
    try:
        return git.filters_off(root, TIMEOUT_S)
    except git.GitRefused as error:
        raise IOFailure(f"git is not asked: {error}", hint="install a newer git") from error
    except OSError as error:
        raise _not_started(error) from error


def commit_of(root: Path, base: str, field: str) -> str:
    """The hash of the commit that a revision names.

    InvalidRequest (`field`) when there is none, or where a diff would show another repository's lines and the user has
    not agreed to that.
    """
    from context_pack.options.config_file import consented

    if not _REVISION.fullmatch(base):
        raise InvalidRequest(field, f"{field} {base[:80]!r} is no git revision")
    try:
        why = borrowed_from(root)
    except OSError as error:
        raise _not_started(error) from error
    if why and not is_trusted(root, consented(root).content):
        raise InvalidRequest(
            field, f"{field} is not looked up, because the repository may show another one's content: {why}",
            hint="if that is your own doing, `ctxpack trust DIR` records that you agree to it",
        )  # fmt: skip
    try:
        found = run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}"])
    except GitFailed as error:
        said = str(error.details["said"])
        if "not a git repository" in said:
            raise InvalidRequest(field, f"{field} is given, but the root is in no git repository") from error
        fault = f"{field} {base} names no commit" + (f": {said}" if said else "")
        raise InvalidRequest(field, fault, hint="give a commit, a tag or a branch") from error
    return found.decode("ascii").strip()


def _not_started(error: OSError) -> IOFailure:
    return IOFailure(f"git could not be started: {error.strerror}", hint="install git")
