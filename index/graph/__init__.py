"""The code graph: which symbol contains, calls, uses, extends, overrides, tests or documents which."""

from index.graph.build import derive_edges
from index.graph.edges import LABELS, Edges
from index.graph.files import Known, is_test_path, known_imports

__all__ = ["LABELS", "Edges", "Known", "derive_edges", "is_test_path", "known_imports"]
