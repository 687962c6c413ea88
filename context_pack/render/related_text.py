"""What is tied to a place as plain text: the place, then one list for each way to be tied to it."""

from __future__ import annotations

from context_pack.render.phrases import escaped
from contracts.reports import Hit, Place, Related


def render(related: Related) -> str:
    """`src/a.py:7-9  class Cache`, then `called by` and the like, each with what is tied that way, strongest first."""
    of = "".join(f"{_line(place)}\n" for place in related.of)
    groups: dict[tuple[str, ...], list[Hit]] = {}
    for hit in sorted(related.hits, key=lambda hit: hit.distance or 0):  # stable: strongest first stays
        groups.setdefault(hit.relationship, []).append(hit)
    if not groups:
        return f"{of}\nnothing is tied to this place\n"
    return of + "".join(f"\n{_heading(labels)}\n{_list(hits)}" for labels, hits in groups.items())


def _heading(labels: tuple[str, ...]) -> str:
    return ", ".join(label.replace("_", " ") for label in labels)


def _list(hits: list[Hit]) -> str:
    return "".join(f"  {_line(hit)}\n{_reasons(hit)}{_content(hit)}" for hit in hits)


def _reasons(hit: Hit) -> str:
    return "".join(f"      {part.points:+.3f} {escaped(part.name)} {escaped(part.detail)}\n" for part in hit.why)


def _content(hit: Hit) -> str:
    """With `--content`: the code, indented below its place."""
    if hit.content is None:
        return ""
    return "".join(f"      {line}".rstrip() + "\n" for line in hit.content.split("\n"))


def _line(place: Place | Hit) -> str:
    lines = f"{place.start_line}" if place.start_line == place.end_line else f"{place.start_line}-{place.end_line}"
    name = " ".join(filter(None, (place.type, escaped(place.symbol or ""))))
    return f"{escaped(place.file)}:{lines}  {name}".rstrip()
