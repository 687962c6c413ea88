"""The JSON envelope of every answer: status, hints, and the age and coverage of the index."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from context_pack.answer import Answer
from context_pack.kinds.code.corpus import Corpus
from context_pack.redaction import Redactor
from context_pack.version import __version__
from contracts.errors import CtxpackError, InternalError, IOFailure
from contracts.records import Envelope, Hint, as_data, error_data


def answered(answer: Answer[Any], corpus: Corpus | None = None, checked: bool = True) -> Envelope:
    """The envelope of an answer. `checked`: the tree was just compared with the index."""
    meta: dict[str, object] = {"ctxpack_version": __version__}
    if answer.stages is not None:
        meta["duration_ms"] = dict(answer.stages)
    if answer.redactions is not None:
        meta["redactions"] = {"total": sum(answer.redactions.values()), **answer.redactions}
    if answer.grade is not None:
        meta["confidence"] = {"grade": answer.grade.confidence, "reason": answer.grade.reason}
    if corpus is not None:
        meta["index"] = _index(corpus, checked)
    data = as_data(answer.data) if is_dataclass(answer.data) else answer.data
    return Envelope("ok", answer.hints, data, meta)


def failed(error: CtxpackError, hints: tuple[Hint, ...] = ()) -> Envelope:
    """The envelope of a failure; its hints say what to run next. Secrets are always redacted."""
    redactor = Redactor()
    error, hints = redactor.clean(error), redactor.hints(hints)
    return Envelope("error", hints, None, {"ctxpack_version": __version__}, error_data(error))


def translated(error: Exception) -> CtxpackError:
    """Any exception as a CtxpackError: an IOFailure for errors of the system, else an InternalError with type and
    place."""
    if isinstance(error, CtxpackError):
        return error
    if isinstance(error, OSError):
        path = str(error.filename or "")
        why = error.strerror or str(error)
        return IOFailure(f"{path}: {why}" if path else why, details={"path": path})
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    hint = "this is a bug in ctxpack: please report it; CTXPACK_DEBUG=1 shows where it happened"
    return InternalError(f"{type(error).__name__}{where}: {error}", hint=hint)


_OBEYED = {code: f"\\u{code:04x}" for code in range(0x80, 0xA0)}  # controls that some terminals obey and JSON allows


def encoded(document: Mapping[str, object], *, indented: bool = False, in_order: bool = False) -> bytes:
    """A document as one line of JSON with sorted keys (`in_order`: unsorted), or indented for people.

    Uses the standard library's encoder: importing a faster one takes longer than it saves on a pack. A surrogate (from
    a name that is not valid Unicode) becomes its JSON escape.
    """
    layout: dict[str, Any] = {"indent": 2} if indented else {"separators": (",", ":")}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, sort_keys=not in_order, **layout)
    if not text.isascii():
        text = text.translate(_OBEYED)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _index(corpus: Corpus, checked: bool) -> Mapping[str, object]:
    refreshed, vectors = corpus.refreshed, corpus.vector_coverage
    counts = ("added", "changed", "removed", "duration_ms")
    return {
        **({"transformer": as_data(vectors)} if vectors else {}),
        "generation": corpus.generation,
        "model_id": corpus.model_id,
        "files": corpus.files,
        "chunks": corpus.chunks,
        "stale": True if refreshed is not None and refreshed.behind else False if checked else None,
        "refreshed": None if refreshed is None else {name: getattr(refreshed, name) for name in counts},
        "coverage": as_data(corpus.coverage),
    }
