"""How fast a fleet of a given size answers: `python -m benchmarks.fleet.scale [--fleet URI] --to FOLDER [--rows N]
[--suite SUITE --corpora TREES]`.

The chunk rows of a store are copied with changes until there are N. In a copy, the repositories have other names, a
third of the terms is replaced, and noise is added to the vectors, so that words and meanings differ from the original.
Then the tables are indexed and answer the suite's questions: first just after opening, then warm.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import percentile
from benchmarks.suites import load_suite
from index.fleet.catalog import REPOSITORIES, lance, open_table
from index.fleet.fleet import Fleet

TABLE = "chunks.lance"
NOISE = 0.5  # of a unit vector's length
REPLACED_SHARE = 0.33
ROWS_A_PARTITION = 4096


def key(name: str, path: str, blob: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(f"{name}\0{path}\0".encode() + blob, digest_size=8).digest(), "little")


def copy_rows(rows: Any, number: int) -> tuple[Any, dict[str, np.ndarray[Any, Any]]]:
    """(the rows, as rows of other repositories; the keys of the live files of each)."""
    import pyarrow as pa

    rng = np.random.default_rng(number)
    names = [f"{name}-{number}" for name in rows["repository"].to_pylist()]
    blobs = [hashlib.blake2b(blob + bytes([number]), digest_size=16).digest() for blob in rows["blob"].to_pylist()]
    triples = zip(names, rows["path"].to_pylist(), blobs, strict=True)
    keys_of: dict[tuple[str, str, bytes], int] = {}
    keys = np.array([keys_of.get(one) or _add_key(keys_of, one) for one in triples], np.uint64)
    vectors = rows["vector"].combine_chunks().flatten().to_numpy().astype(np.float32).reshape(rows.num_rows, -1)
    noise = rng.standard_normal(vectors.shape, np.float32)
    vectors = vectors + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    flat = pa.array(vectors.astype(np.float16).reshape(-1))
    columns = {
        "repository": pa.array(names), "blob": pa.array(blobs, pa.binary(16)), "file_key": pa.array(keys, pa.uint64()),
        "terms": pa.array(_exchange_terms(rows["terms"].to_pylist(), rng)),
        "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
    }  # fmt: skip
    for column, values in columns.items():
        rows = rows.set_column(rows.schema.get_field_index(column), column, values)
    owners = np.array(names)
    return rows, {str(name): np.unique(keys[owners == name]) for name in np.unique(owners)}


def _add_key(keys_of: dict[tuple[str, str, bytes], int], one: tuple[str, str, bytes]) -> int:
    keys_of[one] = key(*one)
    return keys_of[one]


def _exchange_terms(texts: list[str], rng: np.random.Generator) -> list[str]:
    """The texts with a third of their terms replaced by terms of other texts."""
    words = [text.split() for text in texts]
    pool = [word for one in words[:: max(1, len(words) // 2000)] for word in one]
    picks = rng.integers(0, len(pool), sum(map(len, words)))
    where = rng.random(len(picks)) < REPLACED_SHARE
    place = 0
    results = []
    for one in words:
        until = place + len(one)
        pairs = zip(one, picks[place:until].tolist(), where[place:until].tolist(), strict=True)
        results.append(" ".join(pool[other] if swap else word for word, other, swap in pairs))
        place = until
    return results


def make(source: str, target: str, count: int) -> None:
    """Write the tables of `count` rows or a few more, with their indexes."""
    engine = lance()
    import pyarrow as pa

    table = f"{target}/{TABLE}"
    repositories = open_table(source, REPOSITORIES).to_table().to_pylist()
    rows = open_table(source, TABLE).to_table()
    engine.write_dataset(rows, table, mode="overwrite")
    schema, entries, number = open_table(source, REPOSITORIES).schema, list(repositories), 0
    row_count = rows.num_rows
    while row_count < count:
        number += 1
        more, live = copy_rows(rows.slice(0, min(rows.num_rows, count - row_count)), number)
        engine.write_dataset(more, table, mode="append")
        entries += [{**repositories[0], "name": name, "live": keys.tobytes()} for name, keys in live.items()]
        row_count += more.num_rows
    engine.write_dataset(pa.Table.from_pylist(entries, schema), f"{target}/{REPOSITORIES}", mode="overwrite")
    dataset, began = engine.dataset(table), time.perf_counter()
    dataset.create_scalar_index(
        "terms", "INVERTED", name="terms_idx", base_tokenizer="whitespace", stem=False, lower_case=False,
        remove_stop_words=False, ascii_folding=False, max_token_length=None, with_position=False,
    )  # fmt: skip
    text_s, began = time.perf_counter() - began, time.perf_counter()
    dataset.create_index(
        "vector", "IVF_RQ", name="vector_idx", metric="cosine", num_bits=3,
        num_partitions=max(1, row_count // ROWS_A_PARTITION),
    )  # fmt: skip
    print(f"{row_count:,} rows; index of terms {text_s:.0f} s, of vectors {time.perf_counter() - began:.0f} s")


def reads(fleet: Fleet) -> int:
    """The number of reads of the tables of chunks since the last call."""
    return sum(int(table._table.io_stats_incremental().read_iops) for table in fleet._tables.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fleet", help="make the tables of this store's rows; without it, they are there")
    parser.add_argument("--to", required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path)
    options = parser.parse_args()
    if options.fleet:
        make(options.fleet, options.to, options.rows)
        return  # the memory of this process is not that of a reader
    questions = [one for entry in load_suite(options.suite, options.corpora).repositories for one in entry.questions]
    fleet = Fleet(options.to)
    repositories = fleet.repositories(owner=True)
    began = time.perf_counter()
    fleet.choose(questions[0].query, repositories)
    print(f"first question, nothing in memory: {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    fleet.prewarm()
    print(f"prewarm: {time.perf_counter() - began:.1f} s")
    for _ in range(2):
        reads(fleet)
        right, spent = 0, []
        for question in questions:
            began = time.perf_counter()
            candidates = fleet.choose(question.query, repositories)
            spent.append(1000 * (time.perf_counter() - began))
            right += question.repository in {one.name for one in candidates}
        spent.sort()
        print(
            f"{len(repositories)} repositories, {len(questions)} questions: p50 {percentile(spent, 50):.1f} ms, p99 "
            f"{percentile(spent, 99):.1f} ms, {reads(fleet)} reads, right repository@16 {right / len(spent):.4f}"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
