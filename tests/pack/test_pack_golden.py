"""The two examples of contract v1, reproduced completely from chunks like those that they were made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from memory_index import MemoryIndex, rows

from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.records import as_data

GOLDEN = Path(__file__).parent / "golden"
LONG_BODY = "\n".join(f"    // line {number} of a body that does not fit beside the rest" for number in range(12))
CACHE = "crates/vector-store/src/embedding_cache.rs"
CORPUS = "crates/vector-store/src/corpus.rs"

TREES = {
    "identifier_query": rows(
        (
            CACHE, 7, "struct", "EmbeddingCache", "pub(crate) struct EmbeddingCache {\n    base_dir: PathBuf,\n}",
            ("use std::path::{Path, PathBuf}",),
        ),
        (CACHE, 11, "impl", "EmbeddingCache", f"impl EmbeddingCache {{\n{LONG_BODY}\n}}", ()),
    ),
    "path_query": rows(
        (
            CORPUS, 7, "const", "CHUNK_CORPUS_SCHEMA_VERSION", "pub const CHUNK_CORPUS_SCHEMA_VERSION: u32 = 1;\n", (),
        ),
        (
            CORPUS, 10, "struct", "ChunkCorpus",
            "pub struct ChunkCorpus {\n    files: BTreeMap<String, Vec<CodeChunk>>,\n}",
            ("use context_code_chunker::CodeChunk", "use std::collections::{BTreeMap, HashSet}"),
        ),
        (CORPUS, 14, "impl", "ChunkCorpus", f"impl ChunkCorpus {{\n{LONG_BODY}\n}}", ()),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(TREES))
def test_the_contracts_examples_come_out_whole(name: str, conforms: Any) -> None:
    golden = orjson.loads((GOLDEN / f"{name}.json").read_bytes())
    session = Session(MemoryIndex(TREES[name]), Layer({"profile": "quality", "max_chars": 800, "fit": "whole"}))
    data = as_data(session.query(golden["query"]).data)
    conforms(data, "context_pack")
    assert data == golden
