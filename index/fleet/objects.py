"""Where shared indexes lie: immutable objects by key, in a folder or in a bucket (`s3://`, `gs://`, `az://`).

An object is made once and never changed. `create` is the only write, and conditional: of two writers of one key, one
succeeds. A folder needs nothing but the standard library; a bucket needs obstore (extra `share`).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from contracts.errors import InvalidRequest, with_extra

EXTRA = "share"
SCHEMES = ("s3", "gs", "az")
TIMEOUT = "20s"  # without a byte; an index of one's own is mostly there before
LIMIT = "10m"  # of one request; a large generation on a thin line takes minutes
RETRIES = 2
AT_ONCE = 16  # requests
PROBE = "probe"  # an empty object that shows whether a second write of it is refused


class StoreFailure(Exception):
    """The store is gone, slow, read-only, or has no conditional writes."""


class Objects(Protocol):
    """What a shared index needs of a store. Every method raises StoreFailure."""

    def read(self, key: str, most_bytes: int) -> bytes | None:
        """An object; None where there is none."""
        ...

    def first(self, keys: Sequence[str]) -> str | None:
        """The first of these keys that is there."""
        ...

    def create(self, key: str, data: bytes) -> bool:
        """Make an object; False where one is there already, which stays."""
        ...

    def keys(self, prefix: str) -> Iterator[str]:
        """The keys of all objects in a folder, in no certain order."""
        ...

    def remove(self, key: str) -> None:
        """Remove an object, if it is there."""
        ...


def open_objects(uri: str) -> Objects:
    """The store at a URI, or in a folder. InvalidRequest for another scheme. No request is made yet."""
    scheme, mark, _ = uri.partition("://")
    if not mark:
        return FolderObjects(Path(uri).expanduser())
    if scheme in SCHEMES:
        return BucketObjects(uri)
    buckets = ", ".join(f"{one}://" for one in SCHEMES)
    raise InvalidRequest("share", f"{scheme}:// is not a store: give a folder, or one of {buckets}")


class FolderObjects:
    """A folder, of this machine or mounted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str, most_bytes: int) -> bytes | None:
        with _failures():
            try:
                with (self._folder / key).open("rb") as file:
                    _check_size(os.fstat(file.fileno()).st_size, key, most_bytes)
                    return file.read(most_bytes)
            except FileNotFoundError:
                return None

    def first(self, keys: Sequence[str]) -> str | None:
        with _failures():
            if not self._folder.is_dir():
                raise StoreFailure(f"{self._folder} does not exist")
            return next((key for key in keys if (self._folder / key).is_file()), None)

    def create(self, key: str, data: bytes) -> bool:
        place = self._folder / key
        aside = place.with_name(f".{secrets.token_hex(8)}")
        with _failures():
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                with aside.open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.link(aside, place)
                return True
            except FileExistsError:
                return False
            finally:
                aside.unlink(missing_ok=True)

    def keys(self, prefix: str) -> Iterator[str]:
        with _failures():
            for place in (self._folder / prefix).rglob("*"):
                if place.is_file() and not place.name.startswith("."):
                    yield place.relative_to(self._folder).as_posix()

    def remove(self, key: str) -> None:
        with _failures():
            place = self._folder / key
            place.unlink(missing_ok=True)
            with suppress(OSError):  # the folders above it, as far as they are empty
                while (place := place.parent) != self._folder:
                    place.rmdir()


class BucketObjects:
    """A bucket, or a part of one. Its credentials are those of the environment, as the cloud's own tools read them."""

    def __init__(self, uri: str) -> None:
        try:
            import obstore
            from obstore.exceptions import AlreadyExistsError
            from obstore.store import from_url
        except ImportError as error:
            raise InvalidRequest(
                "share", f"{uri} needs obstore, which is not installed", hint=f"`{with_extra(EXTRA)}`"
            ) from error
        self._obstore: Any = obstore
        self._exists_already = AlreadyExistsError
        with _failures():
            self._store: Any = from_url(
                uri,
                client_options={"read_timeout": TIMEOUT, "timeout": LIMIT, "connect_timeout": "5s", "allow_http": True},
                retry_config={"max_retries": RETRIES},
            )
        self._is_conditional = False

    def read(self, key: str, most_bytes: int) -> bytes | None:
        with _failures():
            try:
                reply = self._obstore.get(self._store, key)
            except FileNotFoundError:
                return None
            _check_size(reply.meta["size"], key, most_bytes)
            return bytes(reply.bytes())

    def first(self, keys: Sequence[str]) -> str | None:
        with _failures(), ThreadPoolExecutor(AT_ONCE) as pool:
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start : start + AT_ONCE]
                for key, is_there in zip(some, pool.map(self._is_there, some), strict=True):
                    if is_there:
                        return key
        return None

    def create(self, key: str, data: bytes) -> bool:
        with _failures():
            self._prove()
            return self._created(key, data)

    def keys(self, prefix: str) -> Iterator[str]:
        with _failures():
            for page in self._obstore.list(self._store, prefix or None):
                yield from (str(one["path"]) for one in page)

    def remove(self, key: str) -> None:
        with _failures():
            self._obstore.delete(self._store, key)

    def _is_there(self, key: str) -> bool:
        try:
            self._obstore.head(self._store, key)
            return True
        except FileNotFoundError:
            return False

    def _created(self, key: str, data: bytes) -> bool:
        try:
            self._obstore.put(self._store, key, data, mode="create", use_multipart=False)
            return True
        except self._exists_already:
            return False

    def _prove(self) -> None:
        """StoreFailure where a second writer would replace the object of the first, unnoticed."""
        if self._is_conditional:
            return
        self._created(PROBE, b"")
        if self._created(PROBE, b""):
            raise StoreFailure(
                "the store does not support conditional writes (If-None-Match), so two publishers could lose objects"
            )
        self._is_conditional = True


def _check_size(size: int, key: str, most_bytes: int) -> None:
    if size > most_bytes:
        raise StoreFailure(f"{key} is larger than {most_bytes:,} bytes")


@contextmanager
def _failures() -> Iterator[None]:
    """What a store refuses, in one line. obstore's errors are many, and of no common class but Exception."""
    try:
        yield
    except StoreFailure:
        raise
    except Exception as error:
        text = getattr(error, "strerror", None) or str(error).partition("\n")[0].strip()
        raise StoreFailure(text or type(error).__name__) from error
