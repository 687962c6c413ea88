"""Reading a vault: a folder whose `wiki/` contains Markdown pages with YAML frontmatter, tied by `[[links]]`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from context_pack.io.markdown_files import FrontmatterError, Problem, decoded, markdown_files, read_bytes
from context_pack.io.paths import root_with, unreadable, with_home
from context_pack.io.record_cache import cached_records, collection_paused
from context_pack.io.tree import Tree
from context_pack.kinds.pages import frontmatter
from context_pack.kinds.pages.page import VERSION, Page, record_of
from context_pack.kinds.pages.words import distinct, folded
from contracts.errors import BrokenFile, InvalidRequest, NotADirectory, NotFound
from contracts.frozen import frozen

KIND = "vault"  # of corpus
WIKI = "wiki"
SETTINGS = "vault.yaml"
MAX_SETTINGS_BYTES = 1_000_000
DEFAULT_DOMAINS = "default-domains"


@frozen
class Vault:
    """The pages of a vault by path, its default domains (folded), and its problems.

    `digests` are those of the pages' files, by path. `unsaved` says why the records could not be cached (empty: they
    were).
    """

    root: Path
    pages: Sequence[Page]
    default_domains: tuple[str, ...]
    problems: tuple[Problem, ...]
    digests: Mapping[str, bytes]
    unsaved: str = ""


def vault_root(chosen: str | Path | None) -> Path:
    """The folder of the vault: the chosen one, else the nearest one upwards with a `wiki` folder."""
    folder = root_with(WIKI, chosen, "give the vault with --vault")
    if not (folder / WIKI).is_dir():
        hint = "give the vault with --vault, or run `ctxpack init wiki DIR` to write an example"
        raise NotADirectory(f"{folder} is not a vault: it has no folder {WIKI}", hint=hint)
    return Path(os.path.normpath(folder))


@collection_paused()
def read_vault(root: Path) -> Vault:
    """Every `wiki/**/*.md` except `index*.md`. A page whose frontmatter cannot be read has no metadata."""
    listing = markdown_files(str(root), (WIKI,), lambda path: not path.rpartition("/")[2].startswith("index"))
    records = cached_records(KIND, VERSION, str(root), listing.files, record_of)
    pages = [Page._make(record[1]) for record in records.by_path.values()]
    broken = [(path, record[0]) for path, record in records.by_path.items() if record[0]]
    first: dict[str, str] = {}
    linked = {slug for page in pages for slug in page.links}  # nobody asks what a slug without links means
    shared = [
        Problem(page.path, 0, f"[[{page.slug}]] may also mean {first[page.slug]}: links count for both")
        for page in pages
        if page.slug in linked and first.setdefault(page.slug, page.path) != page.path
    ]
    return Vault(
        root=root,
        pages=pages,
        default_domains=default_domains(root),
        problems=(
            *listing.problems,
            *records.problems,
            *(Problem(path, line, message) for path, problems in broken for line, message, _ in problems),
            *shared,
        ),
        digests=records.digests,
        unsaved=records.unsaved,
    )


def seed_page(vault: Vault, named: str) -> Page:
    """The named page, anywhere in the vault. BrokenFile if its frontmatter cannot be read."""
    path = page_path(vault.root, named, "page")
    try:
        record = record_of(read_bytes(str(vault.root), path), path)
    except OSError as error:
        raise unreadable(path, error) from error
    for line, message, unread in record[0]:
        if unread:
            raise BrokenFile("page", path, line, message, hint="fix the frontmatter of this page")
    return Page._make(record[1])


def page_path(root: Path, named: str, field: str) -> str:
    """A file's path from the vault's folder; it may be named from the vault, from its wiki or from the working folder.

    NotFound if there is no such file; InvalidRequest if it is outside the vault.
    """
    if "\0" in named or not named.strip():
        raise InvalidRequest(field, f"{named!r} is not a valid path")
    real_root = Path(os.path.realpath(root))
    for place in (root, root / WIKI, Path.cwd()):
        target = Path(os.path.normpath(place / with_home(named)))
        if target.is_file():
            below = [target.relative_to(base) for base in (root, real_root) if target.is_relative_to(base)]
            if not below or not Path(os.path.realpath(target)).is_relative_to(real_root):
                raise InvalidRequest(field, f"{named} is outside the vault {root}")
            return below[0].as_posix()
    raise NotFound(f"there is no file {named} in {root}", hint="give a path relative to the vault: wiki/...")


def default_domains(root: Path) -> tuple[str, ...]:
    """`default-domains` of `vault.yaml`, folded, sorted; none without the file. BrokenFile names what is wrong."""
    data = Tree(root).read(SETTINGS, max_bytes=MAX_SETTINGS_BYTES)
    if data is None:
        return ()
    text, bad_line = decoded(data)
    if bad_line:
        raise BrokenFile("vault", SETTINGS, bad_line, "not valid UTF-8")
    source = text.replace("\r\n", "\n")
    try:
        value = frontmatter.mapping(source).get(DEFAULT_DOMAINS) or []
    except FrontmatterError as error:
        raise BrokenFile("vault", SETTINGS, error.line, error.message) from error
    values = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    if not all(isinstance(part, str) for part in values):
        line = frontmatter.line_of(source, DEFAULT_DOMAINS)
        raise BrokenFile("vault", SETTINGS, line, f"{DEFAULT_DOMAINS} is not a list of names")
    return distinct(folded(part).strip() for part in values)
