"""What to run after a failure: for every error code at least one command that can be run as it stands.

Whoever asked, a command line or a request in JSON, can say "the same again, but"; where an option that a step needs
does not exist there, it says nothing, and the step is left out.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from contracts.errors import CtxpackError
from contracts.records import Hint

MOST_CANDIDATES = 3
_PLACE = re.compile(r"\((?P<place>[^()]+:\d+)\)$")
Details = Mapping[str, object]


class Asker(Protocol):
    """A command line or a request, which can be asked again. A step that it has no words for is an empty text.

    `folder` is the folder that it was about, as it was given.
    """

    @property
    def subject(self) -> str: ...

    @property
    def folder(self) -> str: ...

    def again(self, **changes: object) -> str:
        """The same request with other options; None takes one out. `folder` stands for whatever names the folder."""

    def about(self, target: str) -> str:
        """The same request about another thing."""

    def help(self) -> str:
        """Where to read how to ask; empty where the asker has it before them."""

    def look_for(self, pattern: str) -> str:
        """Look for symbols by a pattern."""


def next_steps(error: CtxpackError, asker: Asker) -> tuple[Hint, ...]:
    """Hints of type `action`, the most promising first."""
    step = _BY_CODE.get(error.code, _internal)
    return tuple(Hint("action", f"`{text}`") for text in dict.fromkeys(step(error.details, asker)) if text)


def _folder(asker: Asker) -> str:
    return shlex.quote(asker.folder)


def _internal(details: Details, asker: Asker) -> list[str]:
    return [f"CTXPACK_DEBUG=1 {asker.again()}"]


def _invalid(details: Details, asker: Asker) -> list[str]:
    return [f"ctxpack index {_folder(asker)}" if "files" in details else asker.help()]


def _no_index(details: Details, asker: Asker) -> list[str]:
    refreshing = asker.again(no_refresh=None)
    return [f"ctxpack index {_folder(asker)}", "" if refreshing == asker.again() else refreshing]


def _budget(details: Details, asker: Asker) -> list[str]:
    limit = "max_tokens" if "max_tokens" in details else "max_chars"
    return [asker.again(**{limit: details["smallest"]})]


def _no_model(details: Details, asker: Asker) -> list[str]:
    named = details.get("model")
    pull = f"ctxpack model pull {shlex.quote(str(named))}" if named else "ctxpack model list"
    return [pull, asker.again(model="embedded", profile=None)]


def _listed(details: Details, name: str) -> list[str]:
    values = details.get(name)
    return [str(one) for one in values] if isinstance(values, list | tuple) else []


def _candidate(one: str) -> str:
    """A candidate as it can be asked for: by place where it has one."""
    place = _PLACE.search(one)
    return place["place"] if place else one.partition(" (")[0]


def _not_found(details: Details, asker: Asker) -> list[str]:
    """The nearest names, then symbols that are named like what was asked, or like the file that is not there."""
    path = details.get("path")
    words = re.findall(r"\w+", asker.subject)
    name = str(path).rpartition("/")[2].partition(".")[0] if path else words[-1] if words else ""
    nearest = map(asker.about, _listed(details, "nearest")[:MOST_CANDIDATES])
    return [*nearest, asker.look_for(f"*{name}*") or asker.help()]


_BY_CODE: Mapping[str, Callable[[Details, Asker], Iterable[str]]] = {
    "invalid_request": _invalid,
    "not_a_directory": lambda details, asker: [asker.again(folder=".") or asker.help()],
    "no_files": lambda details, asker: [
        f"git -C {_folder(asker)} status --short --ignored", f"ls -la {_folder(asker)}",
    ],
    "index_missing": _no_index,
    "index_corrupt": lambda details, asker: [f"ctxpack index --full {_folder(asker)}"],
    "index_locked": lambda details, asker: [asker.again(wait=300)],
    "model_missing": _no_model,
    "model_mismatch": lambda details, asker: [
        asker.again(model=name) for name in (*_listed(details, "models"), "embedded")
    ],
    "budget_too_small": _budget,
    "not_found": _not_found,
    "ambiguous": lambda details, asker: [
        asker.about(_candidate(one)) for one in _listed(details, "candidates")[:MOST_CANDIDATES]
    ],
    "io_error": lambda details, asker: [
        f"ls -ld {shlex.quote(str(details.get('path') or asker.folder))}", "df -h"
    ],
    "timed_out": lambda details, asker: [asker.again(time_limit_s=120)],
}  # fmt: skip

_MAIN_ARGUMENTS = ("target", "query", "id", "task", "pattern")


@dataclass
class Request:
    """A request in JSON: a line of a batch, or a call of a tool (`name` before its arguments)."""

    request: Mapping[str, object]
    args: Mapping[str, object]
    name: str = ""
    folder: str = "."

    @property
    def _key(self) -> str:
        return next((name for name in _MAIN_ARGUMENTS if name in self.args), "query")

    @property
    def subject(self) -> str:
        return str(self.args.get(self._key, ""))

    def help(self) -> str:
        return "" if self.name else "ctxpack batch --help"

    def look_for(self, pattern: str) -> str:
        if self.name:
            return f"context_pack {_json({'query': pattern, 'mode': 'symbols'})}"
        return _json({**self.request, "action": "symbols", "args": {"query": pattern}})

    def again(self, **changes: object) -> str:
        args = {**self.args, **{name: value for name, value in changes.items() if name not in ("wait", "folder")}}
        args = {name: value for name, value in args.items() if value is not None}
        return f"{self.name} {_json(args)}" if self.name else _json({**self.request, "args": args})

    def about(self, target: str) -> str:
        return self.again(**{self._key: target})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
