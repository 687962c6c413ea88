"""Profiles as data: what each option is when nobody chose it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DEFAULT = "balanced"

# `depth` is the number of graph steps from a primary item to a related one.
PROFILES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "fast": {"model": "embedded", "depth": 1},
        "balanced": {"model": "auto", "depth": 2},
        "quality": {"model": "bge-small", "depth": 2},
    }
)
