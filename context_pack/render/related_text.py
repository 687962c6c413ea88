"""What is tied to a place as plain text: the place, then one list for each way to be tied to it."""

from __future__ import annotations

from context_pack.render.phrases import escaped, span
from contracts.reports import Hit, Place, Related


def render(related: Related) -> str:
    """`src/a.py:7-9  class Cache`, then `called by` and the like, each with what is tied that way, strongest first."""
    of = "".join(f"{_line(place)}\n" for place in related.of)
    groups: dict[tuple[str, ...], list[Hit]] = {}
    for hit in sorted(related.hits, key=lambda hit: hit.distance or 0):  # stable: strongest first stays
        groups.setdefault(hit.relationship, []).append(hit)
    if not groups:
        return f"{of}\nnothing is tied to this place\n"
    return of + "".join(
        f"\n{', '.join(labels).replace('_', ' ')}\n{''.join(map(_tied, hits))}" for labels, hits in groups.items()
    )


def _tied(hit: Hit) -> str:
    """What is tied, with its reasons and, with `--content`, the code indented below."""
    why = "".join(f"      {part.points:+.3f} {escaped(part.name)} {escaped(part.detail)}\n" for part in hit.why)
    code = [] if hit.content is None else hit.content.split("\n")
    return f"  {_line(hit)}\n{why}" + "".join(f"      {line}".rstrip() + "\n" for line in code)


def _line(place: Place | Hit) -> str:
    name = " ".join(filter(None, (place.type, escaped(place.symbol or ""))))
    return f"{escaped(place.file)}:{span(place.start_line, place.end_line)}  {name}".rstrip()
