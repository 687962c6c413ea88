use context_code_chunker::CodeChunk;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

pub const CHUNK_CORPUS_SCHEMA_VERSION: u32 = 1;


pub struct ChunkCorpus {
    files: BTreeMap<String, Vec<CodeChunk>>,
}

impl ChunkCorpus {
    pub fn ids(&self) -> HashSet<String> {
        self.files.values().flatten().map(|chunk| chunk.id.clone()).collect()
    }

    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec(&(CHUNK_CORPUS_SCHEMA_VERSION, &self.files))?;
        fs::write(path, text)
    }
}
