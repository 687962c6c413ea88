"""Suggests what to run after a failure: commands that can be run as they are and that show something.

The asker, a command line or a request in JSON, writes each step in its own form. A step that needs an option that the
asker does not have is left out.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import Any, Protocol

from contracts.errors import CtxpackError
from contracts.records import Hint

MAX_CANDIDATES = 3
MAX_LISTED = 10  # candidates of an ambiguous name in the text of an error
_PLACE = re.compile(r"\((?P<place>[^()]+:\d+)\)$")


class Asker(Protocol):
    """A command line or a request that can be asked again. A step that it cannot express is an empty text.

    `folder` is the folder in question, as it was given; empty if it is the enclosing repository.
    """

    @property
    def folder(self) -> str: ...

    def with_options(self, **changes: object) -> str:
        """The same request with other options; None removes one. `folder` stands for what names the folder."""

    def about(self, target: str) -> str:
        """The same request about another target."""

    def help(self) -> str:
        """The command that shows the usage; empty if the asker already has it."""

    def look_for(self, text: str, verb: str = "symbols") -> str:
        """Look for symbols by a pattern, or for the answer to a question (`query`)."""

    def index(self, *options: str) -> str:
        """The command that builds the index in question."""


def next_steps(error: CtxpackError, asker: Asker) -> tuple[Hint, ...]:
    """Hints of type `action`, the most promising first, without the request that has just failed."""
    failed = asker.with_options()
    steps = _BY_CODE[error.code](error, asker) if error.code in _BY_CODE else [f"CTXPACK_DEBUG=1 {failed}"]
    others = [text for text in dict.fromkeys(steps) if text and text != failed] or [asker.help()]
    return tuple(Hint("action", f"`{text}`") for text in others if text)


def candidates(details: Mapping[str, Any]) -> list[str]:
    """The candidates of an ambiguous name as the lines of a list: `- Cart.total (src/cart.py:7)`, `and 19 more`."""
    named = details.get("candidates", ())
    more = len(named) - MAX_LISTED
    return [*(f"- {one}" for one in named[:MAX_LISTED]), *([f"and {more} more"] if more > 0 else [])]


def _no_files(error: CtxpackError, asker: Asker) -> list[str]:
    """What the folder contains and what is ignored in it, if the index found nothing."""
    if "skipped" not in error.details:
        return []
    folder = shlex.quote(asker.folder or ".")
    # `git status` would run programs that the repository's settings name.
    listing = f"git -C {folder} -c core.fsmonitor=false ls-files --others --ignored --exclude-standard --directory"
    return [listing if (Path(asker.folder) / ".git").exists() else "", f"ls -la {folder}"]


def _no_index(error: CtxpackError, asker: Asker) -> list[str]:
    refreshing = asker.with_options(no_refresh=None)
    return [asker.index(), "" if refreshing == asker.with_options() else refreshing]


def _no_model(error: CtxpackError, asker: Asker) -> list[str]:
    name = error.details.get("model")
    pull = f"ctxpack model pull {shlex.quote(str(name))}" if name else "ctxpack model list"
    return [pull, asker.with_options(model="embedded", profile=None)]


def _listed(error: CtxpackError, name: str) -> list[str]:
    values = error.details.get(name)
    return [str(one) for one in values] if isinstance(values, list | tuple) else []


def _ambiguous(error: CtxpackError, asker: Asker) -> list[str]:
    """Requests for the candidates, by place if they have one; none for files that claim the same name."""
    if by := error.details.get("by"):
        return [asker.with_options(repo=one) for one in _listed(error, "candidates") if by == "repo"][:MAX_CANDIDATES]
    places = ((one, _PLACE.search(one)) for one in _listed(error, "candidates")[:MAX_CANDIDATES])
    return [asker.about(place["place"] if place else one.partition(" (")[0]) for one, place in places]


def _not_found(error: CtxpackError, asker: Asker) -> list[str]:
    """Requests for the nearest names, and for symbols with such a name; none for a file that exists.

    What is no name, or not like any name, is asked as a question."""
    if "cause" in error.details:
        return [asker.help()]
    nearest = [asker.about(name) for name in _listed(error, "nearest")[:MAX_CANDIDATES]]
    if question := error.details.get("question"):
        return [asker.look_for(str(question), "query"), *nearest]
    pattern = str(error.details.get("pattern", "*" if error.details.get("nearest") == [] else ""))
    return [*nearest, (pattern and asker.look_for(pattern)) or ("" if nearest else asker.help())]


def _refused(error: CtxpackError, asker: Asker) -> list[str]:
    """List the file or the nearest existing folder, or the space of a full disk; nothing for git or a host."""
    named = str(error.details.get("path", ""))
    if "said" in error.details or not named or "://" in named:
        return []
    path = Path(named)
    place = next((one for one in (path, *path.parents) if os.path.lexists(one)), Path())
    if os.strerror(ENOSPC) in error.message:
        return [f"df -h {shlex.quote(str(place))}"]
    return [f"ls {'-ld' if place == path else '-la'} {shlex.quote(str(place))}"]


def _too_small(error: CtxpackError, asker: Asker) -> list[str]:
    details = error.details
    if "smallest_tokens" in details:
        return [asker.with_options(max_chars=details["smallest"], max_tokens=details["smallest_tokens"])]
    return [asker.with_options(**{"max_tokens" if "max_tokens" in details else "max_chars": details["smallest"]})]


_BY_CODE: Mapping[str, Callable[[CtxpackError, Asker], Iterable[str]]] = {
    "invalid_request": lambda error, asker: [asker.index() if "files" in error.details else asker.help()],
    "not_a_directory": lambda error, asker: [asker.with_options(folder=None) or asker.help()],
    "no_files": _no_files,
    "index_missing": _no_index,
    "index_corrupt": lambda error, asker: [
        asker.index(*(["--full"] * ("full" in error.details))) if "folder" in error.details else asker.help()
    ],
    "index_locked": lambda error, asker: [asker.with_options(wait=300)],
    "model_missing": _no_model,
    "model_mismatch": lambda error, asker: [
        asker.with_options(model=name) for name in (*_listed(error, "models"), "embedded")
    ],
    "budget_too_small": _too_small,
    "not_found": _not_found,
    "ambiguous": _ambiguous,
    "io_error": _refused,
    "timed_out": lambda error, asker: [asker.with_options(time_limit_s=120)],
}

_MAIN_ARGUMENTS = ("target", "query", "id", "task", "pattern")


@dataclass
class Request:
    """A request in JSON: a line of a batch, or a call of a tool (`name` before its arguments)."""

    request: Mapping[str, object]
    args: Mapping[str, object]
    name: str = ""
    folder: str = ""

    @property
    def _key(self) -> str:
        return next((name for name in _MAIN_ARGUMENTS if name in self.args), "query")

    def help(self) -> str:
        return "" if self.name else "ctxpack batch --help"

    def index(self, *options: str) -> str:
        return shlex.join(["ctxpack", "index", *options, *([self.folder] if self.folder else [])])

    def look_for(self, text: str, verb: str = "symbols") -> str:
        if self.args.keys() & {"id", "task"} or (verb == "symbols" and "repos" in self.args):
            return ""  # records and fleets have no symbols
        if self.name:
            mode = {"mode": verb} if verb == "symbols" else {}
            where = {name: self.args[name] for name in ("repo", "repos") if name in self.args}
            return f"context_pack {_json({'query': text, **mode, **where})}"
        return _json({**self.request, "action": verb, "args": {"query": text}})

    def with_options(self, **changes: object) -> str:
        args = {**self.args, **{name: value for name, value in changes.items() if name not in ("wait", "folder")}}
        args = {name: value for name, value in args.items() if value is not None}
        return f"{self.name} {_json(args)}" if self.name else _json({**self.request, "args": args})

    def about(self, target: str) -> str:
        return self.with_options(**{self._key: target})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
