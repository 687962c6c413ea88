"""Indexes that stay open: each repository's newest generation, and the sessions that ask them."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_pack.kinds.code.repositories import Repositories
from context_pack.options.config_file import file_layer
from context_pack.options.resolve import Layer, resolve
from context_pack.session import Session, open_corpus

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index import Index
    from index.footprint import Footprint


@dataclass(frozen=True, slots=True)
class Opened:
    """One generation, what its tree looked like when it was opened, and the options that its repository sets."""

    corpus: Index
    footprint: Footprint
    layer: Layer


class Shelf:
    """What is open, by root; `options` are those of the server for each root."""

    def __init__(self, options: Mapping[str, Mapping[str, Any]]) -> None:
        self._options = {Path(root): {**own, "no_refresh": True} for root, own in options.items()}
        self._opened: dict[Path, Opened] = {}
        self._sessions: dict[tuple[object, object], Session] = {}  # of what is open, by roots and options

    def changed(self, roots: Mapping[str, Path]) -> list[str]:
        """The names of the repositories whose trees differ from what is open; nothing is opened to find out."""
        found = []
        for name, root in roots.items():
            opened = self._opened.get(root)
            if opened is not None and opened.footprint.changed():
                found.append(name)
        return found

    def session(self, roots: Mapping[str, Path], **options: object) -> Session:
        """A session over the newest generations; with several, paths start with their repository's name.

        IndexMissing where nothing is published, and whatever else opening an index may say.
        """
        opened = {name: self._newest(root) for name, root in roots.items()}
        asked = (tuple(roots.items()), tuple(options.items()))
        known = self._sessions.get(asked)
        if known is None:
            known = self._sessions[asked] = self._over(roots, opened, options)
        return known

    def _over(self, roots: Mapping[str, Path], opened: Mapping[str, Opened], options: Mapping[str, object]) -> Session:
        if len(opened) == 1:
            ((name, only),) = opened.items()
            return Session(only.corpus, only.layer, Layer({**self._options[roots[name]], **options}))
        corpora: dict[str, Corpus] = {name: one.corpus for name, one in opened.items()}
        common = next(iter(self._options.values()))
        notes = tuple(f"{name}: {note}" for name, one in opened.items() for note in one.layer.notes)
        return Session(Repositories(corpora), Layer({**common, **options}, notes=notes))

    def accept(self, roots: Mapping[str, Path]) -> None:
        """Take the trees as they are now for what is open: a comparison has found nothing to index in them."""
        for root in roots.values():
            opened = self._opened.get(root)
            if opened is not None:
                self._opened[root] = replace(opened, footprint=opened.corpus.footprint())

    def _newest(self, root: Path) -> Opened:
        opened = self._opened.get(root)
        if opened is not None and not opened.corpus.superseded():
            return opened
        layer = file_layer(root)
        corpus = open_corpus(root, resolve(layer, Layer(self._options[root])), serving=True)
        self._opened[root] = Opened(corpus, corpus.footprint(), layer)
        self._sessions.clear()
        gc.collect()  # the generation before it, with its maps
        return self._opened[root]
