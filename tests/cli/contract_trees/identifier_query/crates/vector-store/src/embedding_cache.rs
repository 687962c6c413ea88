use std::collections::HashMap;
use std::fs;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) struct EmbeddingCache {
    base_dir: PathBuf,
}

impl EmbeddingCache {
    pub(crate) fn new(base_dir: &Path) -> Self {
        Self { base_dir: base_dir.to_path_buf() }
    }

    pub(crate) fn load(&self, key: &str) -> Option<Vec<f32>> {
        let reader = BufReader::new(fs::File::open(self.base_dir.join(key)).ok()?);
        serde_json::from_reader(reader).ok()
    }

    pub(crate) fn store(&self, key: &str, vector: &[f32]) -> std::io::Result<()> {
        let writer = BufWriter::new(fs::File::create(self.base_dir.join(key))?);
        serde_json::to_writer(writer, vector)?;
        Ok(())
    }
}
