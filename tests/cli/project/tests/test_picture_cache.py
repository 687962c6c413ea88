from pathlib import Path

from picture_cache import PictureCache


def test_what_was_stored_is_loaded(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path)
    cache.store(b"picture", b"small")
    assert cache.load(b"picture") == b"small"
