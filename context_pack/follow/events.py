"""Notices changes in a tree through the system's notifications (`watchfiles`, extra `watch`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

DEBOUNCE_MS = 400  # changes within this time are one batch
POLL_MS = 500  # how often a watcher looks whether its folder is still there
IGNORE_FILES = frozenset({".gitignore", ".ctxpackignore", "exclude"})
MAX_IGNORED = 20_000


class Noise:
    """Filters out changes that do not matter: those inside `.git`, and those of files that turned out to be ignored.

    Git decides what is ignored, so a path is tried once: if the comparison after its change finds nothing to do, later
    changes of the path are skipped until an ignore file changes.
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
        """The paths that changed since the last call."""
        suspects, self._suspects = self._suspects, set()
        return suspects

    def ignore(self, paths: set[str]) -> None:
        """Record that a comparison after changes of these paths found nothing to do."""
        if len(self._ignored) < MAX_IGNORED:
            self._ignored |= paths


async def batches(root: Path, noise: Noise) -> AsyncGenerator[bool, None]:
    """Yields, about twice a second and at each change, whether anything that may matter has changed since the last
    time.

    The first value comes once the watch is set up. Ends when the folder is deleted or replaced. OSError if the system
    cannot watch more.
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
