"""What is measured of every file and chunk for a query, all at once in numpy.

Signals are plain numbers with a meaning of their own; what each is worth is learned apart from them (rank.py).
Coverage is always the share of the query's idf: 1.0 means that every term of the query was found there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from index.analysis import parts_of
from index.arithmetic import cosines, log1p, weighted_sum
from index.columns import Array
from index.corpus import Corpus
from index.lexical import K1, Postings, idf
from index.query import Query

if TYPE_CHECKING:
    from index.second_model.chunk_vectors import ChunkVectors

FILE_SIGNALS = (
    "dense_mass", "language", "bm25_chunk", "bm25_file", "bm25_rank", "cover_chunk", "cover_names", "cover_best_name",
    "cover_signature", "cover_doc", "cover_file_name", "cover_folder", "name_precision", "compound_name",
    "compound_body", "compound_path", "defines", "dense_chunk", "dense_file", "neighbours", "tested_by",
    "test", "aside", "generated", "entry", "imported_by", "size", "depth", "prose",
    "transformer_chunk",
)  # fmt: skip
CHUNK_SIGNALS = (
    "cover", "cover_names", "cover_signature", "cover_doc", "compound_body", "defines", "dense", "length", "part",
    "called_by", "transformer",
)  # fmt: skip
EVIDENCE_SIGNALS = (
    "known", "terms", "named", "cover_chunk", "cover_file", "cover_names", "cover_file_name", "cover_doc", "compound",
    "cosine", "cosine_usual", "dense", "match", "match_best", "match_around", "names",
)  # fmt: skip
# Query terms that take back what speaks against a kind of file.
ASKED_FOR = {
    "test": frozenset("test spec fixtur mock assert".split()),
    "aside": frozenset("exampl sampl demo benchmark script tool doc legaci deprec vendor".split()),
    "generated": frozenset("generat".split()),
    "prose": frozenset("readm changelog doc document guid tutori licens".split()),
}
_SAMPLED = 4096  # vectors that tell what an average cosine is, where measuring all would take too long
_UNKNOWN_IDF = 0.5  # an unknown term weighs half of the rarest: it may be a typo as well as the point


@dataclass(frozen=True, slots=True)
class Measured:
    """All signals of one query: name -> float32[files], name -> float32[chunks]. `idf_sum` is 0 without known terms."""

    file: dict[str, Array]
    chunk: dict[str, Array]
    matched: Array  # files that hold any term of the query
    idf_sum: float
    evidence: dict[str, float]  # what speaks for this repository having an answer at all: EVIDENCE_SIGNALS


def measure(
    corpus: Corpus, query: Query, vector: Array | None, only: Array | None = None, second: Array | None = None
) -> Measured:
    """Every signal of every file and chunk for this query. `vector` is the query's embedding, if there is a model.

    `second` is what a transformer beside that model says of each chunk (`second_dense`); without it nothing is said.

    With `only` (chunk numbers), meaning is measured of these chunks alone; the others count as average.
    """
    known, weights, total = _weighed(corpus, query)
    share = (weights / total).astype(np.float32)

    chunk, file = _lexical_signals(corpus, known, weights, share)
    _compound_signals(corpus, query, chunk, file)
    _defined_signals(corpus, query, chunk, file)
    cosine, usual = _dense_signals(corpus, vector, only, chunk, file)
    chunk["transformer"] = second if second is not None else np.zeros(corpus.chunks, np.float32)
    file["transformer_chunk"] = np.zeros(corpus.files, np.float32) if second is None else corpus.per_file_max(second)
    file.update(corpus.static)
    asked = set(query.terms)
    file["language"] = corpus.speaks(asked)
    for name, words in ASKED_FOR.items():
        if asked & words:  # who asks for tests wants them
            file[name] = np.zeros(corpus.files, np.float32)
    _neighbour_signals(corpus, file)
    chunk.update(corpus.chunk_priors)
    evidence = {
        "known": float(weights.sum()) / total,
        "terms": float(len(query.terms)),
        "named": _named(corpus, query),
        "compound": _top(file["compound_name"] + file["compound_path"] + file["compound_body"]),
        "cosine": cosine,
        "cosine_usual": usual,
        "dense": _top(file["dense_chunk"]),
        **{
            name: _top(file[name])
            for name in ("cover_chunk", "cover_file", "cover_names", "cover_file_name", "cover_doc")
        },
    }
    return Measured(file, chunk, file["cover_file"] > 0, float(weights.sum()), evidence)


def _weighed(corpus: Corpus, query: Query) -> tuple[list[int], Array, float]:
    """(the terms that stand somewhere, the idf of each, the idf of all terms together)."""
    lexical = corpus.lexical
    known = lexical.held(query.terms)
    body = lexical.fields["body"]
    frequency = np.array([body.indptr[number + 1] - body.indptr[number] for number in known], np.float64)
    weights = idf(corpus.chunks, frequency)
    unknown = (len(query.terms) - len(known)) * float(log1p(np.array(2 * corpus.chunks + 1))) * _UNKNOWN_IDF
    return known, weights, max(float(weights.sum()) + unknown, 1e-9)


def _named(corpus: Corpus, query: Query) -> float:
    """Of the names that only code spells so: 2 one is defined here, 1 one is used, -1 none is, 0 none was asked for."""
    spelled = query.spelled()
    names = [number for number in map(corpus.snapshot.segment.names.find, spelled) if number >= 0]
    if names and np.isin(corpus.definitions.name, names).any():
        return 2.0
    if corpus.lexical.held(["".join(parts_of(word)) for word in spelled]):
        return 1.0
    return -1.0 if spelled else 0.0


def coverage(corpus: Corpus, query: Query) -> tuple[Array, Array]:
    """float32[chunks] twice: how much of the query each chunk's text covers, and how much the names in it do."""
    known, weights, total = _weighed(corpus, query)
    share = (weights / total).astype(np.float32)
    body, named = (
        _coverage(corpus.lexical.fields[field], known, share, corpus.chunks)[0] for field in ("body", "named")
    )
    return body, named


def _top(values: Array) -> float:
    return float(values.max()) if len(values) else 0.0


def _gather(field: Postings, terms: list[int]) -> tuple[Array, Array]:
    """(rows, position of the term in `terms`) of all postings of these terms."""
    runs = [field.of(term) for term in terms]
    rows = np.concatenate(runs) if runs else np.zeros(0, np.int32)
    return rows, np.repeat(np.arange(len(terms)), [len(run) for run in runs])


def _coverage(field: Postings, terms: list[int], share: Array, size: int) -> tuple[Array, Array, Array]:
    """(coverage of each row, rows, term positions)."""
    rows, which = _gather(field, terms)
    return np.bincount(rows, share[which], size).astype(np.float32), rows, which


def _file_coverage(corpus: Corpus, rows: Array, which: Array, share: Array) -> Array:
    """Coverage of each file by the union of its chunks."""
    present = np.zeros((len(share), corpus.files), np.float32)
    present[which, corpus.chunk_file[rows]] = 1
    return weighted_sum(share, present).astype(np.float32)


def _lexical_signals(
    corpus: Corpus, terms: list[int], weights: Array, share: Array
) -> tuple[dict[str, Array], dict[str, Array]]:
    lexical = corpus.lexical
    body = lexical.fields["body"]
    cover, rows, which = _coverage(body, terms, share, corpus.chunks)
    tf = np.concatenate([body.weights_of(term) for term in terms]) if terms else np.zeros(0, np.uint8)
    tf = tf.astype(np.float32)
    bm25 = np.bincount(rows, weights[which] * tf * (K1 + 1) / (tf + lexical.norm[rows]), corpus.chunks)
    in_file = np.bincount(which * corpus.files + corpus.chunk_file[rows], tf, len(terms) * corpus.files)
    in_file = in_file.reshape(len(terms), corpus.files)
    bm25_file = weighted_sum(weights, in_file * (K1 + 1) / (in_file + corpus.file_norm))
    chunk = {"bm25": _relative(bm25), "cover": cover}
    best = corpus.per_file_max(chunk["bm25"])
    file = {
        "bm25_chunk": best,
        "bm25_file": _relative(bm25_file),
        "bm25_rank": _reciprocal_rank(bm25_file),
        "cover_file": weighted_sum(share, in_file > 0).astype(np.float32),
        "cover_chunk": corpus.per_file_max(cover),
    }
    for name, field in (("cover_names", "named"), ("cover_signature", "signature"), ("cover_doc", "doc")):
        chunk[name], rows, which = _coverage(lexical.fields[field], terms, share, corpus.chunks)
        file[name] = _file_coverage(corpus, rows, which, share)
    file["cover_best_name"] = corpus.per_file_max(chunk["cover_names"])
    _path_signals(corpus, terms, share, file)
    return chunk, file


def _path_signals(corpus: Corpus, terms: list[int], share: Array, file: dict[str, Array]) -> None:
    path = corpus.lexical.path
    rows, which = _gather(path, terms)
    in_name = np.concatenate([path.weights_of(term) for term in terms]).astype(bool) if terms else np.zeros(0, bool)
    file["cover_file_name"] = np.bincount(rows[in_name], share[which[in_name]], corpus.files).astype(np.float32)
    file["cover_folder"] = np.bincount(rows[~in_name], share[which[~in_name]], corpus.files).astype(np.float32)
    found = np.bincount(rows[in_name], minlength=corpus.files)
    file["name_precision"] = (found / np.maximum(_name_lengths(corpus), 1)).astype(np.float32)


def _name_lengths(corpus: Corpus) -> Array:
    lengths = corpus.static.get("name_terms")
    if lengths is None:
        segment = corpus.snapshot.segment
        file = np.repeat(np.arange(corpus.files), np.diff(segment.rows["path"]))
        lengths = np.bincount(file, segment.array("path.in_name"), corpus.files)
        corpus.static["name_terms"] = lengths
    return lengths


def _compound_signals(corpus: Corpus, query: Query, chunk: dict[str, Array], file: dict[str, Array]) -> None:
    """How many neighbouring words of the query stand run together as a name: `embedding cache` as EmbeddingCache."""
    lexical = corpus.lexical
    known = [number for number in lexical.numbers_of(list(query.compounds)) if number >= 0]
    for name, field in (("compound_name", "named"), ("compound_body", "body")):
        rows, _ = _gather(lexical.fields[field], known)
        chunk[name] = np.bincount(rows, minlength=corpus.chunks).astype(np.float32)
        file[name] = corpus.per_file_max(chunk[name])
    rows, _ = _gather(lexical.path, known)
    file["compound_path"] = np.bincount(rows, minlength=corpus.files).astype(np.float32)


def _defined_signals(corpus: Corpus, query: Query, chunk: dict[str, Array], file: dict[str, Array]) -> None:
    """Which chunks define a name that the query spells as it stands in code."""
    segment = corpus.snapshot.segment
    chunk["defines"] = np.zeros(corpus.chunks, np.float32)
    wanted = [number for number in (segment.names.find(word) for word in query.identifiers) if number >= 0]
    if wanted:
        found = np.isin(corpus.definitions.name, wanted)
        chunk["defines"][corpus.definitions.chunk[found]] = 1
    file["defines"] = corpus.per_file_max(chunk["defines"])


def _dense_signals(
    corpus: Corpus, vector: Array | None, only: Array | None, chunk: dict[str, Array], file: dict[str, Array]
) -> tuple[float, float]:
    """Cosines standardised within the query, so that one table serves every model. (the best plain one, their mean)."""
    cosine, usual = _cosines(corpus, vector, only)
    chunk["dense"] = _standardised(cosine, usual)
    file["dense_chunk"] = corpus.per_file_max(chunk["dense"])
    file["dense_file"] = corpus.per_file_mean(chunk["dense"])
    file["dense_mass"] = log1p(corpus.per_file_sum(np.maximum(chunk["dense"] - 1, 0))).astype(np.float32)
    return _top(cosine), round(float(usual.mean(dtype=np.float64)), 4) if len(usual) else 0.0


def second_dense(corpus: Corpus, vectors: ChunkVectors, query_vector: Array) -> Array:
    """float32[chunks]: the cosines of another model, standardised among the chunks that have a vector.

    A chunk without one counts as average, which is 0; so does every chunk until there are `enough` vectors.
    """
    covered = vectors.covered
    found = np.zeros(corpus.chunks, np.float32)
    if vectors.enough:
        cosine = cosines(vectors.matrix, query_vector)
        found[covered] = _standardised(cosine[covered], cosine[covered])
    return found


def _cosines(corpus: Corpus, vector: Array | None, only: Array | None) -> tuple[Array, Array]:
    """(dot product of each chunk, those that tell what is usual): all, or a sample where only some are measured."""
    if vector is None or not corpus.chunks or corpus.vectors.shape[1] != len(vector):
        nothing = np.zeros(corpus.chunks, np.float32)
        return nothing, nothing
    if only is None:
        cosine = cosines(corpus.vectors, vector)
        return cosine, cosine
    usual = cosines(corpus.vectors[:: max(1, corpus.chunks // _SAMPLED)], vector)
    cosine = np.full(corpus.chunks, usual.mean(), np.float32)
    cosine[only] = cosines(corpus.vectors[only], vector)
    return cosine, usual


def _neighbour_signals(corpus: Corpus, file: dict[str, Array]) -> None:
    """How well the files that this one imports, is imported by, or is tested by match the query."""
    strength = file["bm25_file"]
    best = np.zeros(corpus.files, np.float32)
    tested = np.zeros(corpus.files, np.float32)
    for edges in (corpus.imports_out, corpus.imports_in):
        near = np.repeat(np.arange(corpus.files), np.diff(edges.indptr))
        np.maximum.at(best, near, strength[edges.node])
    tests = corpus.imports_in.label == 5
    np.maximum.at(tested, near[tests], strength[corpus.imports_in.node[tests]])
    file["neighbours"] = best
    file["tested_by"] = tested


def _standardised(values: Array, usual: Array) -> Array:
    """Distance from the mean of the usual values in their standard deviations, to four digits: the rest is noise."""
    if not len(values):
        return values
    mean = usual.mean()
    deviation = float(np.sqrt(np.square(usual - mean).sum() / len(usual)))
    return np.round((values - mean) / np.float32(deviation), 4) if deviation > 1e-6 else np.zeros_like(values)


def _relative(scores: Array) -> Array:
    """Scores as shares of the best one."""
    top = float(scores.max()) if len(scores) else 0.0
    return (scores / top if top > 0 else scores).astype(np.float32)


def _reciprocal_rank(scores: Array) -> Array:
    """1 / (rank from 1), ties sharing the better rank; 0 where the score is not positive."""
    order = np.sort(scores)[::-1]
    rank = np.searchsorted(-order, -scores, side="left") + 1
    return np.where(scores > 0, 1.0 / rank, 0.0).astype(np.float32)
