"""The code graph: which symbol contains, calls, uses, extends, overrides, tests or documents which."""

from index.graph.build import derive_edges
from index.graph.edges import LABELS, Edges
from index.graph.files import is_test_path
from index.graph.known import Known, known_graph
from index.graph.moved import Moved

__all__ = ["LABELS", "Edges", "Known", "Moved", "derive_edges", "is_test_path", "known_graph"]
