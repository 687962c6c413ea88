"""Draw the pictures of the README and docs from real runs on the installed click, as SVG without fonts or scripts.

    python scripts/draw_pictures.py [FOLDER]        (default: docs/pictures)

The same versions of click and ctxpack give the same pictures.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
QUESTION = "prompt for a password without echo"
LIGHTS = ("#f85149", "#d29922", "#3fb950")
INK, FAINT, PAPER = "#1f2328", "#656d76", "#ffffff"
FAMILIES = {
    "words": ("#0969da", ("bm25", "cover", "compound", "phrase", "near")),
    "meaning": ("#8250df", ("dense",)),
    "names": ("#1a7f37", ("name", "defines", "exact", "symbol")),
    "what it is": ("#bf8700", ()),
}
BUDGETS = (1_000, 2_000, 4_000, 8_000, 16_000)


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    target.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (target / name).write_text(svg, "utf-8")


def pictures() -> dict[str, str]:
    """File name -> SVG."""
    with tempfile.TemporaryDirectory() as cache:
        shown = ["ctxpack", "query", QUESTION, "--repo", "click", "--max-chars", "1800", "--format", "text"]
        printed = _run(cache, *shown[1:]).decode()
        hits = json.loads(_run(cache, "search", QUESTION, "--repo", "click", "--top-k", "6", "--explain"))
        packs = [
            json.loads(_run(cache, "query", QUESTION, "--repo", "click", "--max-chars", str(budget)))["data"]
            for budget in BUDGETS
        ]
    command = " ".join(f'"{word}"' if " " in word else word for word in shown)
    return {
        "terminal.svg": terminal(command, printed),
        "points.svg": points(hits["data"]["hits"]),
        "budget.svg": budgets(packs),
    }


def _run(cache: str, *arguments: str) -> bytes:
    spec = find_spec("click")
    assert spec is not None and spec.origin is not None
    environment = {**os.environ, "CTXPACK_CACHE_DIR": cache, "CTXPACK_NO_BACKGROUND": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-m", "context_pack", *arguments]
    folder = Path(spec.origin).parents[1]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True).stdout


def terminal(command: str, printed: str) -> str:
    """A terminal: the command, then its answer, with the headings of the items in colour."""
    lines = [f"$ {command}", *printed.rstrip("\n").split("\n")]
    width, height = 8 * max(map(len, lines)) + 40, 18 * len(lines) + 62
    body = [
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
        *(f'<circle cx="{20 + 18 * place}" cy="18" r="5" fill="{light}"/>' for place, light in enumerate(LIGHTS)),
    ]
    for number, line in enumerate(lines):
        y = 52 + 18 * number
        body.append(f'<text x="20" y="{y}" fill="{_colour(number, line)}" xml:space="preserve">{escape(line)}</text>')
    return _svg(width, height, body, "13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace")


def _colour(number: int, line: str) -> str:
    if number == 0:
        return "#7ee787"
    if line.startswith("--- "):
        return "#79c0ff"
    return "#8b949e" if line.startswith("ctxpack:") or " characters, " in line or "left out" in line else "#e6edf3"


def points(hits: Sequence[dict[str, Any]]) -> str:
    """One bar per hit: points for it to the right, points against it to the left, by family of signals."""
    rows = [(_label(hit), _by_family(hit["why"]), sum(part["points"] for part in hit["why"])) for hit in hits]
    most = max(max(_reach(families)) for _, families, _ in rows)
    scale, zero, row = 330 / most, 620, 34
    height = 70 + row * len(rows)
    body = [f'<text x="20" y="26" fill="{INK}" font-weight="bold">{escape(QUESTION)}</text>', *_legend(height - 18)]
    for number, (label, families, total) in enumerate(rows):
        y = 44 + row * number
        body.append(f'<text x="20" y="{y + 15}" fill="{INK}">{escape(label)}</text>')
        right, left = float(zero), float(zero)
        for name, (up, down) in families.items():
            colour = FAMILIES[name][0]
            body.append(_bar(right, y, up * scale, colour))
            left -= down * scale
            body.append(_bar(left, y, down * scale, colour, 0.35))
            right += up * scale
        body.append(f'<text x="{right + 6:.0f}" y="{y + 15}" fill="{FAINT}">{total:+.2f}</text>')
    body.append(f'<line x1="{zero}" y1="38" x2="{zero}" y2="{height - 36}" stroke="{INK}"/>')
    return _svg(1010, height, body)


def _label(hit: dict[str, Any]) -> str:
    place = f"{hit['file']}:{hit['start_line']}"
    name = hit.get("symbol", "").rpartition(".")[2]
    return f"{place} {name}"[:42]


def _by_family(why: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    points = {name: (0.0, 0.0) for name in FAMILIES}
    for part in why:
        signal = part["name"].partition(".")[2] or part["name"]
        family = next((name for name, (_, starts) in FAMILIES.items() if signal.startswith(starts)), "what it is")
        up, down = points[family]
        points[family] = (up + max(part["points"], 0.0), down + max(-part["points"], 0.0))
    return points


def _reach(families: dict[str, tuple[float, float]]) -> tuple[float, float]:
    return sum(up for up, _ in families.values()), sum(down for _, down in families.values())


def _legend(y: float) -> list[str]:
    body = []
    for number, (name, (colour, _)) in enumerate(FAMILIES.items()):
        x = 20 + 120 * number
        body += [_bar(x, y - 11, 14, colour, height=12), f'<text x="{x + 20}" y="{y}" fill="{INK}">{name}</text>']
    return [
        *body,
        f'<text x="520" y="{y}" fill="{FAINT}">left of the line: points against; the number is the sum</text>',
    ]


def budgets(packs: Sequence[dict[str, Any]]) -> str:
    """One bar per budget: the cost of each item, primary and related, and the unused rest."""
    row, left, width = 46, 150, 740
    height = 64 + row * len(packs)
    body = [f'<text x="20" y="26" fill="{INK}" font-weight="bold">{escape(QUESTION)}: what a budget buys</text>']
    for number, pack in enumerate(packs):
        y, budget, x = 44 + row * number, pack["budget"], float(left)
        body.append(f'<text x="20" y="{y + 15}" fill="{INK}">{budget["max_chars"]:,} characters</text>')
        body.append(f'<rect x="{left}" y="{y}" width="{width}" height="20" fill="#eaeef2"/>')
        for item in pack["items"]:
            cost = (_cost(item) / budget["max_chars"]) * width
            colour = "#0969da" if item["role"] == "primary" else "#1a7f37"
            body.append(_bar(x, y, max(cost - 1, 1), colour, 0.55 if "elided" in item else 1.0))
            x += cost
        share = budget["used_chars"] / budget["max_chars"]
        caption = f"{len(pack['items'])} items, {share:.0%} used, {budget['dropped_items']} left out"
        body.append(f'<text x="{left}" y="{y + 34}" fill="{FAINT}">{caption}</text>')
    y = height - 10
    for x, colour, opacity, name in (
        (20, "#0969da", 1.0, "primary"), (120, "#1a7f37", 1.0, "related"), (220, "#0969da", 0.55, "cut to fit")
    ):  # fmt: skip
        body += [_bar(x, y - 11, 14, colour, opacity, 12), f'<text x="{x + 20}" y="{y}" fill="{INK}">{name}</text>']
    return _svg(920, height, body)


def _cost(item: dict[str, Any]) -> int:
    imports = sum(len(statement.encode()) + 1 for statement in item["imports"])
    return len(item["content"].encode()) + imports + 128


def _bar(x: float, y: float, width: float, colour: str, opacity: float = 1.0, height: float = 20) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height}" fill="{colour}" '
        f'fill-opacity="{opacity}"/>'
    )


def _svg(width: float, height: float, body: Sequence[str], font: str = "13px system-ui, sans-serif") -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    paper = "" if font.endswith("monospace") else f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n'
    return f'{head} style="font: {font}">\n{paper}' + "\n".join(body) + "\n</svg>\n"


if __name__ == "__main__":
    main()
