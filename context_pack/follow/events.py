"""Noticing that a tree changes, by the system's own notifications (`watchfiles`, extra `watch`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

DEBOUNCE_MS = 400  # changes that come together are one
POLL_MS = 500  # how often a watcher looks whether its folder is still there
IGNORE_FILES = frozenset({".gitignore", ".ctxpackignore", "exclude"})
MOST_IGNORED = 20_000


class Noise:
    """Which changes may matter: not those inside `.git`, and not those of files that turned out to be ignored.

    Ignore rules are git's business, so a path is asked about once: when a comparison that followed its change found
    nothing to do, further changes of it are passed over, until an ignore file changes.
    """

    def __init__(self, root: Path) -> None:
        self._skip = len(str(root))
        self._suspects: set[str] = set()
        self._ignored: set[str] = set()

    def matters(self, path: str) -> bool:
        below, name = path[self._skip :], path.rpartition("/")[2]
        if name in IGNORE_FILES:
            self._ignored.clear()
        elif "/.git/" in below or below.endswith("/.git") or path in self._ignored:
            return False
        self._suspects.add(path)
        return True

    def take(self) -> set[str]:
        """The paths that changed since this was asked last."""
        taken, self._suspects = self._suspects, set()
        return taken

    def ignore(self, paths: set[str]) -> None:
        """A comparison after changes of these paths found nothing to do."""
        if len(self._ignored) < MOST_IGNORED:
            self._ignored |= paths


async def batches(root: Path, noise: Noise) -> AsyncGenerator[bool, None]:
    """Whether anything that may matter has changed since the last time, about twice a second and at each change.

    The first comes when the watch stands. Ends when the folder is gone or another has taken its place. OSError when
    the system can watch no more.
    """
    from watchfiles import awatch

    before = _identity(root)
    if before is None:
        return
    watched = awatch(
        root, watch_filter=lambda _, path: noise.matters(path), debounce=DEBOUNCE_MS, rust_timeout=POLL_MS,
        yield_on_timeout=True, ignore_permission_denied=True,
    )  # fmt: skip
    async with aclosing(watched):
        async for changes in watched:
            yield bool(changes)
            if _identity(root) != before:
                return


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
