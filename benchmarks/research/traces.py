"""Whether packs show the places that a question names: frames of traces at 8,000 characters, FILE:LINE at 600.

    python -m benchmarks.research.traces --suite SUITE [--corpora TREES] [--only NAME ...] [--each 4] [--places 40]
        [--out RESULT.json] [--write NAME]

Traces are generated (`trace_samples.py`) over real functions and lines of the suite's trees. A frame's line is shown if
an item of the pack has it and does not leave it out; `named` counts the lines in the index's first hits.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import machine, pages, report
from benchmarks.pack import pack_within
from benchmarks.research.trace_samples import OwnFrame, Sample, own_lines, samples
from benchmarks.suites import Repository, Suite, load_suite
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.records import Item
from index import open_index

TRACE_CHARS, PLACE_CHARS = 8_000, 600
MIN_SHOWN = 0.97
HITS = 60
LANGUAGES = {"c++": "cpp", "c#": "csharp", "shell": "bash"}
EXAMPLES = 12  # of missing lines, printed


@dataclass(slots=True)
class Figures:
    """Counts of one kind of trace."""

    traces: int = 0
    frames: int = 0
    named: int = 0
    shown: int = 0
    innermost: int = 0


@dataclass(slots=True)
class TraceMeasures:
    kinds: dict[str, Figures] = field(default_factory=dict)
    places: int = 0
    places_named: int = 0  # the first hit has their line
    places_shown: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def total(self) -> Figures:
        every = self.kinds.values()
        names = ("traces", "frames", "named", "shown", "innermost")
        return Figures(*(sum(getattr(one, name) for one in every) for name in names))


def shows(items: Iterable[Item], path: str, line: int) -> bool:
    """Whether an item shows this line of this file."""
    return any(
        item.file == path
        and item.start_line <= line <= item.end_line
        and not any(first <= line <= last for first, last in item.elided)
        for item in items
    )


def measure_trace(session: Session, repository: str, sample: Sample, done: TraceMeasures) -> None:
    pack = pack_within(session, sample.text, max_chars=TRACE_CHARS)
    items = pack.items if pack else ()
    hit_lines = _hit_lines(session, sample.text)
    figures = done.kinds.setdefault(sample.kind, Figures())
    figures.traces += 1
    for place, one in enumerate(sample.own):
        shown = shows(items, one.path, one.line)
        figures.frames += 1
        figures.named += (one.path, one.line) in hit_lines
        figures.shown += shown
        figures.innermost += shown and not place
        if not shown:
            how = "named" if (one.path, one.line) in hit_lines else "not named"
            done.missing.append(f"{repository} {sample.kind} frame {place}: {_frame_text(one)} ({how})")


def _frame_text(one: OwnFrame) -> str:
    return f"{one.path}:{one.line} {one.owner}.{one.function}"


def _hit_lines(session: Session, text: str, top_k: int = HITS) -> set[tuple[str, int]]:
    """The lines that the index's first hits are about."""
    corpus = session.corpus
    hits = corpus.search(text, top_k=top_k)
    return {
        (corpus.chunk(hit.chunk).file, line)
        for hit in hits
        for first, last in hit.lines
        for line in range(first, last + 1)
    }


def measure_places(session: Session, repository: Repository, language: str, count: int, done: TraceMeasures) -> None:
    """Ask FILE:LINE for lines that fit into the budget together with the cost of an item."""
    draw = random.Random(f"{repository.name} places")
    lines = own_lines(repository.root, language, repository.name)
    for one in draw.sample(lines, min(count, len(lines))):
        query = f"{one.path}:{one.line}"
        pack = pack_within(session, query, max_chars=PLACE_CHARS)
        done.places += 1
        done.places_named += (one.path, one.line) in _hit_lines(session, query, 1)
        if pack is not None and shows(pack.items, one.path, one.line):
            done.places_shown += 1
        else:
            done.missing.append(f"{repository.name} {_frame_text(one)} at {PLACE_CHARS}")


def run(suite: Suite, each: int, places: int, scratch: Path) -> TraceMeasures:
    done = TraceMeasures()
    for repository in suite.repositories:
        language = LANGUAGES.get(repository.language.lower(), repository.language.lower())
        index = open_index(repository.root, home=scratch / repository.name, model="embedded")
        session = Session(index, Layer({"model": "embedded"}))
        for sample in samples(repository.root, repository.name, language, each):
            measure_trace(session, repository.name, sample, done)
        measure_places(session, repository, language, places, done)
    return done


def table(about: dict[str, Any], done: TraceMeasures) -> str:
    """The figures as Markdown."""
    rows = [_row(kind, figures) for kind, figures in sorted(done.kinds.items())]
    lines = [
        f"### Traces over {about['repositories']} repositories", "",
        *report.table(
            ["kind", "traces", "own frames", "named", f"shown at {TRACE_CHARS:,}", "innermost shown"],
            [*rows, _row("**all**", done.total)],
        ), "",
        f"- Marks: at least {MIN_SHOWN:.0%} of own frames' lines shown, and always the innermost.",
        f"- FILE:LINE at {PLACE_CHARS} characters: {done.places_shown} of {done.places} lines shown (mark: all); "
        f"{done.places_named} in the first hit.", "",
        f"Commit {about['commit']}; {about['machine']}; `{about['command']}`.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _row(kind: str, figures: Figures) -> list[str]:
    frames, traces = max(1, figures.frames), max(1, figures.traces)
    return [
        kind, str(figures.traces), str(figures.frames), f"{figures.named / frames:.3f}",
        f"{figures.shown / frames:.3f}", f"{figures.innermost / traces:.3f}",
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, help="folder that holds the suite's trees by name")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these repositories alone")
    parser.add_argument("--each", type=int, default=4, help="traces of each kind and repository")
    parser.add_argument("--places", type=int, default=40, help="FILE:LINE questions of each repository")
    parser.add_argument("--out", type=Path, help="JSON")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    options = parser.parse_args(arguments)
    suite = load_suite(options.suite, options.corpora).only(names=options.only)
    with tempfile.TemporaryDirectory() as scratch:
        done = run(suite, options.each, options.places, Path(scratch))
    about = {
        "repositories": len(suite.repositories), "commit": machine.commit(), "machine": machine.machine(),
        "command": machine.command("benchmarks.research.traces", arguments),
    }  # fmt: skip
    text = table(about, done)
    print(text)
    for line in done.missing[:EXAMPLES]:
        print(line)
    if options.write:
        pages.publish(options.write, text)
    if options.out:
        kinds = {kind: {name: getattr(one, name) for name in one.__slots__} for kind, one in done.kinds.items()}
        document = {
            "about": about,
            "kinds": kinds,
            "places": [done.places_shown, done.places_named, done.places],
            "missing": done.missing,
        }
        options.out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
