"""The results of the graph benchmark as one page of Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.report import table
from benchmarks.research.graph.compare import Score
from benchmarks.research.graph.verdicts import VerdictCounts

TOOLS = {
    "python": "jedi 0.20.1; flask 3.1.0, click 8.1.8, requests 2.32.3, httpx 0.28.1",
    "typescript": "TypeScript 5.9.3; zod 3.25.76 (v4), @trpc/server 11.25.2, rxjs 7.8.2, @tanstack/query-core 5.90.2",
    "go": "go/types 1.27.3; cobra, chi, mux, kong as Debian packages them",
}
# Least precision and recall of calls.
MARKS = {"python": (0.90, 0.70), "typescript": (0.85, 0.60)}
VERDICT_MARK = 0.85
EXPLANATION = """\
Checked one by one in the sources at both ends; `graph/checked/` contains every verdict, with repositories and commits.
Precision: the share of edges, drawn at random from our own calls and base classes, that lead to the definition that is
meant. Recall: the share of calls, drawn at random from the text and with their target in the tree, that we bind to it;
a call whose target is known only at run time does not count as in the tree. `python -m benchmarks.research.graph.draw`
draws by a hash of the edge itself. After a change of the resolver, the sample of today's edges therefore differs from
the last one only by edges that changed: those were checked at that time, and the edges that are still present are a
random sample of today's. (Java and Rust were drawn once, by a generator.) With sixty edges, 0.95 is accurate to about
0.06. The rules of the resolver were written while reading these trees, so expect somewhat less on others.

Wrong edges: overloads that differ in a type (Java, C#), a function of a library that the tree has under the same name
(Swift), macros of another platform (C, C++), names that blocks of a test define again (Ruby), a method of the class
although a companion's result is an interface (Scala). Definitions in branches of one `#if` all count as right. Missed
edges: members of what a lambda receives or a generic function infers (Kotlin, Scala), type classes (Haskell), receivers
known only at run time (Ruby).""".split("\n")
COLUMNS = [
    "language", "calls", "still present", "right", "precision", "bases", "right", "calls in the tree", "found",
    "recall", "mark", "met",
]  # fmt: skip


def page(scores: Mapping[str, Mapping[str, Score]], counts: Sequence[VerdictCounts], about: str) -> str:
    """Markdown: the tools' verdicts, people's verdicts, how to read them, and the origin of the figures."""
    lines = [
        "# How right the code graph is",
        "",
        "An edge is a pair of a symbol (or file) and a symbol, however often the one names the other. Precision: the",
        "share of our edges that the tool also has; an edge on which the tool gives no answer counts as wrong in the",
        "first column and is left out in the second. Recall: the share of the tool's edges with a target in the tree",
        "that we have. `extends` includes `implements`; members of TypeScript's interfaces and object types are",
        "targets for the tool but not symbols of ours, so they count as missed.",
        "",
        *table(
            ["language", "edges", "ours", "the tool's", "precision", "of edges judged", "recall", "mark", "met"],
            [_cells(language, kind, score) for language, kinds in scores.items() for kind, score in kinds.items()],
        ),
        "",
        *(f"- {language}: {tool}" for language, tool in TOOLS.items() if language in scores),
        "",
    ]
    if counts:
        lines += [*EXPLANATION, "", *table(COLUMNS, [_verdict_cells(one) for one in counts]), ""]
    lines += [
        "No tool gives `tests`, `documents` and `overrides` to compare with; JavaScript follows TypeScript's rules.",
        "Small trees in `tests/index/test_graph_languages.py` and `tests/index/test_graph_overloads.py` test each",
        "rule.",
        "",
        about,
    ]
    return "\n".join(lines) + "\n"


def _cells(language: str, kind: str, score: Score) -> list[str]:
    mark, met = "", ""
    if kind == "calls" and language in MARKS:
        precision, recall = MARKS[language]
        mark = f"≥ {precision:.2f} / {recall:.2f}"
        met = _yes(score.precision >= precision and score.recall >= recall)
    shares = (score.precision, score.judged_precision, score.recall)
    return [language, kind, f"{score.ours:,}", f"{score.theirs:,}", *(f"{share:.3f}" for share in shares), mark, met]


def _verdict_cells(one: VerdictCounts) -> list[str]:
    precision = _share(one.edges_right, one.edges_present)
    bases = [str(one.bases), str(one.bases_right)] if one.bases else ["", ""]
    recall = (
        [f"{one.sites_in_tree} of {one.sites}", str(one.sites_bound), _share(one.sites_bound, one.sites_in_tree)]
        if one.sites
        else ["", "", ""]
    )
    met = _yes(bool(one.edges_present) and one.edges_right >= VERDICT_MARK * one.edges_present)
    counts = [str(count) for count in (one.edges, one.edges_present, one.edges_right)]
    return [one.language, *counts, precision, *bases, *recall, f"≥ {VERDICT_MARK:.2f}", met]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else ""


def _yes(met: bool) -> str:
    return "yes" if met else "**no**"
