"""What a vault's index is filled with; and filling it in a process of its own, after the answer.

A first question is answered from the pages as they were read. The index, which makes the next ones quick, is left to
`python -m context_pack.corpora.vault.filling ROOT`, which outlives the answer. Killed at any instant, it leaves no
index, and the next question does as the first did.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from context_pack.corpora.cached import digest_of
from context_pack.corpora.files import read_bytes
from context_pack.corpora.vault.pages import from_record, record_of
from context_pack.corpora.vault.reading import KIND, Vault, read_vault
from context_pack.corpora.vault.search_index import PageIndex
from context_pack.corpora.vault.search_tables import Row, Source, row_of
from contracts.errors import CtxpackError
from index import background


def source_of(vault: Vault) -> Source:
    """The pages of a vault, read again as far as they are asked for."""
    root = str(vault.root)
    known = {page.path: page for page in vault.pages}
    digests = vault.digests()

    def row(path: str) -> Row:
        data = read_bytes(root, path)
        digest = digest_of(data)
        page = known[path] if digest == digests[path] else from_record(record_of(data, path))
        return row_of(page, digest, data)

    return Source(vault.content, lambda: digests, row)


def start_later(root: Path) -> None:
    """Start the process that fills the index of a vault, and do not wait for it."""
    background.start("context_pack.corpora.vault.filling", str(root))


def main(root: Path) -> None:
    os.nice(10)
    vault = read_vault(root)
    PageIndex(KIND, str(root)).refresh(source_of(vault))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except CtxpackError as error:
        sys.exit(f"{error.code}: {error.message}")
