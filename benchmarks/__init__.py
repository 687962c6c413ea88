"""Benchmarks of quality and speed: suites of questions, metrics, the peer's side, and scripts that write the tables."""
