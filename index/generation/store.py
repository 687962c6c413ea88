"""The generations of a repository's index: where they are stored, which one is live, and who may write.

HOME/                      one folder per repository and model
    CURRENT                the live generation's name; replaced atomically
    generations/000007/    arrays.bin, manifest.json
    generations/000006.damaged/    the last one whose checksums did not match
    generations/next/      the one that is being written; `read` in it exists while files are read
    fetched/               a shared generation, until one of ours is made from it
    vectors/               vectors of transformers, one file for each
    writer.lock            held while a generation is written
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contracts.errors import IndexCorrupt, IndexLocked, IOFailure
from index.generation.private import FILE_MODE, FOLDER_MODE, cache_root, open_plain, open_private, refuse_links, take
from index.generation.reader import INDEX_FORMAT, Snapshot, corrupt
from index.types import Progress

MAX_GENERATIONS = 2  # a reader that has just read CURRENT still finds its folder
_MAX_NAME_BYTES = 100
READING = "read"  # folder in a generation that is being written
DAMAGED = ".damaged"  # suffix of the folder of the last damaged generation, after its number
_GENERATION = re.compile(rf"\d{{6,}}({re.escape(DAMAGED)})?|next")
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")  # in the name of a folder


def repository_home(root: Path, index_dir: Path | None) -> Path:
    """The folder of all indexes of a repository: `index_dir`, or one named after the root's path."""
    if index_dir is not None:
        return index_dir
    real = os.path.realpath(root)
    digest = hashlib.blake2b(os.fsencode(real), digest_size=8).hexdigest()
    return cache_root() / "repos" / f"{UNSAFE.sub('_', Path(real).name)[:40]}-{digest}"


def model_home(home: Path, model_id: str) -> Path:
    """The home of one model's index of a repository."""
    slug = UNSAFE.sub("_", model_id)
    if slug != model_id:
        slug += "-" + hashlib.blake2b(model_id.encode(), digest_size=4).hexdigest()
    return home / slug


# All entries of a model's home; earlier versions had a table there.
OURS = ("CURRENT", "CURRENT.next", "fetched", "generations", "table", "table.lock", "vectors", "writer.lock")


def remove_home(home: Path) -> bool:
    """Remove a model's home with everything in it; returns False, and removes nothing, if the folder is not one.

    A folder with other files in it is not one. No link is followed.
    """
    generations = home / "generations"
    if home.is_symlink() or generations.is_symlink() or not generations.is_dir():
        return False
    if any(entry.name not in OURS for entry in home.iterdir()):
        return False
    if not all(_GENERATION.fullmatch(entry.name) for entry in generations.iterdir()):
        return False
    shutil.rmtree(home)
    return True


class Store:
    """The generations of one repository under one model."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.generations = home / "generations"
        self._current = home / "CURRENT"

    def open(self) -> Snapshot | None:
        """The live generation; None if there is none, or its format is older. IndexCorrupt if it cannot be read."""
        while (name := self.live_name()) is not None:
            refuse_links(self.home, self.generations, self.generations / name)
            try:
                snapshot = Snapshot(self.generations / name)
                if not snapshot.is_trusted():
                    raise corrupt(snapshot.folder, "arrays.bin does not match its checksum")
                return snapshot
            except IndexCorrupt as error:
                written = error.details.get("format")
                if isinstance(written, int) and written < INDEX_FORMAT:
                    return None  # written by an older ctxpack: it can be built again
                if name == self.live_name():  # else a writer has removed it since its name was read
                    raise
        return None

    def open_or_set_aside(self) -> tuple[Snapshot | None, str]:
        """(the live generation, ""), or (None, a note about it) if it must be built again: it is damaged, or a newer
        ctxpack wrote it."""
        try:
            return self.open(), ""
        except IndexCorrupt as error:
            aside = "" if isinstance(error.details.get("format"), int) else self._set_aside()
            return None, f"{error.message}. It was rebuilt{aside}."

    def _set_aside(self) -> str:
        """Move the damaged live generation aside for inspection; returns a clause that says where it is."""
        try:
            name = self.live_name()
            folder = self.generations / f"{name}{DAMAGED}"
            shutil.rmtree(folder, ignore_errors=True)
            (self.generations / str(name)).rename(folder)
        except (OSError, IndexCorrupt):
            return ""  # it is gone or cannot be moved: the new one replaces it anyway
        return f"; the damaged one is in {folder}"

    def live_name(self) -> str | None:
        """The folder name of the live generation; None if nothing is published. Raises IndexCorrupt or IOFailure."""
        try:
            with open(self._current, "rb", opener=open_plain) as file:
                name = file.read(_MAX_NAME_BYTES).strip()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise IOFailure(
                f"{self._current} cannot be read: {error.strerror}",
                hint="check its permissions or choose another folder with --index-dir",
                details={"path": str(self._current)},
            ) from error
        if not re.fullmatch(rb"\d{6,}", name):
            hint = "run `ctxpack index` to rebuild it"
            details = {"folder": str(self.home)}
            raise IndexCorrupt(f"{self._current} does not name a generation", hint=hint, details=details)
        return name.decode()

    def next_number(self) -> int:
        """A new generation number: one above those of all existing folders."""
        names = [folder.name.removesuffix(DAMAGED) for folder in self.generations.glob("[0-9]*")]
        used = [int(name) for name in names if name.isdigit()]
        return max(used, default=0) + 1

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A new empty folder that no reader looks at. Unless published, it is removed, now or by the next writer."""
        take(self.home)
        take(self.generations)
        folder = self.generations / "next"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(FOLDER_MODE)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def died_reading(self) -> bool:
        """Whether the last writer died while it read files, perhaps because one of them crashed it.

        The answer is valid while the writer's lock is held, before `scratch`: no other writer is alive then.
        """
        return (self.generations / "next" / READING).exists()

    def publish(self, scratch: Path, number: int) -> Path:
        """Make a written folder the live generation; once CURRENT is replaced, every new reader sees it."""
        folder = self.generations / f"{number:06d}"
        scratch.rename(folder)
        temporary = self.home / "CURRENT.next"
        temporary.unlink(missing_ok=True)
        with open(temporary, "xb", opener=open_private) as out:
            out.write(folder.name.encode("ascii") + b"\n")
        temporary.replace(self._current)
        self._remove_old(number)
        return folder

    def _remove_old(self, live: int) -> None:
        numbers = sorted(int(folder.name) for folder in self.generations.glob("[0-9]*") if folder.name.isdigit())
        for number in [number for number in numbers if number < live][: -(MAX_GENERATIONS - 1)]:
            shutil.rmtree(self.generations / f"{number:06d}", ignore_errors=True)
        damaged = sorted(self.generations.glob(f"[0-9]*{DAMAGED}"), key=lambda folder: (len(folder.name), folder.name))
        for folder in damaged[:-1]:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def writing(self, wait_s: float, progress: Progress | None = None) -> Iterator[None]:
        """Hold the writer's lock. Raises IndexLocked if another writer keeps it for longer than `wait_s`.

        `progress` is called after each second of waiting.
        """
        import filelock

        lock, left_s = filelock.FileLock(self.home / "writer.lock", mode=FILE_MODE), wait_s
        with self.translated():
            take(self.home)
            take(self.generations)
            while not lock.is_locked:
                try:
                    lock.acquire(timeout=min(left_s, 1))
                except filelock.Timeout as error:
                    left_s -= 1
                    if left_s <= 0:
                        raise IndexLocked(
                            f"another ctxpack process has been writing the index in {self.home} for {wait_s:g} s",
                            hint="wait for it, or allow more time with --wait SECONDS",
                        ) from error
                    if progress is not None:
                        progress("wait for another process, second", round(wait_s - left_s), round(wait_s))
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn an OSError while the index is written into an IOFailure that names the path."""
        try:
            yield
        except OSError as error:
            raise IOFailure(
                f"the index in {self.home} cannot be written: {error.strerror or error}",
                hint="free some space or choose another folder with --index-dir",
                details={"path": str(error.filename or self.home)},
            ) from error
