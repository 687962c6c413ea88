"""Whether the files and folders of a generation still lie on the disk as they did, without a walk.

For readers that keep an index open. A new file or folder is noticed because the folder around it changes.
"""

from __future__ import annotations

import os
from pathlib import Path

from index.generation.reader import Snapshot

MOST_FILES = 10_000  # 20 ms; of larger trees the system has to report changes


class Footprint:
    """Sizes and times of a generation's files as it recorded them, and of their folders as they are now."""

    def __init__(self, root: Path, snapshot: Snapshot) -> None:
        segment = snapshot.segment
        paths = snapshot.strings("file.path").to_list()
        self.complete = len(paths) <= MOST_FILES
        self._root = str(root)
        self._files: list[tuple[str, int, int]] = []
        self._folders: list[tuple[str, int]] = []
        if self.complete:
            sizes, stamps = segment.array("file.size").tolist(), segment.array("file.mtime_ns").tolist()
            self._files = [
                (self._at(path), size, stamp) for path, size, stamp in zip(paths, sizes, stamps, strict=True)
            ]
            self._folders = [(folder, _stamp(folder)) for folder in map(self._at, sorted(_folders(paths)))]

    def changed(self) -> bool:
        """Whether one of the files or folders differs. Never true above `MOST_FILES` (`complete` says so)."""
        lstat = os.lstat
        try:
            for path, size, stamp in self._files:
                status = lstat(path)
                if status.st_mtime_ns != stamp or status.st_size != size:
                    return True
        except OSError:
            return True
        return any(_stamp(folder) != stamp for folder, stamp in self._folders)

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}" if path else self._root


def _stamp(folder: str) -> int:
    try:
        return os.lstat(folder).st_mtime_ns
    except OSError:
        return -1


def _folders(paths: list[str]) -> set[str]:
    """Every folder on the way to the files; the root is empty."""
    folders = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders
