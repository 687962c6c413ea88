"""Measures the correctness of the code graph: our edges against language tools, and against edges checked by people."""
