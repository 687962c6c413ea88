"""JSON out of files that somebody else wrote, each fault with its file and line."""

from __future__ import annotations

import json
from typing import Any

from contracts.errors import BrokenFile
from contracts.validation import HALF_PAIR, MAX_DEPTH, half_pair_line, is_too_deep


def parsed(data: bytes, place: str, field: str = "") -> Any:
    """A JSON document. BrokenFile (`field`, else the place) names `place`, the line and the fault."""

    def broken(line: int, fault: str) -> BrokenFile:
        return BrokenFile(field or place, place, line, fault)

    try:
        text = data.decode("utf-8-sig")
        document = json.loads(text)
    except UnicodeDecodeError as error:
        raise broken(data.count(b"\n", 0, error.start) + 1, "not valid UTF-8") from error
    except json.JSONDecodeError as error:
        raise broken(error.lineno, f"not valid JSON: {error.msg}") from error
    except RecursionError as error:
        raise broken(1, "nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise broken(1, f"not JSON that can be read: {error}") from error
    if is_too_deep(document):
        raise broken(1, f"nested too deeply: it has more than {MAX_DEPTH} levels")
    torn = half_pair_line(document, text)
    if torn:
        raise broken(torn, HALF_PAIR)
    return document
