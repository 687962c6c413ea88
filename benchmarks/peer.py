"""The peer's side of a comparison: runs in the peer's own interpreter and answers JSON lines on stdin with JSON lines.

    {"do": "index", "root": DIR}                           -> {"seconds", "chunks"}
    {"do": "search", "query": TEXT, "top": 10, "deep": 50} -> {"seconds", "top", "deep"}
    {"do": "related", "path": FILE, "line": 1, "top": 10}  -> {"top"}
    {"do": "answer", "query": TEXT, "top": 5, "lines": 10} -> {"text", "top"}   as its tool for agents answers

`top` and `deep` are lists of [path, start line, end line, characters], best first; with `deep` 0 the second list is
empty.

Only the standard library and `semble` are imported. Run as `python peer.py MODEL_FOLDER`; nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from typing import Any


def main() -> None:
    model = sys.argv[1]
    cache = tempfile.mkdtemp()
    os.environ["SEMBLE_CACHE_LOCATION"] = cache
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        _serve(model, cache)
    finally:
        shutil.rmtree(cache, ignore_errors=True)


def _serve(model: str, cache: str) -> None:
    import semble.index.index as internals
    from semble import SembleIndex
    from semble.utils import format_results

    # At every search, semble appends to its log of saved tokens, which is not part of searching.
    internals.save_search_stats = lambda *_arguments, **_options: None
    index: Any = None
    for line in sys.stdin:
        request = json.loads(line)
        answer: dict[str, Any]
        began = time.perf_counter()
        if request["do"] == "index":
            shutil.rmtree(cache, ignore_errors=True)
            index = SembleIndex.from_path(request["root"], model_path=model)
            answer = {"seconds": time.perf_counter() - began, "chunks": len(index.chunks)}
        elif request["do"] == "related":
            chunks = [chunk for chunk in index.chunks if chunk.file_path == request["path"]]
            at = [chunk for chunk in chunks if chunk.start_line <= request["line"] <= chunk.end_line] or chunks
            answer = {"top": _places(index.find_related(at[0], top_k=request["top"])) if at else []}
        elif request["do"] == "answer":
            results = index.search(request["query"], top_k=request["top"], max_snippet_lines=request["lines"])
            text = json.dumps(format_results(request["query"], results, request["lines"]))
            answer = {"text": text, "top": _places(results)}
        else:
            top = index.search(request["query"], top_k=request["top"])
            seconds = time.perf_counter() - began
            deep = index.search(request["query"], top_k=request["deep"]) if request["deep"] else []
            answer = {"seconds": seconds, "top": _places(top), "deep": _places(deep)}
        print(json.dumps(answer), flush=True)


def _places(results: list[Any]) -> list[list[Any]]:
    chunks = [result.chunk for result in results]
    return [[chunk.file_path, chunk.start_line, chunk.end_line, len(chunk.content)] for chunk in chunks]


if __name__ == "__main__":
    main()
