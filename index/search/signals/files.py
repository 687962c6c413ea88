"""What is measured of every file and chunk for a query, all at once in numpy.

Signals are plain numbers with a meaning of their own; what each is worth is learned apart from them (rank.py).
Coverage is always the share of the query's idf: 1.0 means that every term of the query was found there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.arithmetic import cosines, log1p, standardised, sums_at
from index.collection.collection import Corpus
from index.lexical import K1, KnownTerms, TermRows
from index.search.query import Query
from index.segment.columns import Array
from index.text import parts_of

FILE_SIGNALS = (
    "dense_mass", "bm25_chunk", "bm25_file", "bm25_rank", "cover_chunk", "cover_names", "cover_best_name",
    "cover_signature", "cover_doc", "cover_file_name", "cover_folder", "name_precision", "compound_name",
    "compound_body", "compound_path", "defines", "dense_chunk", "dense_file", "neighbours", "tested_by",
    "test", "aside", "generated", "entry", "imported_by", "size", "prose",
    "transformer_chunk",
)  # fmt: skip
CHUNK_SIGNALS = (
    "cover", "cover_names", "cover_signature", "compound_body", "dense", "length", "part", "called_by", "transformer",
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


@dataclass(frozen=True, slots=True)
class Measured:
    """All signals of one query: name -> float32[files], name -> float32[chunks]."""

    file: dict[str, Array]
    chunk: dict[str, Array]
    matched: Array  # files that hold any term of the query
    known: KnownTerms
    evidence: dict[str, float]  # what speaks for this repository having an answer at all: EVIDENCE_SIGNALS


def measure(
    corpus: Corpus, query: Query, vector: Array | None, only: Array | None = None, second: Array | None = None
) -> Measured:
    """Every signal of every file and chunk for this query. `vector` is the query's embedding, if there is a model.

    `second` is what a transformer beside that model says of each chunk (`second_dense`); without it nothing is said.

    With `only` (chunk numbers), meaning is measured of these chunks alone; the others count as average.
    """
    known = corpus.known_terms(query.terms)
    chunk, file = _lexical_signals(corpus, known)
    _compound_signals(corpus, query, chunk, file)
    file["defines"] = _defines(corpus, query)
    cosine, usual = _dense_signals(corpus, vector, only, chunk, file)
    chunk["transformer"] = second if second is not None else np.zeros(corpus.chunks, np.float32)
    file["transformer_chunk"] = np.zeros(corpus.files, np.float32) if second is None else corpus.per_file_max(second)
    file.update(corpus.static)
    for name, words in ASKED_FOR.items():
        if words.intersection(query.terms):  # who asks for tests wants them
            file[name] = np.zeros(corpus.files, np.float32)
    file["neighbours"] = _best_of(corpus.imports, file["bm25_file"])
    file["tested_by"] = _best_of(corpus.tests, file["bm25_file"])
    chunk.update(corpus.chunk_priors)
    evidence = {
        "known": known.idf_sum / known.total,
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
    return Measured(file, chunk, file["cover_file"] > 0, known, evidence)


def _named(corpus: Corpus, query: Query) -> float:
    """Of the names that only code spells so: 2 one is defined here, 1 one is used, -1 none is, 0 none was asked for."""
    spelled = query.spelled()
    if not spelled:
        return 0.0
    names = [number for number in map(corpus.snapshot.segment.names.find, spelled) if number >= 0]
    if names and np.isin(corpus.definitions.name, names).any():
        return 2.0
    return 1.0 if corpus.known_terms(tuple("".join(parts_of(word)) for word in spelled)).terms else -1.0


def _top(values: Array) -> float:
    return float(values.max()) if len(values) else 0.0


def _in_files(corpus: Corpus, found: TermRows, terms: int) -> tuple[Array, Array, Array]:
    """(place of the term, file, how often it stands there) of every term and file that holds it, term by term."""
    at = found.term * corpus.files + corpus.chunk_file[found.rows]
    counts = np.bincount(at, found.weights, terms * corpus.files)
    held = counts.nonzero()[0]
    first = np.arange(terms + 1) * corpus.files
    bounds = held.searchsorted(first)
    term = np.arange(terms).repeat(bounds[1:] - bounds[:-1])
    return term, held - first[term], counts[held]


def _lexical_signals(corpus: Corpus, known: KnownTerms) -> tuple[dict[str, Array], dict[str, Array]]:
    files, weights = corpus.files, known.weights
    share = known.share.astype(np.float64)
    term, file_of, tf = _in_files(corpus, known.rows("body"), len(weights))
    bm25_file = sums_at(file_of, weights[term] * (tf * (K1 + 1) / (tf + corpus.file_norm[file_of])), files)
    chunk = {"bm25": _relative(known.bm25()), "cover": known.coverage("body")}
    file = {
        "bm25_chunk": corpus.per_file_max(chunk["bm25"]),
        "bm25_file": _relative(bm25_file),
        "bm25_rank": _reciprocal_rank(bm25_file),
        "cover_file": sums_at(file_of, share[term], files).astype(np.float32),
        "cover_chunk": corpus.per_file_max(chunk["cover"]),
    }
    chunk |= {"cover_names": known.coverage("named"), "cover_signature": known.coverage("signature")}
    for name, field in (("cover_names", "named"), ("cover_signature", "signature"), ("cover_doc", "doc")):
        term, file_of, _ = _in_files(corpus, known.rows(field), len(weights))
        file[name] = sums_at(file_of, share[term], files).astype(np.float32)
    file["cover_best_name"] = corpus.per_file_max(chunk["cover_names"])
    path = known.rows("path")
    in_name = path.weights > 0
    for name, part in (("cover_file_name", in_name), ("cover_folder", ~in_name)):
        file[name] = np.bincount(path.rows[part], known.share[path.term[part]], files).astype(np.float32)
    named = np.bincount(path.rows[in_name], minlength=files)
    file["name_precision"] = (named / corpus.name_terms).astype(np.float32)
    return chunk, file


def _compound_signals(corpus: Corpus, query: Query, chunk: dict[str, Array], file: dict[str, Array]) -> None:
    """How many neighbouring words of the query stand run together as a name: `embedding cache` as EmbeddingCache."""
    numbers = np.array(corpus.lexical.numbers_of(query.compounds), np.int64)
    numbers = numbers[numbers >= 0]
    for name, field in (("compound_name", "named"), ("compound_body", "body")):
        rows = corpus.lexical.fields[field].of_all(numbers).rows
        chunk[name] = np.bincount(rows, minlength=corpus.chunks).astype(np.float32)
        file[name] = corpus.per_file_max(chunk[name], rows)
    rows = corpus.lexical.path.of_all(numbers).rows
    file["compound_path"] = np.bincount(rows, minlength=corpus.files).astype(np.float32)


def _defines(corpus: Corpus, query: Query) -> Array:
    """float32[files]: 1 where a name is defined that the query spells as it stands in code."""
    found = np.zeros(corpus.files, np.float32)
    names = [number for number in map(corpus.snapshot.segment.names.find, query.identifiers) if number >= 0]
    if names:
        found[corpus.chunk_file[corpus.definitions.chunk[np.isin(corpus.definitions.name, names)]]] = 1
    return found


def _dense_signals(
    corpus: Corpus, vector: Array | None, only: Array | None, chunk: dict[str, Array], file: dict[str, Array]
) -> tuple[float, float]:
    """Cosines standardised within the query, so that one table serves every model. (the best plain one, their mean)."""
    cosine, usual = _cosines(corpus, vector, only)
    chunk["dense"] = standardised(cosine, usual)
    file["dense_chunk"] = corpus.per_file_max(chunk["dense"])
    file["dense_file"] = corpus.per_file_sum(chunk["dense"]) / np.maximum(corpus.chunk_counts, 1).astype(np.float32)
    file["dense_mass"] = log1p(corpus.per_file_sum(np.maximum(chunk["dense"] - 1, 0))).astype(np.float32)
    return _top(cosine), round(float(usual.mean(dtype=np.float64)), 4) if len(usual) else 0.0


def second_dense(vectors: Array, covered: Array, query_vector: Array) -> Array:
    """float32[chunks]: the cosines of another model, standardised among the `covered` chunks, which have a vector.

    The others count as average, which is 0.
    """
    values = np.zeros(len(covered), np.float32)
    cosine = cosines(vectors, query_vector)
    values[covered] = standardised(cosine[covered], cosine[covered])
    return values


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


def _best_of(pairs: tuple[Array, Array], values: Array) -> Array:
    """The largest value among the second of the pairs of each file; zero for a file that is the first of none."""
    found = np.zeros(len(values), np.float32)
    np.maximum.at(found, pairs[0], values[pairs[1]])
    return found


def _relative(scores: Array) -> Array:
    """Scores as shares of the best one."""
    top = float(scores.max()) if len(scores) else 0.0
    return (scores / top if top > 0 else scores).astype(np.float32)


def _reciprocal_rank(scores: Array) -> Array:
    """1 / (rank from 1), ties sharing the better rank; 0 where the score is not positive."""
    found = np.zeros(len(scores), np.float32)
    some = (scores > 0).nonzero()[0]
    falling = -scores[some]
    found[some] = 1.0 / (np.sort(falling).searchsorted(falling) + 1)
    return found
