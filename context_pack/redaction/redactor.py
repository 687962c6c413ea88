"""An account of what was taken out of the texts and paths of one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from context_pack.redaction.assigned import kind_of_name, tells
from context_pack.redaction.scan import Redacted, redact
from contracts.errors import CtxpackError
from contracts.records import Hint

PATHS = ("path", "page")  # the fields of records that hold one
T = TypeVar("T")


class Redactor:
    """Redacts many texts and remembers how much, by kind and by where. One that is not `active` changes nothing."""

    def __init__(self, active: bool = True, paths: Paths | None = None) -> None:
        self.active = active
        self._paths = paths or Paths()
        self._counts: Counter[str] = Counter()
        self._places: dict[str, Counter[str]] = {}

    @property
    def counts(self) -> dict[str, int]:
        return dict(sorted(self._counts.items()))

    @property
    def places(self) -> dict[str, dict[str, int]]:
        """Counts by place, for the places where something was taken out."""
        by_place: dict[str, Counter[str]] = {}
        for place, counts in self._places.items():
            by_place.setdefault(self._paths.shown(place), Counter()).update(counts)
        return {place: dict(sorted(counts.items())) for place, counts in sorted(by_place.items())}

    def text(self, text: str, path: str = "", place: str = "", *, piece: bool = False) -> str:
        """`place` is counted for; it is the path unless it is named."""
        if not self.active:
            return text
        redacted = redact(text, path, piece=piece)
        self.count(redacted.counts, place or path)
        return redacted.text

    def name(self, text: str) -> str:
        """A short text without secrets that is not counted: it repeats what is counted elsewhere."""
        return self._paths.text(text) if self.active else text

    def path(self, path: str) -> str:
        """A path as it is shown: itself, unless it holds a secret, which is counted once for the path."""
        if not self.active:
            return path
        shown = self._paths.shown(path)
        if shown != path and shown not in self._places:
            self.count(redact_path(path).counts, shown)
        return shown

    def hints(self, hints: Iterable[Hint]) -> tuple[Hint, ...]:
        """Hints without secrets."""
        return tuple(replace(hint, text=self.name(hint.text)) for hint in hints)

    def clean(self, error: CtxpackError) -> CtxpackError:
        """The error itself, its texts without secrets."""
        error.message, error.hint = self.name(error.message), self.name(error.hint)
        error.args = (error.message,)
        error.details = self._named(error.details)
        return error

    def _named(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.name(value)
        if isinstance(value, dict):
            return {key: self._named(part) for key, part in value.items()}
        return [self._named(part) for part in value] if isinstance(value, list | tuple) else value

    def counts_at(self, places: Iterable[str]) -> dict[str, int] | None:
        """Counts by kind over some places, each named once; None when nothing is redacted at all."""
        if not self.active:
            return None
        total: Counter[str] = Counter()
        for place in places:
            total.update(self._places.get(place, {}))
        return dict(sorted(total.items()))

    @property
    def account(self) -> dict[str, int] | None:
        """Counts by kind over all places; None when nothing is redacted at all."""
        return self.counts_at(self._places)

    def record(self, record: T, place: str = "") -> T:
        """A frozen record whose texts, at any depth, hold no secrets."""
        return self._part(record, place) if self.active else record

    def _part(self, value: Any, place: str) -> Any:
        if isinstance(value, tuple):
            return tuple(self._part(part, place) for part in value)
        if is_dataclass(value) and not isinstance(value, type):
            parts = {one.name: getattr(value, one.name) for one in fields(value)}
            paths = {name: self.path(parts[name]) for name in PATHS if parts.get(name)}
            return replace(value, **{name: self._part(part, place) for name, part in {**parts, **paths}.items()})
        return self.data(value, place)

    def data(self, value: Any, place: str = "") -> Any:
        """A JSON value with the secrets of its texts, of its keys, and under telling keys taken out."""
        if not self.active:
            return value
        if isinstance(value, str):
            return self.text(value, place=place)
        if isinstance(value, Mapping):
            return {self.text(str(key), place=place): self._under(str(key), part, place) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(part, place) for part in value]
        return value

    def _under(self, key: str, value: Any, place: str) -> Any:
        if isinstance(value, str):
            kind = kind_of_name(key)
            clean = self.text(value, place=place)
            if kind and clean == value and tells(key, kind, value):
                self.count({kind: 1}, place)
                return f"[REDACTED:{kind}]"
            return clean
        return self.data(value, place)

    def count(self, counts: Mapping[str, int], place: str) -> None:
        """Take over what was taken out of a text elsewhere."""
        if counts:
            self._counts.update(counts)
            self._places.setdefault(place, Counter()).update(counts)


MARK = "[REDACTED:"


def redact_path(path: str) -> Redacted:
    """A path without secrets. A key is looked for in each name first: one that may hold a slash ends where that does.

    `keys/ghp_.../deploy.py` is `keys/[REDACTED:github_token]/deploy.py`; nearly every path comes back as it is.
    """
    whole = redact(path)
    if not whole.counts:
        return whole
    parts = [redact(name) for name in path.split("/")]
    rest = redact("/".join(part.text for part in parts))
    counts = Counter(rest.counts)
    for part in parts:
        counts.update(part.counts)
    return Redacted(rest.text, dict(sorted(counts.items())))


class Paths:
    """Paths as they are shown, and back again.

    Two that would be shown alike are told apart by a number: `[REDACTED:github_token]~2.py` is the second of `files`,
    which are asked for when the first path with a secret comes; without `files`, the second one that comes.
    """

    def __init__(self, files: Callable[[], Iterable[str]] | None = None) -> None:
        self._files = files
        self._shown: dict[str, str] = {}
        self._alike: dict[str, int] = {}
        self._looked = files is None

    def shown(self, path: str) -> str:
        """The path without secrets; itself where there is none in it."""
        clean = redact_path(path).text
        if clean == path:
            return path
        self._look_through()
        return self._shown.get(path) or (clean if self._files else self._numbered(path, clean))

    def text(self, text: str) -> str:
        """A text without secrets, in which paths stand as they are shown."""
        clean = redact(text).text
        if clean == text:
            return text
        self._look_through()
        for path in sorted(self._shown, key=len, reverse=True):
            text = text.replace(path, self._shown[path])
        return redact(text).text

    def real(self, text: str) -> str:
        """A text that somebody asks, with the paths in it as they are."""
        if MARK not in text:
            return text
        self._look_through()
        for path in sorted(self._shown, key=lambda one: len(self._shown[one]), reverse=True):
            text = text.replace(self._shown[path], path)
        return text

    def _look_through(self) -> None:
        """Number the known paths that hold secrets. All of them are one text, which is quickly searched."""
        if self._looked or not self._files:
            return
        self._looked = True
        every = sorted(self._files())
        lines = [path.replace("\n", " ") for path in every]
        for path, line, found in zip(every, lines, redact("\n".join(lines)).text.split("\n"), strict=True):
            clean = path if line == found else redact_path(path).text
            if clean != path:
                self._numbered(path, clean)

    def _numbered(self, path: str, clean: str) -> str:
        number = self._alike[clean] = self._alike.get(clean, 0) + 1
        head, mark, tail = clean.rpartition("]")
        self._shown[path] = clean if number == 1 else f"{head}{mark}~{number}{tail}"
        return self._shown[path]
