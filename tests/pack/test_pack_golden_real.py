"""The two examples of the contract, made from real trees by the real chunker and index.

The examples were made with a transformer; only the name of the model in the pack may differ.
"""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from context_pack.session import Session
from contracts.records import as_data

GOLDEN = Path(__file__).parent / "golden"
LONG_BODY = "\n".join(f"        // step {number} of a body that does not fit beside the rest" for number in range(14))
SOURCES = {
    "identifier_query": (
        "crates/vector-store/src/embedding_cache.rs",
        f"""use std::fs;
use std::io;
use std::path::{{Path, PathBuf}};



pub(crate) struct EmbeddingCache {{
    base_dir: PathBuf,
}}

impl EmbeddingCache {{
    pub fn new(base_dir: &Path) -> Self {{
{LONG_BODY}
        Self {{ base_dir: base_dir.to_path_buf() }}
    }}
}}
""",
    ),
    "path_query": (
        "crates/vector-store/src/corpus.rs",
        f"""use context_code_chunker::CodeChunk;
use serde::{{Deserialize, Serialize}};
use std::collections::{{BTreeMap, HashSet}};
use std::path::Path;


pub const CHUNK_CORPUS_SCHEMA_VERSION: u32 = 1;


pub struct ChunkCorpus {{
    files: BTreeMap<String, Vec<CodeChunk>>,
}}

impl ChunkCorpus {{
    pub fn load(&self) -> u32 {{
{LONG_BODY}
        CHUNK_CORPUS_SCHEMA_VERSION
    }}
}}
""",
    ),
}


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_the_examples_come_out_of_a_real_tree(name: str, tmp_path: Path) -> None:
    golden = orjson.loads((GOLDEN / f"{name}.json").read_bytes())
    path, text = SOURCES[name]
    (tmp_path / "tree" / path).parent.mkdir(parents=True)
    (tmp_path / "tree" / path).write_text(text)
    options = {"max_chars": 800, "fit": "whole", "model": "embedded", "index_dir": tmp_path / "home"}
    data = as_data(Session.open(tmp_path / "tree", options).query(golden["query"]).data)
    assert data == {**golden, "model_id": data["model_id"], "profile": "balanced"}
