"""Every way ctxpack can fail, drawn once.

    CtxpackError                 code               exit
    ├── InvalidRequest           invalid_request    1     a field of a request is wrong (the field is named)
    │   ├── UsageError           invalid_request    2     the command line itself is wrong
    │   ├── LargeTree            invalid_request    1     a large tree in no repository: is it meant?
    │   └── BrokenFile           invalid_request    1     a file that was asked for is not of its form (file, line)
    ├── NotADirectory            not_a_directory    1     the root is no directory
    ├── NoFiles                  no_files           1     the root holds nothing that can be indexed
    ├── IndexMissing             index_missing      1     no generation published yet and none may be built
    ├── IndexCorrupt             index_corrupt      1     a published file cannot be read (the folder is named)
    ├── IndexLocked              index_locked       1     another writer was busy for longer than --wait
    ├── ModelMissing             model_missing      1     weights are not on this machine
    ├── ModelMismatch            model_mismatch     1     the index was built with another model
    ├── BudgetTooSmall           budget_too_small   1     nothing fits (the smallest budget that would do is named)
    ├── NotFound                 not_found          1     the thing asked for by name does not exist
    ├── Ambiguous                ambiguous          1     a name fits several things (candidates listed)
    ├── IOFailure                io_error           1     the operating system refused a path (the path is named)
    ├── TimedOut                 timed_out          1     a call's time limit passed before anything was ready
    └── InternalError            internal           1     a fault of ours

A message says what and where; `hint` says what to do. The code is chosen where the error is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

MOST_CHARS = 2_000  # of a message: what it repeats, an argument or a path, may be of any length
DISTRIBUTION = "ctxpack-code"  # on a package index, where `ctxpack` is another project; the command is `ctxpack`


class CtxpackError(Exception):
    """A failure that the user is told about: one sentence of what and where, one of what to do."""

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", details: Mapping[str, object] | None = None) -> None:
        self.message = clipped(message)
        super().__init__(self.message)
        self.hint = hint
        self.details: dict[str, object] = dict(details or {})


class InvalidRequest(CtxpackError):
    """A field of the request is wrong; `details["field"]` names it."""

    code = "invalid_request"

    def __init__(self, field: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint, details={"field": field})


class UsageError(InvalidRequest):
    """The command line itself is wrong; `details["field"]` names the option or argument."""

    exit_code = 2


class LargeTree(InvalidRequest):
    """A tree outside any repository that was never indexed and has more than `details["files"]` files."""

    def __init__(self, root: str, files: int) -> None:
        super().__init__(
            "repo",
            f"{root} is not in a repository, was never indexed and has more than {files:,} files",
            hint="give another folder with --repo, or index this one with --yes or `ctxpack index`",
        )
        self.details["files"] = files


class BrokenFile(InvalidRequest):
    """A file that the request needs is not of its form; `details` hold `file` (relative) and `line` (1-based)."""

    def __init__(self, field: str, file: str, line: int, problem: str, *, hint: str = "") -> None:
        super().__init__(field, f"{file}:{line}: {problem}", hint=hint)
        self.details.update(file=file, line=line)


class NotADirectory(CtxpackError):
    code = "not_a_directory"


class NoFiles(CtxpackError):
    code = "no_files"


class IndexMissing(CtxpackError):
    code = "index_missing"


class IndexCorrupt(CtxpackError):
    code = "index_corrupt"


class IndexLocked(CtxpackError):
    code = "index_locked"


class ModelMissing(CtxpackError):
    code = "model_missing"


class ModelMismatch(CtxpackError):
    code = "model_mismatch"


class BudgetTooSmall(CtxpackError):
    """Not even one item fits; `details["smallest"]` is the smallest budget that would do."""

    code = "budget_too_small"


class NotFound(CtxpackError):
    code = "not_found"


class Ambiguous(CtxpackError):
    """A name fits several things; `details["candidates"]` lists them, sorted."""

    code = "ambiguous"


class IOFailure(CtxpackError):
    code = "io_error"


class TimedOut(CtxpackError):
    """A call's time limit passed and nothing was ready; `details["limit_s"]` is the limit in seconds."""

    code = "timed_out"


class InternalError(CtxpackError):
    code = "internal"


def clipped(message: str) -> str:
    """A message of bounded length: the middle of a long one is left out."""
    half = MOST_CHARS // 2
    return message if len(message) <= MOST_CHARS else f"{message[:half]} ... {message[-half:]}"


def with_extra(extra: str) -> str:
    """What to run where an extra is missing: the command that adds its packages to this environment."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"
