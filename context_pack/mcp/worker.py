"""The process that answers: `python -m context_pack.mcp.worker OPTIONS`. It keeps indexes open and writes none.

OPTIONS is JSON: root -> the server's options for it. A request is a line: `{"tool", "args", "roots": {name: folder},
"limit_s", "look", "hints", "stale", "states"}`; without a tool, it prepares what the first question needs. With `look`,
the trees are first checked for changes. The reply is `{"texts", ...}` (context_pack.mcp.text.Reply), or
`{"refresh": [names]}` if a tree has changed or has no index: the server refreshes it and asks again.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_pack.envelope import translated
from context_pack.follow.process import Pipe
from context_pack.kinds.code.repositories import Repositories
from context_pack.mcp import tools
from context_pack.mcp.schemas import DEFAULTS
from context_pack.mcp.text import Reply, failure, success
from context_pack.options.config_file import file_layer
from context_pack.options.resolve import Layer, resolve
from context_pack.session import Session, open_corpus
from contracts.errors import IndexMissing, ModelMismatch
from contracts.frozen import frozen

if TYPE_CHECKING:
    from index import Index
    from index.build import Footprint

# New objects between two garbage collections. An answer creates thousands and keeps almost none; with Python's own
# threshold, collections take a fifth of its time.
GC_THRESHOLD = 50_000
GRACE_S = 5  # after a call's time limit: by then, a live server has killed this process


@frozen
class OpenIndex:
    """One generation, the state of its tree when it was opened, and the options that its repository sets."""

    corpus: Index
    footprint: Footprint
    layer: Layer


class Worker:
    """The open indexes and their sessions."""

    def __init__(self, options: Mapping[str, Mapping[str, Any]]) -> None:
        self._options = {Path(root): {**own, "no_refresh": True, "format": "md"} for root, own in options.items()}
        self._opened: dict[Path, OpenIndex] = {}
        self._sessions: dict[tuple[Path, ...], Session] = {}

    def reply(self, request: Mapping[str, Any]) -> Reply:
        if request.get("fleet"):
            from context_pack.fleet.tools import reply_of

            return reply_of(request["fleet"], request["tool"], request["args"], request["repos"])
        roots = {name: Path(folder) for name, folder in request["roots"].items()}
        tool, args = request.get("tool"), request.get("args", {})
        opened = {name: self._opened[root] for name, root in roots.items() if root in self._opened}
        if request.get("look"):  # checks open indexes only
            changed = [name for name, one in opened.items() if one.footprint.changed()]
            if changed:
                return {"refresh": changed}
        else:  # the trees were checked just before and had not changed
            for name, one in opened.items():
                self._opened[roots[name]] = replace(one, footprint=one.corpus.footprint())
        try:
            if tool is None:
                self.session(roots).query("where is the main entry point")  # starts loading a model
                return {}
            call = tools.Call(self.session, roots, args, request["limit_s"], request["states"])
            answer, printed, about = getattr(tools, tool)(call)
            stale = {"stale": True} if request["stale"] else {}
            return success(answer, printed, {**about, **stale}, tool, args, request["hints"])
        except Exception as error:  # report any error to the caller and go on with the next call
            failed = failure(translated(error), tool or "", args, str(next(iter(roots.values()), ".")))
            return {**failed, "refresh": list(roots)} if isinstance(error, IndexMissing | ModelMismatch) else failed

    def session(self, roots: Mapping[str, Path]) -> Session:
        """A session over the newest generations; with several, paths start with their repository's name.

        IndexMissing if nothing is published, and any other error of opening an index.
        """
        opened = {name: self._newest(root) for name, root in roots.items()}
        key = tuple(roots.values())
        if key not in self._sessions:
            least = Layer(DEFAULTS)
            if len(opened) == 1:
                ((name, only),) = opened.items()
                session = Session(only.corpus, least, only.layer, Layer(self._options[roots[name]]))
            else:
                corpora = {name: one.corpus for name, one in opened.items()}
                notes = tuple(f"{name}: {note}" for name, one in opened.items() for note in one.layer.notes)
                session = Session(Repositories(corpora), least, Layer(next(iter(self._options.values())), notes=notes))
            self._sessions[key] = session
        return self._sessions[key]

    def _newest(self, root: Path) -> OpenIndex:
        opened = self._opened.get(root)
        if opened is not None and not opened.corpus.superseded():
            return opened
        layer = file_layer(root)
        corpus = open_corpus(root, resolve(layer, Layer(self._options[root])), serving=True)
        self._opened[root] = OpenIndex(corpus, corpus.footprint(), layer)
        self._sessions.clear()
        gc.collect()  # frees the previous generation and its memory maps
        return self._opened[root]


def main() -> None:
    pipe, worker = Pipe(), Worker(json.loads(sys.argv[1]))
    gc.set_threshold(GC_THRESHOLD)
    for line in pipe.requests:
        request = json.loads(line)
        faulthandler.dump_traceback_later(request["limit_s"] + GRACE_S, exit=True)
        pipe.write(worker.reply(request))
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
