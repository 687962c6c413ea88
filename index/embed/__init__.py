"""Turns text into unit vectors: the embedded static model, and sentence-transformers models if they are installed."""

from pathlib import Path
from typing import Final

# Of the embedded model, for the modules that load it without numpy or not at all.
MODEL_ID: Final = "ctxpack-static-v1"
DIMENSIONS: Final = 256
WEIGHTS: Final = Path(__file__).parent / "weights"
