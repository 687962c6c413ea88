"""Markdown for answers that have no format of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from context_pack.kinds.code.question import rewritten
from context_pack.next_steps import Request, candidates, next_steps
from context_pack.redaction import Redactor
from context_pack.render.markdown import MarkdownLayout, code_span, fenced
from context_pack.render.phrases import MATCHES, escaped, notes, reason, title
from contracts.records import Hint, Pack, error_data

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from contracts.errors import CtxpackError
    from contracts.reports import Hit, Hits, Symbols
    from index.types import Grade

_OPTION = re.compile(r"--([a-z][a-z-]*)")
Reply = dict[str, Any]  # {"texts": for readers, and for programs "places", ... or "error"}


class PackLayout(MarkdownLayout):
    """The Markdown of the command, with the confidence in its first line instead of model and profile, so that a pack
    for the one fits the other."""

    def __init__(self, grade: Grade | None) -> None:
        # The title says what is less.
        self._sure = f": {MATCHES['strong']}" if grade is not None and grade.confidence == "strong" else ""

    def head(self, pack: Pack) -> str:
        return f"# {code_span(title(pack))}{self._sure}\n\n{notes(pack, self.bullet)}"


def hits(answer: Hits, grade: Grade | None) -> str:
    """A numbered list of places, best first; with content, each place is followed by its code."""
    parts = [f"{MATCHES[grade.confidence].capitalize()}.\n\n"] if grade and answer.hits else []
    for number, hit in enumerate(answer.hits, 1):
        parts.append(f"{number}. {place(hit)}\n")
        parts += [f"   - {reason(part)}\n" for part in hit.why]
        if hit.content is not None:
            parts.append(f"\n{fenced(hit.content, '')}\n")
    return "".join(parts) or "Nothing found.\n"


def place(hit: Hit) -> str:
    name = f" {hit.type}{f' {code_span(escaped(hit.symbol))}' if hit.symbol else ''}" if hit.type else ""
    return f"{lines(hit)}{name}"


def lines(hit: Hit) -> str:
    return code_span(escaped(f"{hit.file}:{hit.start_line}-{hit.end_line}"))


def symbols(answer: Symbols) -> str:
    rows = [
        f"- {row.kind} {code_span(escaped(row.qualified))} {code_span(escaped(f'{row.file}:{row.line}'))}\n"
        for row in answer.symbols
    ]
    return "".join(rows) or "No such symbol.\n"


def repository(one: Mapping[str, Any]) -> str:
    """A repository of `index_status`, in one line."""
    said = [f"- {code_span(one['name'])} at {code_span(one['root'])}: {one['state']}"]
    if "index" in one:
        index, skipped = one["index"], one["index"]["coverage"]["skipped"]
        said.append(f"{index['files']:,} files, {index['chunks']:,} chunks, model {index['model_id']}")
        said += [f"skipped {', '.join(f'{count} {reason}' for reason, count in skipped.items())}"] if skipped else []
    if "progress" in one:
        said.append(progress(**one["progress"]))
    if not one["watched"]:
        said.append("not watched: every call checks the files for changes")
    if "error" in one:
        said.append(f"last refresh failed: {one['error']['message']}")
    return "; ".join(said) + "\n"


def progress(stage: str, done: int, total: int) -> str:
    """`read 120 of 300`"""
    return f"{stage} {done:,} of {total:,}" if total else f"{stage} {done:,}"


def as_arguments(said: str) -> str:
    """`--max-chars 500` as a tool argument: `max_chars 500`. Commands in backticks stay as they are."""
    parts = said.split("`")  # parts between two backticks have odd indexes
    parts[::2] = [_OPTION.sub(_as_argument, part) for part in parts[::2]]
    return "`".join(parts)


def _as_argument(option: re.Match[str]) -> str:
    """In tools, `folder` takes the place of `--root` and `--vault`."""
    name = option[1].replace("-", "_")
    return "folder" if name in ("root", "vault") else name


def hint_lines(hints: Sequence[Hint]) -> list[str]:
    """The hints without actions that are no calls: these say how large a pack for everything would be, and an agent
    would ask for that."""
    return [f"{one.type}: {as_arguments(one.text)}\n" for one in hints if one.type != "action" or one.text[0] == "`"]


def success(
    answer: Answer[Any], printed: str, about: Mapping[str, Any], tool: str, args: Mapping[str, Any],
    warnings: Sequence[str] = (),
) -> Reply:  # fmt: skip
    """The reply to a call: its text, then the hints as a separate block, so that the text keeps its size limit."""
    request, is_listing = Request({}, args, tool), tool == "symbols" or args.get("mode") == "symbols"

    def call(verb: str, name: str) -> str:
        return request.look_for(name, verb) if is_listing and verb == "query" else request.about(name)

    lines = hint_lines(rewritten(answer.hints, call)) + [f"warn: {text}\n" for text in warnings]
    grade = {"confidence": answer.grade.confidence} if answer.grade else {}
    return {"texts": [printed, "".join(lines)] if lines else [printed], **grade, **about}


def failure(error: CtxpackError, tool: str, args: Mapping[str, Any], folder: str = "") -> Reply:
    """The reply to a failed call: the error and what to do about it. `folder` is that of the repository."""
    redactor, steps = Redactor(), next_steps(error, Request({}, args, tool, folder))
    return error_text(error_data(redactor.clean(error)), redactor.hints(steps))


def error_text(error: Mapping[str, Any], hints: Sequence[Hint] = ()) -> Reply:
    """The reply for the error of an envelope."""
    advice = "" if hints and "`ctxpack " in error["hint"] else as_arguments(error["hint"])  # calls say the same
    steps = (f"{hint.type}: {hint.text}" for hint in hints)
    lines = [f"{error['code']}: {error['message']}", advice, *candidates(error["details"]), *steps]
    text = "".join(f"{line}\n" for line in lines if line)
    return {"texts": [text], "error": {"code": error["code"], "details": error["details"]}}
