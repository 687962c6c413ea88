"""Repositories given by URL: cloned into the cache once, without history, and read there like local ones.

CACHE/clones/DIGEST/
    SOURCE       the URL without credentials, and the revision; its mtime is the day of the last use
    NAME/        the clone, under the repository's own name

The forge is not trusted. Git may use only the protocol of the URL, and only in these calls; nothing in a repository is
run (`index.tree.git`); submodules and LFS files are not fetched. A password in the URL is neither stored nor printed.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from threading import get_ident

from context_pack.io.cache_dirs import KEPT_S, USE_GRAIN_S, age_s, remove
from contracts.errors import InvalidRequest, IOFailure
from contracts.frozen import frozen
from index.generation.private import cache_root, make_private
from index.tree import git

LIMIT_S = 600.0
SOURCE = "SOURCE"
PROTOCOLS = ("https", "ssh", "file")
_URL = re.compile(r"(?P<protocol>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/]*)(?P<path>/.*)?", re.DOTALL)
_SCP = re.compile(r"(?P<authority>[\w.-]+@[^/:@\s]+):(?P<path>[^:].*)", re.DOTALL)
_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
_HOST = re.compile(r"([A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?")
_LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?")
_PATH = re.compile(r"[\w/.~+%-]{1,1000}")
_REVISION = re.compile(r"(?!.*(\.\.|//|\.lock$|/$))[A-Za-z0-9][\w./+-]{0,199}")
_NAME = re.compile(r"[^\w.-]")


@frozen
class Address:
    """Where a repository comes from: `url` for git, `shown` for readers, and the revision (empty: the default one)."""

    protocol: str
    url: str
    shown: str
    revision: str

    @property
    def folder(self) -> Path:
        """The folder of the clone, which may not exist."""
        name = _NAME.sub("_", self.shown.rstrip("/").rpartition("/")[2].removesuffix(".git")).lstrip("-.")[:80]
        digest = blake2b(f"{self.shown}\0{self.revision}".encode(), digest_size=8).hexdigest()
        return cache_root() / "clones" / digest / (name or "repository")

    def __str__(self) -> str:
        return f"{self.shown}@{self.revision}" if self.revision else self.shown


def address_of(text: str) -> Address | None:
    """The address in a URL with or without `@revision`; None for a path.

    InvalidRequest (`repo`) for a URL that is not accepted.
    """
    if not ("://" in text or "@" in text or "::" in text) or os.path.lexists(text):
        return None
    address = _URL.fullmatch(text) or _SCP.fullmatch(text)
    if address is None:
        if _HELPER.match(text):
            raise _refused(text, "only https, ssh and file URLs are supported")
        return None
    is_short = address.re is _SCP
    protocol, authority = "ssh" if is_short else address["protocol"].lower(), address["authority"]
    path, _, revision = (address["path"] or "").partition("@")
    user, _, host = authority.rpartition("@")
    _check(text, protocol, authority, path)
    if revision and not _REVISION.fullmatch(revision):
        raise _refused(text, "the part after @ is not a branch, tag or commit")
    who = f"{user.partition(':')[0]}@" if user and protocol == "ssh" else ""
    if is_short:
        return Address("ssh", f"{authority}:{path}", f"{who}{host}:{path}", revision)
    return Address(protocol, f"{protocol}://{authority}{path}", f"{protocol}://{who}{host}{path}", revision)


def cloned(address: Address, *, fetch: bool = False) -> Path:
    """The folder of the clone, cloned if missing, updated if `fetch` is set. IOFailure if git fails."""
    folder = address.folder
    if is_there(address) and not fetch:
        with suppress(OSError):
            if age_s(folder.parent / SOURCE) > USE_GRAIN_S:
                (folder.parent / SOURCE).touch()
        return folder
    remove((cache_root() / "clones").glob(f"*/{SOURCE}"), lambda mark: age_s(mark) > KEPT_S)
    try:
        make_private(folder.parent)
        if is_there(address):
            _get(address, folder)
        else:
            _make(address, folder)
        (folder.parent / SOURCE).write_text(f"{address}\n", "utf-8")
    except OSError as error:
        raise IOFailure(f"{address} cannot be cloned: {error.strerror}", details={"repo": str(address)}) from error
    return folder


def is_there(address: Address) -> bool:
    return (address.folder / ".git").is_dir()


def remove_clone(root: Path) -> list[Path]:
    """Remove `root` if it is a clone; returns the removed folders."""
    clones = cache_root().absolute() / "clones"
    return remove([root.parent / SOURCE], lambda mark: mark.parent.parent == clones and mark.is_file())


def _check(text: str, protocol: str, authority: str, path: str) -> None:
    """InvalidRequest if any part of a URL is not accepted."""
    host = authority.rpartition("@")[2]
    is_local = protocol == "http" and _LOOPBACK.fullmatch(host)
    if protocol not in PROTOCOLS and not is_local:
        raise _refused(text, "only https, ssh and file URLs are supported")
    if not (_HOST.fullmatch(host) if protocol != "file" else authority == ""):
        raise _refused(text, "the URL has no valid host")
    if not _PATH.fullmatch(path) or path.strip("/") in ("", ".", "..") or path.startswith("-"):
        raise _refused(text, "the URL has no repository path")


def _refused(text: str, why: str) -> InvalidRequest:
    shown = re.sub(r"//[^/]*@", "//", text)
    hint = "give a folder, https://HOST/PATH or git@HOST:PATH, optionally with @REVISION"
    return InvalidRequest("repo", f"cannot clone {shown!r}: {why}", hint=hint)


def _make(address: Address, folder: Path) -> None:
    """Clone into a temporary folder, then rename it, so that nobody reads half a clone."""
    import shutil

    temporary = folder.with_name(f".{os.getpid()}-{get_ident()}")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        _run(address, ["init", "--quiet", "--template=", os.fspath(temporary)])
        _get(address, temporary)
        with suppress(OSError):  # another process was quicker
            temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _get(address: Address, folder: Path) -> None:
    """Fetch and check out the newest commit of the revision."""
    source = [(b"remote.origin.url", address.url.encode())]  # not an argument: other users can list those
    fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"]
    wanted = f"+{address.revision or 'HEAD'}:refs/ctxpack"
    _run(address, [*fetch, "origin", wanted], folder, source, address.protocol)
    try:
        off = git.filters_off(folder)
    except git.GitRefused as error:
        raise IOFailure(f"{address} cannot be cloned: {error}", hint="install a newer version of git") from error
    _run(address, ["checkout", "--quiet", "--force", "--detach", "refs/ctxpack"], folder, off)


def _run(
    address: Address,
    arguments: list[str],
    folder: Path | None = None,
    settings: list[git.Setting] | None = None,
    protocol: str = "",
) -> None:
    done = git.run(arguments, folder, settings=settings or (), limit_s=LIMIT_S, protocol=protocol)
    if done.stopped or done.code:
        why = (done.stopped or done.complaint).replace(address.url, address.shown)
        why = re.sub(r"//[^/\s]*@", "//", why)
        hint = "clone it yourself with git, and give the folder" if "could not read" in why or "denied" in why else ""
        raise IOFailure(f"{address} cannot be cloned: {why}", hint=hint, details={"repo": str(address)})
