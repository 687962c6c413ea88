"""What builds and checks the engine, and what no reader of the benchmarks runs."""
