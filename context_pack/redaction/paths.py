"""Files and folders that are called like a key. Their paths are shown without it, and can be asked for as shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from context_pack.redaction.scan import Redacted, redact

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
    counts = dict(rest.counts)
    for part in parts:
        for kind, count in part.counts.items():
            counts[kind] = counts.get(kind, 0) + count
    return Redacted(rest.text, {kind: counts[kind] for kind in sorted(counts)})


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
        known = sorted(self._files())
        lines = [path.replace("\n", " ") for path in known]
        for path, line, found in zip(known, lines, redact("\n".join(lines)).text.split("\n"), strict=True):
            clean = path if line == found else redact_path(path).text
            if clean != path:
                self._numbered(path, clean)

    def _numbered(self, path: str, clean: str) -> str:
        number = self._alike[clean] = self._alike.get(clean, 0) + 1
        head, mark, tail = clean.rpartition("]")
        self._shown[path] = clean if number == 1 else f"{head}{mark}~{number}{tail}"
        return self._shown[path]
