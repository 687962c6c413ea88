"""The score table of a page pack, as data. It is normative: what a signal is worth stands here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

POINTS: Mapping[str, int] = MappingProxyType(
    {
        "shared_tag": 3,  # each
        "shared_domain": 2,  # each
        "default_domain": 2,  # each shared domain that is one of the vault's defaults
        "link_to": 1,  # each named entity that the page links to
        "link_from": 1,  # each named entity whose page links to this one
        "same_page_type": 1,
        "searcher_hit": 5,
        "title_overlap": 4,
    }
)
MIN_SCORE = 3  # below: dropped
MAX_PAGES = 5
TOP_HITS = 3  # of the searcher
TITLE_OVERLAP = 0.5  # Jaccard similarity of the words of two titles, from which they count as near-duplicates
MAX_INFERRED_TAGS = 4
