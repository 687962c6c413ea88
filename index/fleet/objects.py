"""The object store of shared indexes: immutable objects by key, in a folder or a bucket (`s3://`, `gs://`, `az://`).

An object is never changed. `create` is the only write and is conditional: of two writers of one key, one succeeds. A
folder needs only the standard library; a bucket needs obstore (extra `share`).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from contracts.errors import InvalidRequest, with_extra

EXTRA = "share"
SCHEMES = ("s3", "gs", "az")
TIMEOUT = "20s"  # without a byte; indexing locally is mostly faster than waiting longer
LIMIT = "10m"  # per request; a large generation takes minutes on a slow connection
RETRIES = 2
AT_ONCE = 16  # requests
PROBE = "probe"  # an empty object that is written twice: the second write must be refused


class StoreFailure(Exception):
    """The store is missing, slow or read-only, or has no conditional writes."""


def open_objects(uri: str) -> Objects:
    """The store at a URI, or in a folder. InvalidRequest for another scheme. No request is made yet."""
    return BucketObjects(uri) if checked_scheme(uri) else FolderObjects(Path(uri).expanduser())


def checked_scheme(uri: str) -> str:
    """The scheme of a store's URI; empty for a folder. InvalidRequest for another scheme."""
    scheme, mark, _ = uri.partition("://")
    if mark and scheme not in SCHEMES:
        buckets = ", ".join(f"{one}://" for one in SCHEMES)
        raise InvalidRequest("share", f"{scheme}:// is not a store: give a folder, or one of {buckets}")
    return scheme if mark else ""


class FolderObjects:
    """A local or mounted folder. Every method raises StoreFailure."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str, max_bytes: int) -> bytes | None:
        """An object; None if it does not exist."""
        with _failures():
            try:
                with (self._folder / key).open("rb") as file:
                    _check_size(os.fstat(file.fileno()).st_size, key, max_bytes)
                    return file.read(max_bytes)
            except FileNotFoundError:
                return None

    def first(self, keys: Sequence[str]) -> str | None:
        """The first of these keys that exists."""
        with _failures():
            if not self._folder.is_dir():
                raise StoreFailure("the folder does not exist")
            return next((key for key in keys if (self._folder / key).is_file()), None)

    def create(self, key: str, data: bytes) -> bool:
        """Create an object; False if it already exists, in which case it stays as it is."""
        place = self._folder / key
        temporary = place.with_name(f".{secrets.token_hex(8)}")
        with _failures():
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                with temporary.open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.link(temporary, place)
                return True
            except FileExistsError:
                return False
            finally:
                temporary.unlink(missing_ok=True)

    def keys(self, prefix: str) -> Iterator[str]:
        """The keys of all objects in a folder, in no particular order."""
        with _failures():
            for place in (self._folder / prefix).rglob("*"):
                if place.is_file() and not place.name.startswith("."):
                    yield place.relative_to(self._folder).as_posix()

    def remove(self, key: str) -> None:
        """Remove an object if it exists."""
        with _failures():
            place = self._folder / key
            place.unlink(missing_ok=True)
            with suppress(OSError):  # its parent folders, as long as they are empty
                while (place := place.parent) != self._folder:
                    place.rmdir()


class BucketObjects:
    """A bucket, or a part of one, with the methods of `FolderObjects`.

    Credentials come from the environment, as for the cloud's own tools.
    """

    def __init__(self, uri: str) -> None:
        try:
            import obstore
            from obstore.exceptions import AlreadyExistsError
            from obstore.store import from_url
        except ImportError as error:
            raise InvalidRequest(
                "share", f"{uri} needs obstore, which is not installed", hint=f"run {with_extra(EXTRA)}"
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

    def read(self, key: str, max_bytes: int) -> bytes | None:
        with _failures():
            try:
                reply = self._obstore.get(self._store, key)
            except FileNotFoundError:
                return None
            _check_size(reply.meta["size"], key, max_bytes)
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
        """StoreFailure if a second writer would silently replace the object of the first."""
        if self._is_conditional:
            return
        self._created(PROBE, b"")
        if self._created(PROBE, b""):
            raise StoreFailure(
                "the store does not support conditional writes (If-None-Match), so two publishers could lose objects"
            )
        self._is_conditional = True


Objects = FolderObjects | BucketObjects


def _check_size(size: int, key: str, max_bytes: int) -> None:
    if size > max_bytes:
        raise StoreFailure(f"{key} is larger than {max_bytes:,} bytes")


@contextmanager
def _failures() -> Iterator[None]:
    """Turn every error of a store into a StoreFailure of one line. obstore's errors share no class but Exception."""
    try:
        yield
    except StoreFailure:
        raise
    except Exception as error:
        text = getattr(error, "strerror", None) or str(error).partition("\n")[0].strip()
        raise StoreFailure(text or type(error).__name__) from error
