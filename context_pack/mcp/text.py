"""Answers as a person reads them, where no format of a pack has a text of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from context_pack.render.markdown import code_span, fenced
from context_pack.render.phrases import escaped

if TYPE_CHECKING:
    from contracts.records import Envelope, Hint
    from contracts.reports import Hits, ServedRepositories, ServedRepository, Symbols

_OPTION = re.compile(r"--([a-z][a-z-]*)")


_TOOLS = {"query": "context_pack", "search": "search"}  # by the command that asks the same


def hits(found: Hits) -> str:
    """A numbered list of places, best first; with content, each is followed by its code."""
    if not found.hits:
        return "Nothing found.\n"
    parts = []
    for number, hit in enumerate(found.hits, 1):
        name = f" {hit.type}{f' {code_span(escaped(hit.symbol))}' if hit.symbol else ''}" if hit.type else ""
        parts.append(f"{number}. {code_span(escaped(hit.id))}{name}, score {hit.score:.3f}\n")
        if hit.content is not None:
            parts.append(f"\n{fenced(hit.content, '')}\n")
    return "".join(parts)


def symbols(found: Symbols) -> str:
    if not found.symbols:
        return "No such symbol.\n"
    return "".join(
        f"- {row.kind} {code_span(escaped(row.qualified))} {code_span(escaped(f'{row.file}:{row.line}'))}\n"
        for row in found.symbols
    )


def repositories(served: ServedRepositories) -> str:
    return "".join(map(_repository, served.repositories))


def _repository(one: ServedRepository) -> str:
    said = [f"- {code_span(one.name)} at {code_span(one.root)}: {one.state}"]
    if one.index is not None:
        index: Mapping[str, Any] = one.index
        said.append(f"{index['files']:,} files, {index['chunks']:,} chunks, model {index['model_id']}")
        skipped = index["coverage"]["skipped"]
        if skipped:
            said.append("skipped " + ", ".join(f"{count} {reason}" for reason, count in skipped.items()))
    if one.progress is not None:
        said.append(progress(one.progress.stage, one.progress.done, one.progress.total))
    if not one.watched:
        said.append("not watched: every call compares the tree first")
    if one.error is not None:
        said.append(f"last refresh failed: {one.error['message']}")
    return "; ".join(said) + "\n"


def progress(stage: str, done: int, total: int) -> str:
    """`read 120 of 300`"""
    return f"{stage} {done:,} of {total:,}" if total else f"{stage} {done:,}"


def as_arguments(said: str) -> str:
    """`--max-chars 500` as a caller of a tool names it: `max_chars 500`. Commands in backticks stay commands."""
    parts = said.split("`")  # what is between two of them stands at odd places
    plain = [_OPTION.sub(lambda found: found[1].replace("-", "_"), part) for part in parts[::2]]
    parts[::2] = plain
    return "`".join(parts)


def as_call(verb: str, name: str, args: Mapping[str, Any]) -> str:
    """The same call about another name: `context_pack {"query": "Cart"}`."""
    return f"{_TOOLS[verb]} {json.dumps({**args, 'query': name}, ensure_ascii=False)}"


def hints_text(hints: Sequence[Hint]) -> list[str]:
    """One block of hints, or none: apart from the answer, which keeps its size limit."""
    return ["".join(f"{hint.type}: {hint.text}\n" for hint in hints)] if hints else []


def error_text(envelope: Envelope) -> str:
    """What went wrong, and what to do about it."""
    error = envelope.error or {}
    lines = [f"{error.get('code')}: {error.get('message')}", str(error.get("hint", ""))]
    details: Any = error.get("details") or {}
    lines += [f"- {candidate}" for candidate in details.get("candidates", ())]
    lines += [f"{hint.type}: {hint.text}" for hint in envelope.hints]
    return "\n".join(line for line in lines if line) + "\n"
