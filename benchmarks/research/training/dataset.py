"""The vocabulary of the training repositories, and the mined pairs as CSR arrays over its rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from index.embed.static import NAME_WEIGHT

Array = npt.NDArray[Any]

HASHED_ROWS = 8192
MIN_REPOSITORIES = 2
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms sorted by their UTF-8 bytes, with the commonest spelling and the document frequency (0..1) of each."""

    terms: list[str]
    forms: list[str]
    frequency: Array

    @property
    def rows(self) -> int:
        return len(self.terms) + HASHED_ROWS

    def row_of(self, terms: Sequence[str]) -> Array:
        """int32[n]: each term's row; terms outside the vocabulary share the hashed rows (as in index.embed.static)."""
        place = {term: number for number, term in enumerate(self.terms)}
        size = len(self.terms)
        return np.array(
            [place[term] if term in place else size + crc32(term.encode()) % HASHED_ROWS for term in terms], np.int32
        )


@dataclass(frozen=True, slots=True)
class Rows:
    """CSR without a width: row i is `ids[indptr[i]:indptr[i + 1]]`, with the `values` of the same range."""

    indptr: Array
    ids: Array
    values: Array

    def take(self, rows: Array) -> Rows:
        starts, lengths = self.indptr[rows], np.diff(self.indptr)[rows]
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        at = np.arange(indptr[-1]) + np.repeat(starts - indptr[:-1], lengths)
        return Rows(indptr, self.ids[at], self.values[at])


@dataclass(frozen=True, slots=True)
class Pairs:
    """n pairs: question terms, body terms (values log2(1 + tf)), path terms (as index.embed.static counts them)."""

    question: Rows
    body: Rows
    path: Rows
    kind: Array
    place: Array
    question_text: Array
    repository: Array

    def __len__(self) -> int:
        return len(self.kind)

    def take(self, rows: Array) -> Pairs:
        parts = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Pairs(
            **{name: part.take(rows) if isinstance(part, Rows) else part[rows] for name, part in parts.items()}
        )


def repository_files(folder: Path, slugs: Iterable[str]) -> list[Path]:
    return [folder / f"{slug.replace('/', '+')}.npz" for slug in sorted(slugs)]


def development_repositories() -> list[str]:
    """The held-out training repositories: settings are chosen on them, and no run trains on them."""
    return list(json.loads((HERE / "development.json").read_text())["repositories"])


def build_vocabulary(files: Sequence[Path], size: int) -> Vocabulary:
    """The `size` terms in most repositories (then in most documents), without terms of only one repository."""
    repositories: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = {}
    total = 0
    for file in files:
        arrays = np.load(file)
        terms, written = arrays["terms"].tolist(), arrays["forms"].tolist()
        frequency = np.bincount(arrays["body_ids"], minlength=len(terms))
        total += len(arrays["kind"])
        for term, form, count in zip(terms, written, frequency.tolist(), strict=True):
            repositories[term] += 1
            documents[term] += count
            forms.setdefault(term, Counter())[form] += 1
    shared = [term for term, count in repositories.items() if count >= MIN_REPOSITORIES and "\n" not in term]
    shared.sort(key=lambda term: (-repositories[term], -documents[term], term))
    terms = sorted(shared[:size], key=lambda term: term.encode())
    commonest = [max(forms[term].items(), key=lambda item: (item[1], item[0]))[0] for term in terms]
    return Vocabulary(terms, commonest, np.array([documents[term] for term in terms]) / total)


def load_pairs(files: Sequence[Path], vocabulary: Vocabulary) -> Pairs:
    """All pairs of these repositories, one repository after the other."""
    parts = [_load(file, number, vocabulary) for number, file in enumerate(files)]
    return Pairs(
        *(_concatenate([getattr(part, name) for part in parts]) for name in ("question", "body", "path")),
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("kind", "place", "question_text", "repository")
        ),
    )


def _load(file: Path, number: int, vocabulary: Vocabulary) -> Pairs:
    arrays = np.load(file)
    rows = vocabulary.row_of(arrays["terms"].tolist())
    kind = arrays["kind"]

    def field(name: str, values: Array | float) -> Rows:
        ids = rows[arrays[f"{name}_ids"]]
        return Rows(arrays[f"{name}_indptr"], ids, np.broadcast_to(np.float32(values), len(ids)).astype(np.float32))

    path = _hstack(field("folder", 1.0), field("name", NAME_WEIGHT))
    body = field("body", np.log2(1.0 + np.minimum(arrays["body_tf"], 255)))
    place = arrays["place"].astype(np.int64) + number * 10_000_000
    return Pairs(field("question", 1.0), body, path, kind, place, arrays["question_text"], np.full(len(kind), number))


def _hstack(left: Rows, right: Rows) -> Rows:
    """Each row has the entries of `left`, then those of `right`."""
    lengths = np.stack([np.diff(left.indptr), np.diff(right.indptr)])
    indptr = np.concatenate([[0], np.cumsum(lengths.sum(axis=0))])
    owner = np.concatenate([np.repeat(np.arange(lengths.shape[1]), row) for row in lengths])
    order = np.argsort(owner, kind="stable")
    ids, values = np.concatenate([left.ids, right.ids]), np.concatenate([left.values, right.values])
    return Rows(indptr, ids[order], values[order])


def _concatenate(parts: Sequence[Rows]) -> Rows:
    starts = np.cumsum([0, *(part.indptr[-1] for part in parts)])
    indptr = np.concatenate([[0], *(part.indptr[1:] + start for part, start in zip(parts, starts, strict=False))])
    return Rows(
        indptr.astype(np.int64),
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.values for part in parts]),
    )
