"""All errors of ctxpack, as one tree.

    CtxpackError                 code               exit
    ├── InvalidRequest           invalid_request    1     a field of a request is wrong (the field is named)
    │   ├── UsageError           invalid_request    2     the command line itself is wrong
    │   ├── LargeTree            invalid_request    1     a large tree outside any repository, never indexed
    │   └── BrokenFile           invalid_request    1     a file that the request needs is malformed (file, line)
    ├── NotADirectory            not_a_directory    1     the root is not a directory
    ├── NoFiles                  no_files           1     the root contains nothing that can be indexed
    ├── IndexMissing             index_missing      1     there is no index, and none may be built
    ├── IndexCorrupt             index_corrupt      1     the index cannot be read (the folder is named)
    ├── IndexLocked              index_locked       1     another process wrote the index for longer than --wait
    ├── ModelMissing             model_missing      1     the weights of the model are not on this machine
    ├── ModelMismatch            model_mismatch     1     the index was built with another model
    ├── BudgetTooSmall           budget_too_small   1     no item fits (the smallest sufficient budget is named)
    ├── NotFound                 not_found          1     nothing has the requested name
    ├── Ambiguous                ambiguous          1     a name matches several things (candidates are listed)
    ├── IOFailure                io_error           1     the operating system refused a path (the path is named)
    ├── TimedOut                 timed_out          1     a call's time limit passed before anything was ready
    └── InternalError            internal           1     a bug in ctxpack

A message says what failed and where; `hint` says what to do. The code is chosen where the error is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

MAX_CHARS = 2_000  # limit of a message: it may repeat an argument or a path of any length
DISTRIBUTION = "ctxpack-code"  # name on package indexes, where `ctxpack` is another project; the command is `ctxpack`


class CtxpackError(Exception):
    """An error reported to the user: one sentence says what failed and where, one says what to do.

    `message` may be long until `Redactor.clean` shortens it: half a secret is not recognised, so secrets go first.
    """

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", details: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, object] = dict(details or {})

    def __str__(self) -> str:
        return clipped(self.message)


class InvalidRequest(CtxpackError):
    """A field of the request is wrong; `details["field"]` names it."""

    code = "invalid_request"

    def __init__(self, field: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint, details={"field": field})


class UsageError(InvalidRequest):
    """The command line itself is wrong; `details["field"]` names the option or argument."""

    exit_code = 2


class LargeTree(InvalidRequest):
    """A tree outside any repository, never indexed before, with more than `details["files"]` files."""

    def __init__(self, root: str, files: int) -> None:
        super().__init__(
            "repo",
            f"{root} is not in a repository, was never indexed and has more than {files:,} files",
            hint="run `ctxpack index` first, repeat the command with --yes, or give another folder with --repo",
        )
        self.details["files"] = files


class BrokenFile(InvalidRequest):
    """A file that the request needs is malformed; `details` has its `file` (relative) and `line` (1-based)."""

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
    """Not even one item fits; `details["smallest"]` is the smallest sufficient budget.

    If both limits are too small, it is that in characters, and `smallest_tokens` is that in tokens.
    """

    code = "budget_too_small"


class NotFound(CtxpackError):
    code = "not_found"


class Ambiguous(CtxpackError):
    """A name matches several things; `details["candidates"]` lists them, sorted."""

    code = "ambiguous"


class IOFailure(CtxpackError):
    code = "io_error"


class TimedOut(CtxpackError):
    """A call's time limit passed before anything was ready; `details["limit_s"]` is the limit in seconds."""

    code = "timed_out"


class InternalError(CtxpackError):
    code = "internal"


def clipped(message: str) -> str:
    """The message, shortened in the middle if it is too long."""
    half = MAX_CHARS // 2
    return message if len(message) <= MAX_CHARS else f"{message[:half]} ... {message[-half:]}"


def with_extra(extra: str) -> str:
    """The commands that install a missing extra's packages, as the words of a hint."""
    return f"`pip install '{DISTRIBUTION}[{extra}]'`, or in a clone of ctxpack: `pipx install --force '.[{extra}]'`"
