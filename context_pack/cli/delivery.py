"""How the commands without an index write their answers: in the envelope, or as the format's own document."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from context_pack.cli.emit import write, write_envelope

if TYPE_CHECKING:
    from context_pack.answer import Answer


def deliver(answer: Answer[Any], printed: str | None, *, out: str | None, pretty: bool, in_order: bool = False) -> None:
    """The printed document, else the envelope. A document has no place for hints: its warnings go to stderr, always."""
    if printed is None:
        from context_pack.envelope import answered

        write_envelope(answered(answer), pretty=pretty, out=out, in_order=in_order)
        return
    write(printed.encode(), out)
    for hint in answer.hints:
        if hint.type == "warn":
            print(f"ctxpack: warning: {hint.text}", file=sys.stderr)
        elif sys.stderr.isatty():
            print(f"ctxpack: {hint.text}", file=sys.stderr)
