"""What to run after a failure: for every error code at least one command that can be run as it stands.

Whoever asked is a command line, a line of a batch or a tool's caller; each says "the same again, but" in its own way.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from contracts.errors import CtxpackError
from contracts.records import Hint

MOST_CANDIDATES = 3
_PLACE = re.compile(r"\((?P<place>[^()]+:\d+)\)$")


class Asker(Protocol):
    """Who asked, as the one who can ask again."""

    def again(self, **changes: object) -> str:
        """The same request with other options; None takes one out."""
        ...

    def about(self, target: str) -> str:
        """The same request about another thing."""
        ...

    def help(self) -> str:
        """Where to read how to ask; empty where the asker has it before them."""
        ...

    def look_for(self, pattern: str) -> str:
        """Look for symbols by a pattern."""
        ...

    @property
    def folder(self) -> str:
        """The folder that was asked about, as it was given."""
        ...

    @property
    def subject(self) -> str:
        """What was asked."""
        ...


def next_steps(error: CtxpackError, asker: Asker) -> tuple[Hint, ...]:
    """Hints of type `action`, the most promising first."""
    return tuple(Hint("action", f"`{step}`") for step in dict.fromkeys(_steps(error, asker)) if step)


Step = Callable[[Mapping[str, object], Asker], Sequence[str]]


def _steps(error: CtxpackError, asker: Asker) -> Sequence[str]:
    step = _BY_CODE.get(error.code)
    return step(error.details, asker) if step else (f"CTXPACK_DEBUG=1 {asker.again()}",)


def _place(asker: Asker) -> str:
    return shlex.quote(asker.folder)


def _for_an_empty_folder(details: Mapping[str, object], asker: Asker) -> Sequence[str]:
    return f"git -C {_place(asker)} status --short --ignored", f"ls -la {_place(asker)}"


def _for_no_index(details: Mapping[str, object], asker: Asker) -> Sequence[str]:
    refreshing = asker.again(no_refresh=None)
    return f"ctxpack index {_place(asker)}", "" if refreshing == asker.again() else refreshing


def _for_a_budget(details: Mapping[str, object], asker: Asker) -> Sequence[str]:
    limit = "max_tokens" if "max_tokens" in details else "max_chars"
    return (asker.again(**{limit: details["smallest"]}),)


def _for_a_file(details: Mapping[str, object], asker: Asker) -> Sequence[str]:
    return f"ls -ld {shlex.quote(str(details.get('path') or asker.folder))}", "df -h"


def _for_a_model(details: Mapping[str, object], asker: Asker) -> Sequence[str]:
    named = details.get("model")
    pull = (f"ctxpack model pull {shlex.quote(str(named))}",) if named else ("ctxpack model list",)
    return (*pull, asker.again(model="embedded", profile=None))


def _with_models(details: Mapping[str, object], asker: Asker) -> list[str]:
    models = details.get("models")
    return [asker.again(model=str(name)) for name in models] if isinstance(models, list) else []


def _candidates(details: Mapping[str, object]) -> list[str]:
    """The candidates as they can be asked for: by place where they have one."""
    listed = details.get("candidates")
    found = [str(one) for one in listed] if isinstance(listed, list | tuple) else []
    places = [(_PLACE.search(one), one) for one in found]
    return [match["place"] if match else one.partition(" (")[0] for match, one in places]


def _nearest(details: Mapping[str, object], asker: Asker) -> list[str]:
    """The same about the names that a misspelt one may stand for."""
    listed = details.get("nearest")
    return [asker.about(str(name)) for name in listed] if isinstance(listed, list | tuple) else []


def _last_name(subject: str) -> str:
    """The part of what was asked that a symbol could be named."""
    words = re.findall(r"\w+", subject)
    return words[-1] if words else ""


_BY_CODE: Mapping[str, Step] = {
    "invalid_request": lambda details, asker: (asker.help(),),
    "not_a_directory": lambda details, asker: (asker.again(repo="."),),
    "no_files": _for_an_empty_folder,
    "index_missing": _for_no_index,
    "index_corrupt": lambda details, asker: (f"ctxpack index --full {_place(asker)}",),
    "index_locked": lambda details, asker: (asker.again(wait=300),),
    "model_missing": _for_a_model,
    "model_mismatch": lambda details, asker: (*_with_models(details, asker), asker.again(model="embedded")),
    "budget_too_small": _for_a_budget,
    "not_found": lambda details, asker: (*_nearest(details, asker), asker.look_for(f"*{_last_name(asker.subject)}*")),
    "ambiguous": lambda details, asker: [asker.about(one) for one in _candidates(details)[:MOST_CANDIDATES]],
    "io_error": _for_a_file,
    "timed_out": lambda details, asker: (asker.again(time_limit_s=120),),
}


class CommandLine:
    """A command line that can be typed again; `known` are the commands there are."""

    def __init__(self, arguments: Sequence[str], known: Collection[str]) -> None:
        self._known = known
        self._arguments = [one for one in arguments if one not in ("-h", "--help")]
        self._values = dict(_options(self._arguments))

    def help(self) -> str:
        return shlex.join(["ctxpack", *([self.command] if self.command else []), "--help"])

    def look_for(self, pattern: str) -> str:
        return shlex.join(["ctxpack", "symbols", pattern, "--repo", self.folder])

    @property
    def command(self) -> str:
        first = next((one for one in self._arguments if not one.startswith("-")), "")
        return first if first in self._known else ""

    @property
    def folder(self) -> str:
        named = next((self._values[name] for name in ("repo", "root", "vault") if name in self._values), None)
        return named or (self.subject if self.command == "index" and self.subject else ".")

    @property
    def subject(self) -> str:
        place = self._place()
        return "" if place is None else self._arguments[place]

    def again(self, **changes: object) -> str:
        kept = list(self._arguments)
        for name, value in changes.items():
            kept = _without(kept, f"--{name.replace('_', '-')}")
            if value is not None:
                kept += [f"--{name.replace('_', '-')}", str(value)]
        if "repo" in changes and self.command == "index" and self.subject in kept:
            kept.remove(self.subject)
        return shlex.join(["ctxpack", *kept])

    def about(self, target: str) -> str:
        kept, place = list(self._arguments), self._place()
        if place is None:
            return shlex.join(["ctxpack", *kept, target])
        kept[place] = target
        return shlex.join(["ctxpack", *kept])

    def _place(self) -> int | None:
        """Where the first argument of the command stands."""
        at, seen = 0, False
        while at < len(self._arguments):
            one = self._arguments[at]
            if not one.startswith("-") or one == "-":
                if seen:
                    return at
                seen = True
            elif "=" not in one and one[2:].replace("-", "_") in self._values:
                at += 1
            at += 1
        return None


class Request:
    """A request in JSON: a line of a batch, or a call of a tool (`name` before its arguments)."""

    def __init__(self, request: Mapping[str, object], args: Mapping[str, object], name: str = "") -> None:
        self._request = request
        self._args = dict(args)
        self._name = name

    def help(self) -> str:
        return "" if self._name else "ctxpack batch --help"

    def look_for(self, pattern: str) -> str:
        if self._name:
            return f"symbols {json.dumps({'pattern': pattern}, ensure_ascii=False)}"
        return json.dumps({**self._request, "action": "symbols", "args": {"query": pattern}}, ensure_ascii=False)

    @property
    def folder(self) -> str:
        return "."

    @property
    def subject(self) -> str:
        return str(next((self._args[name] for name in _SUBJECTS if name in self._args), ""))

    def again(self, **changes: object) -> str:
        args = {**self._args, **{name: value for name, value in changes.items() if name != "wait"}}
        args = {name: value for name, value in args.items() if value is not None}
        if self._name:
            return f"{self._name} {json.dumps(args, ensure_ascii=False)}"
        return json.dumps({**self._request, "args": args}, ensure_ascii=False)

    def about(self, target: str) -> str:
        name = next((name for name in _SUBJECTS if name in self._args), "query")
        return self.again(**{name: target})


_SUBJECTS = ("target", "query", "id", "task", "pattern")
_FLAGS = frozenset(
    "no-refresh explain no-docs docs-first no-redact content pretty full yes verbose no-timestamp help".split()
)


def _options(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """(name, value) of the options that have a value."""
    found = []
    for one, after in zip(arguments, [*arguments[1:], ""], strict=True):
        name, given, value = one.removeprefix("--").partition("=")
        if one.startswith("--") and (given or (name not in _FLAGS and after and not after.startswith("--"))):
            found.append((name.replace("-", "_"), value if given else after))
    return found


def _without(arguments: Sequence[str], option: str) -> list[str]:
    kept: list[str] = []
    skip = False
    for one in arguments:
        if skip:
            skip = False
        elif one == option:
            skip = option[2:] not in _FLAGS
        elif not one.startswith(f"{option}="):
            kept.append(one)
    return kept
