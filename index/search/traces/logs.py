"""Removes what a log has around its lines: colours, times, names of services, and marks of a runner of builds."""

from __future__ import annotations

import re

from contracts.rows import rows

_TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_DATE = r"[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ]"
_WHEN = rf"\[?(?:{_DATE})?{_TIME}(?: ?Z|[+-][0-9]{{2}}:?[0-9]{{2}})?\]?"
_COLOURS = re.compile(r"\x1b\[[0-9;?]{0,40}[A-Za-z]")
# A browser copies colours without the character that begins them; only one that ends them tells them from text.
_BARE_COLOURS, _COLOUR_ENDS = re.compile(r"\[[0-9]{1,3}(?:;[0-9]{1,3}){0,4}m"), ("[0m", "[39m", "[22m")
_MARK = re.compile(r"##\[(?:error|warning|notice|debug|command|group|section)\]|::(?:group|debug)::")
_END = re.compile(r"##\[endgroup\]|::endgroup::")


def _pattern(which: str) -> re.Pattern[str]:
    own = (pattern for group, _, pattern in rows(__file__, "prefixes.tsv") if group == which)
    return re.compile("|".join(own).replace("{WHEN}", _WHEN).replace("{TIME}", _TIME))


_ANY, _EACH = _pattern("any"), _pattern("each")
_TIME_ALONE = re.compile(rf"{_TIME}\s")


def without_prefixes(text: str) -> str:
    """The text without colours and without what a log puts before its lines, whose own indentation stays."""
    text = _COLOURS.sub("", text)
    if any(end in text for end in _COLOUR_ENDS):
        text = _BARE_COLOURS.sub("", text)
    lines = [_END.sub("", line.removesuffix("\r")) for line in text.split("\n")]
    rests = [line[end:] for line, end in zip(lines, _ends(lines), strict=True)]
    # Some programs put two blanks behind the time.
    own = [rest for line, rest in zip(lines, rests, strict=True) if rest is not line and rest.strip()]
    is_wide = bool(own) and all(rest[0].isspace() for rest in own)
    bare = (rest[is_wide and rest is not line :] for line, rest in zip(lines, rests, strict=True))
    return "\n".join(_MARK.sub("", line, count=1) for line in bare)


def _ends(lines: list[str]) -> list[int]:
    """Where the prefix of each line ends; a time alone is none of a line alone."""
    own = [line for line in lines if line.strip()]
    is_alone = len(own) == 1
    pattern = _EACH if not is_alone and all(map(_EACH.match, own)) else _ANY
    matches = map(pattern.match, lines)
    return [match.end() if match and not (is_alone and _TIME_ALONE.fullmatch(match[0])) else 0 for match in matches]
