"""Thumbnails on disk, by the hash of the picture they were made from."""

import hashlib
from pathlib import Path

SUFFIX = ".thumb"


class PictureCache:
    """A folder of thumbnails."""

    def __init__(self, folder: Path, max_age_days: int = 30) -> None:
        self.folder = folder
        self.max_age_days = max_age_days

    def key_of(self, picture: bytes) -> str:
        """The name under which a picture's thumbnail is kept."""
        return hashlib.sha256(picture).hexdigest() + SUFFIX

    def load(self, picture: bytes) -> bytes | None:
        """The thumbnail of a picture, or None when there is none yet."""
        path = self.folder / self.key_of(picture)
        return path.read_bytes() if path.exists() else None

    def store(self, picture: bytes, thumbnail: bytes) -> None:
        """Keep a thumbnail."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / self.key_of(picture)).write_bytes(thumbnail)

    def evict(self, now: float) -> int:
        """Remove what is older than `max_age_days`; how many went."""
        limit = now - self.max_age_days * 86_400
        old = [path for path in self.folder.glob(f"*{SUFFIX}") if path.stat().st_mtime < limit]
        for path in old:
            path.unlink()
        return len(old)
