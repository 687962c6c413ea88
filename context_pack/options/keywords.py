"""The options as keyword arguments of the library; a test checks names and types against the records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict

Names = str | Sequence[str]


class Filters(TypedDict, total=False):
    include: Names
    exclude: Names
    language: Names
    no_docs: bool
    explain: bool
    no_redact: bool


class QueryKeywords(Filters, total=False):
    """Options that may differ between queries of one session."""

    docs_first: bool
    diff: str
    staged: bool
    max_chars: int
    max_tokens: int
    tokenizer: str | Path
    limit: int
    related: int
    related_mode: Literal["focus", "explore", "none"]
    edges: Names
    depth: int
    have: Names
    have_pack: str | Path | Sequence[str | Path]
    fit: Literal["whole", "cut"]


class SearchKeywords(Filters, total=False):
    docs_first: bool
    top_k: int
    order: Literal["files", "lines"]
    content: bool


class RelatedKeywords(Filters, total=False):
    top_k: int
    edges: Names
    depth: int
    content: bool


class SymbolsKeywords(TypedDict, total=False):
    limit: int


class StatusKeywords(TypedDict, total=False):
    verify: bool


class CleanOptions(TypedDict, total=False):
    index_dir: str | Path


class IndexOptions(CleanOptions, total=False):
    """How an index is made and opened."""

    profile: Literal["fast", "balanced", "quality"]
    model: str
    share: str
    max_file_bytes: int
    memory: int | str
    wait: float


class OpenOptions(IndexOptions, total=False):
    no_refresh: bool


class QueryOptions(QueryKeywords, OpenOptions, total=False): ...


class SearchOptions(SearchKeywords, OpenOptions, total=False): ...


class RelatedOptions(RelatedKeywords, OpenOptions, total=False): ...


class SessionOptions(QueryKeywords, SearchKeywords, OpenOptions, total=False):
    """Default options for the questions of a session."""

    format: Literal["json", "md", "text", "xml", "toon", "html"]


class GraphOptions(TypedDict, total=False):
    depth: int
    edges: Names
    ws: str
    verbose: bool
    max_nodes: int
    max_bytes: int
    explain: bool
    no_redact: bool


class TaskOptions(TypedDict, total=False):
    digest: Literal["full", "compact"]
    generated_at: str
    explain: bool
    no_redact: bool


class TurnOptions(TypedDict, total=False):
    max_tokens: int
    reason: Literal["investigation", "refactor", "verification_failure"]
    no_redact: bool
