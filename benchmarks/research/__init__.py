"""Scripts that build and check the engine; readers of the benchmarks need none of them."""
