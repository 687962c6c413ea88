"""Forty questions with the first five places of their packs and the points of each: read the diff of a ranking change.

CTXPACK_UPDATE_GOLDENS=1 rewrites `golden/PROJECT.txt`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from index import Index, build_index

HERE = Path(__file__).parent
PLACES = 5
PROJECTS = {
    "pictures": HERE.parent / "cli" / "project",
    "languages": HERE.parent / "chunker" / "fixtures",
    "vault": HERE.parent / "recipes" / "pages" / "vault",
}
QUESTIONS = {
    "pictures": (
        "PictureCache", "picture_cache.evict", "src/resizing.py:10", "how is a picture made smaller",
        "where are old thumbnails removed", "cache of thumbnails", "load pages until the gallery is full", "PAGE_SIZE",
        "tests of the picture cache", "what is the key of a picture", "how does fillGallery stop", "readme",
    ),
    "languages": (
        "LruCache", "Queue.push", "StrBuf", "RingBuffer", "ImageCache", "how does the ring buffer know it is full",
        "what happens when the queue is full", "parse a frame from bytes and check its checksum",
        "which transport sends a message", "grow a string buffer", "settings with a missing key",
        "deposit money into an account", "evict the least recently used entry", "open and close a session",
        "clamp a value", "resize an image and prefetch it", "router dispatch", "map over a parser", "area of a shape",
        "publish the build", "price of an item in the shop", "mailer notify count",
    ),
    "vault": (
        "what did Bush describe in 1945", "spaced repetition", "retrieval augmented generation against a wiki",
        "context window", "who is Karpathy", "notes as plain text",
    ),
}  # fmt: skip


def test_there_are_forty_questions() -> None:
    assert sum(len(set(questions)) for questions in QUESTIONS.values()) == 40


@pytest.mark.parametrize("project", PROJECTS)
def test_the_first_places_of_each_question(project: str, tmp_path: Path) -> None:
    shutil.copytree(PROJECTS[project], tmp_path / project)
    index = build_index(tmp_path / project, home=tmp_path / "home")
    listing = "\n".join(_places(index, question) for question in QUESTIONS[project])
    golden = HERE / "golden" / f"{project}.txt"
    if os.environ.get("CTXPACK_UPDATE_GOLDENS"):
        golden.write_text(listing, encoding="utf-8", newline="\n")
    assert listing == golden.read_text(encoding="utf-8")


def _places(index: Index, question: str) -> str:
    """The question, then one line per place: its points, its position and its symbol."""
    lines = [f"{question}   [{index.grade(question).confidence}]"]
    for hit in index.search(question, top_k=PLACES, order="lines"):
        row = index.chunk(hit.chunk)
        lines.append(f"  {hit.points:8.4f}  {row.file}:{row.start_line}-{row.end_line}  {row.symbol or ''}".rstrip())
    return "\n".join(lines) + "\n"
