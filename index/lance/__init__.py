"""What is kept in LanceDB: the vectors of transformers."""
