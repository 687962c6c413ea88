"""The signals of files and chunks for a query, measured for all of them at once in numpy.

Coverage is always a share of the query's idf: 1.0 means that every term of the query occurs.
"""

from __future__ import annotations

from functools import cached_property
from weakref import proxy

import numpy as np

from index.arithmetic import cosines, log1p, standardised, sums_at
from index.collection.collection import Collection
from index.lexical import K1
from index.search.query import Query
from index.search.signals import Signal, Signals, Values, by_name
from index.segment.columns import Array
from index.types import FileId

# Query terms that make a kind of file as good as any other: a question about tests wants tests.
WANTED_BY = {
    "test": frozenset("test spec fixtur mock assert".split()),
    "aside": frozenset("exampl sampl demo benchmark script tool doc legaci deprec vendor migrat translat i18n".split()),
    "generated": frozenset("generat".split()),
    "setting": frozenset(
        "config configur set port environ env variabl default properti profil docker compos yaml yml version".split()
    ),
    "prose": frozenset("readm changelog doc document guid tutori licens".split()),
}
MIN_NAME = 2  # terms of a file name, all of which a query must contain to ask for the file
NAMESAKES = 3  # a name that more files have means none of them


class Measurement:
    """One query measured against a collection: `file` and `chunk` map signals to float32 arrays.

    `vector` is the query's embedding, if there is a model. `second` is the signal of a transformer for each chunk
    (`second_dense`), zeros without one.
    """

    def __init__(self, collection: Collection, query: Query, vector: Array | None, second: Array | None = None) -> None:
        self.collection = collection
        self.query = query
        self.vector = vector
        self.terms = collection.query_terms(query.terms, query.leading)
        self.second = np.zeros(len(collection.chunks), np.float32) if second is None else second
        source = proxy(self)  # a cycle would keep the arrays of every question until it is garbage-collected
        self.file: Values[Array] = Values(FILE_SIGNALS, source, len(collection.files))
        self.chunk: Values[Array] = Values(CHUNK_SIGNALS, source, len(collection.chunks))

    @cached_property
    def bm25(self) -> Array:
        """float32[chunks]: BM25 as a share of the best score."""
        return _relative(self.terms.bm25())

    @cached_property
    def bm25_of_files(self) -> Array:
        """float64[files]: BM25 of each file as one text."""
        term, file, tf = self._body
        norm = self.collection.file_norm[file]
        return sums_at(file, self.terms.weights[term] * (tf * (K1 + 1) / (tf + norm)), len(self.collection.files))

    @cached_property
    def cover_file(self) -> Array:
        """float32[files]: the share of the query that occurs anywhere in each file."""
        term, file, _ = self._body
        return sums_at(file, self.terms.share.astype(np.float64)[term], len(self.collection.files)).astype(np.float32)

    def cover_field(self, field: str) -> Array:
        """float32[files]: the share of the query that occurs in a field of any chunk of each file."""
        postings, share = self.terms.rows(field), self.terms.share.astype(np.float64)
        contains = np.zeros((len(share), len(self.collection.files)), bool)
        contains[postings.term, self.collection.chunks.file[postings.rows]] = True
        # The sums of float32 shares are exact in float64, whatever their order.
        return np.einsum("t,tf->f", share, contains).round(9).astype(np.float32)

    @cached_property
    def _body(self) -> tuple[Array, Array, Array]:
        """(term, file, frequency) of every term in every file that contains it, sorted by term, then file."""
        postings, terms, files = self.terms.rows("body"), len(self.terms.weights), len(self.collection.files)
        file = self.collection.chunks.file[postings.rows]
        cells = np.bincount(postings.term * files + file, postings.weights, terms * files)
        filled = cells.nonzero()[0]
        first = np.arange(terms + 1) * files
        bounds = filled.searchsorted(first)
        term = np.arange(terms).repeat(bounds[1:] - bounds[:-1])
        return term, filled - first[term], cells[filled]

    def cover_path(self, *, in_name: bool) -> Array:
        """float32[files]: the share of the query that occurs in the name of each file, or in its folders."""
        path = self.terms.rows("path")
        part = (path.weights > 0) == in_name
        covered = np.bincount(path.rows[part], self.terms.share[path.term[part]], len(self.collection.files))
        return covered.astype(np.float32)

    @cached_property
    def compounds(self) -> Array:
        """int64: the term numbers of the query's compounds that occur in the collection."""
        numbers = np.array(self.collection.lexical.numbers_of(self.query.compounds), np.int64)
        return numbers[numbers >= 0]

    def compounds_in(self, field: str) -> Array:
        """float32[chunks]: the number of the query's compounds in a field of each chunk: `embeddingcache` for
        `embedding cache`."""
        rows = self.collection.lexical.fields[field].of_all(self.compounds).rows
        return np.bincount(rows, minlength=len(self.collection.chunks)).astype(np.float32)

    @cached_property
    def cosine(self) -> Array:
        """float32[chunks]: the cosine of each chunk and the query; zeros without a vector of the same dimensions."""
        collection = self.collection
        if self.vector is None or not len(collection.chunks) or collection.vectors.shape[1] != len(self.vector):
            return np.zeros(len(collection.chunks), np.float32)
        return cosines(collection.vectors, self.vector)

    def of_kind(self, kind: str) -> Array:
        """float32[files]: 1 for files of a kind, unless the query asks for that kind."""
        signal = self.collection.static[kind]
        return np.zeros_like(signal) if self.wants(kind) else signal

    def wants(self, kind: str) -> bool:
        """Whether the query asks for a kind of file."""
        return not WANTED_BY[kind].isdisjoint(self.query.terms)


def _bm25_rank(of: Measurement) -> Array:
    """1 / rank, counted from 1; ties share the better rank; 0 if BM25 is not positive."""
    scores = of.bm25_of_files
    ranks = np.zeros(len(scores), np.float32)
    some = (scores > 0).nonzero()[0]
    falling = -scores[some]
    ranks[some] = 1.0 / (np.sort(falling).searchsorted(falling) + 1)
    return ranks


def _name_precision(of: Measurement) -> Array:
    """The share of the terms of each file's name that the query contains."""
    path = of.terms.rows("path")
    named = np.bincount(path.rows[path.weights > 0], minlength=len(of.collection.files))
    return (named / of.collection.name_terms).astype(np.float32)


def _aside(of: Measurement) -> Array:
    """1 for examples, scripts and the like, except data whose whole name the query has: `docker-compose.search.yml`."""
    named = (of.file["name_precision"] == 1) & (of.collection.name_terms >= MIN_NAME) & of.collection.data
    return of.of_kind("aside") * ~named


def _compound_path(of: Measurement) -> Array:
    rows = of.collection.lexical.fields["path"].of_all(of.compounds).rows
    return np.bincount(rows, minlength=len(of.collection.files)).astype(np.float32)


def _defines(of: Measurement) -> Array:
    """1 for files that define a name that the query spells exactly as the code does."""
    collection = of.collection
    files = np.zeros(len(collection.files), np.float32)
    for name in of.query.identifiers:
        files[collection.chunks.file[collection.definitions.chunk[collection.definitions.of(name)]]] = 1
    return files


def named_files(collection: Collection, query: Query) -> list[FileId]:
    """The files whose path, or the end of it, is among the words of a query."""
    places = map(collection.files.names.ending, query.paths)
    return [file for files in places if len(files) <= NAMESAKES for file in files]


def _path(of: Measurement) -> Array:
    files = np.zeros(len(of.collection.files), np.float32)
    files[named_files(of.collection, of.query)] = 1
    return files


def _dense_file(of: Measurement) -> Array:
    counts = np.maximum(of.collection.files.chunk_count, 1).astype(np.float32)
    return of.collection.per_file_sum(of.chunk["dense"]) / counts


def _dense_mass(of: Measurement) -> Array:
    return log1p(of.collection.per_file_sum(np.maximum(of.chunk["dense"] - 1, 0))).astype(np.float32)


def _best_of(pairs: tuple[Array, Array], values: Array) -> Array:
    """The largest value among the files that each file is paired with; zero for a file without pairs."""
    largest = np.zeros(len(values), np.float32)
    np.maximum.at(largest, pairs[0], values[pairs[1]])
    return largest


def _relative(scores: Array) -> Array:
    """Scores as shares of the best one."""
    top = float(scores.max()) if len(scores) else 0.0
    return (scores / top if top > 0 else scores).astype(np.float32)


FILE_SIGNALS: Signals[Measurement, Array] = by_name(
    Signal("dense_mass", _dense_mass),
    Signal("bm25_chunk", lambda of: of.collection.per_file_max(of.bm25), 1),
    Signal("bm25_file", lambda of: _relative(of.bm25_of_files), 1),
    Signal("bm25_rank", _bm25_rank),
    Signal("cover_chunk", lambda of: of.collection.per_file_max(of.chunk["cover"]), 1),
    Signal("cover_names", lambda of: of.cover_field("named"), 1),
    Signal("cover_best_name", lambda of: of.collection.per_file_max(of.chunk["cover_names"]), 1),
    Signal("cover_signature", lambda of: of.cover_field("signature"), 1),
    Signal("cover_doc", lambda of: of.cover_field("doc"), 1),
    Signal("cover_file_name", lambda of: of.cover_path(in_name=True), 1),
    Signal("cover_folder", lambda of: of.cover_path(in_name=False)),
    Signal("name_precision", _name_precision),
    Signal("path", _path, 1),
    Signal("compound_name", lambda of: of.collection.per_file_max(of.compounds_in("named")), 1),
    Signal("compound_body", lambda of: of.collection.per_file_max(of.chunk["compound_body"]), 1),
    Signal("compound_path", _compound_path, 1),
    Signal("defines", _defines, 1),
    Signal("dense_chunk", lambda of: of.collection.per_file_max(of.chunk["dense"]), 1),
    Signal("dense_file", _dense_file, 1),
    Signal("neighbours", lambda of: _best_of(of.collection.imports, of.file["bm25_file"]), 1),
    Signal("tested_by", lambda of: _best_of(of.collection.tests, of.file["bm25_file"]), 1),
    Signal("test", lambda of: of.of_kind("test")),
    Signal("aside", _aside),
    Signal("generated", lambda of: of.of_kind("generated")),
    Signal("entry", lambda of: of.collection.static["entry"]),
    Signal("imported_by", lambda of: of.collection.static["imported_by"]),
    Signal("size", lambda of: of.collection.static["size"]),
    Signal("prose", lambda of: of.of_kind("prose")),
)

CHUNK_SIGNALS: Signals[Measurement, Array] = by_name(
    Signal("cover", lambda of: of.terms.coverage("body"), 1),
    Signal("cover_names", lambda of: of.terms.coverage("named"), 1),
    Signal("cover_signature", lambda of: of.terms.coverage("signature"), 1),
    Signal("compound_body", lambda of: of.compounds_in("body"), 1),
    # Standardised within the query, so that one table serves every model.
    Signal("dense", lambda of: standardised(of.cosine, of.cosine), 1),
    Signal("length", lambda of: of.collection.chunk_priors["length"]),
)


def second_dense(vectors: Array, covered: Array, query_vector: Array) -> Array:
    """float32[chunks]: the cosines of another model, standardised among the `covered` chunks, which have a vector.

    The others count as average, which is 0.
    """
    values = np.zeros(len(covered), np.float32)
    cosine = cosines(vectors, query_vector)
    values[covered] = standardised(cosine[covered], cosine[covered])
    return values
