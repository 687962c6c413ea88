"""The process that answers: `python -m context_pack.mcp.asker`. It keeps indexes open and never writes one.

A request is a line: `{"op": "call", "tool", "args", "roots": {name: folder}, "limit_s", "look"}`. With `look`, known
files are compared first, and the reply to a tree that changed is `{"changed": [names]}`: the server refreshes and asks
again. Else the reply is `{"envelope", "text": [...]}`. A call that takes too long is ended by killing this process.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from context_pack.core.envelope import failed, translated
from context_pack.core.next_steps import Request, next_steps
from context_pack.kinds.code.suggestions import rewritten
from context_pack.mcp.answers import ANSWERS, Asked
from context_pack.mcp.shelf import Shelf
from context_pack.mcp.text import as_arguments, as_call, error_text, hints_text
from context_pack.mcp.wire import claim_stdin, claim_stdout, messages, packed
from contracts.wire import envelope_data

# New objects that are alive before the collector looks: one answer makes some thousands and leaves next to none, and to
# look through them again and again takes a fifth of its time.
GC_THRESHOLD = 50_000


class Asker:
    """Answers one request after the other."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._shelf = Shelf(options)

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        roots = {name: Path(folder) for name, folder in request["roots"].items()}
        if request["op"] == "call":
            return self._call(request, roots)
        if request["op"] == "warm":
            self._warm(roots)
        elif request["op"] == "finish":
            self._finish(roots)
        return {}

    def _call(self, request: Mapping[str, Any], roots: Mapping[str, Path]) -> dict[str, Any]:
        asked = Asked(self._shelf, roots, request["args"], request["limit_s"])
        if request["look"]:
            changed = self._shelf.changed(roots)
            if changed:
                return {"changed": changed}
        else:
            self._shelf.accept(roots)
        try:
            envelope, printed = ANSWERS[request["tool"]](asked)
        except Exception as error:  # whatever it is, the caller is told and the next call is answered
            failure = translated(error)
            failure.hint = as_arguments(failure.hint)
            call = Request({}, request["args"], request["tool"])
            envelope = failed(failure, next_steps(failure, call))
            return {"envelope": envelope_data(envelope), "text": [error_text(envelope)]}
        calls = rewritten(envelope.hints, lambda verb, name: as_call(verb, name, request["args"]))
        hints = tuple(replace(hint, text=as_arguments(hint.text)) for hint in calls)
        return {"envelope": envelope_data(replace(envelope, hints=hints)), "text": [printed, *hints_text(hints)]}

    def _warm(self, roots: Mapping[str, Path]) -> None:
        """Do now what the first question would wait for; what goes wrong, the question itself will say."""
        try:
            self._shelf.session(roots, format="md").query("where is the main entry point")  # begins to load a model
        except Exception:
            return

    def _finish(self, roots: Mapping[str, Path]) -> None:
        """Let the durable table and a transformer's vectors follow the generations, in processes of their own."""
        for name, root in roots.items():
            self._shelf.session({name: root}).corpus.follow_later()


def main() -> None:
    wire = claim_stdout()
    gc.set_threshold(GC_THRESHOLD)
    asker: Asker | None = None
    for message in messages(claim_stdin()):
        asker = asker or Asker(message.get("options", {}))
        wire.write(packed(asker.reply(message)))
        wire.flush()


if __name__ == "__main__":
    main()
