"""Print one explore question for inspection: what must be read, our pack, and semble's results.

    python -m benchmarks.explore.compare --suite SUITE --trees DIR ... --repository NAME [--question N]
        [--repos FILE] [--max-chars 8000] [--rankers FOLDER] [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER]

Without `--question`, the repository's questions are listed. A `*` before a line number: the line is in a span that must
be read; a `+`: in one that helps.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import engines
from benchmarks.explore.score import first_come, lines_of, must_read, score
from benchmarks.explore.sides import Packs, PeerResults, confidence, rankers
from benchmarks.explore.suite import HELPS, MUST, Question, Repository, load_suite
from context_pack.benchmark.measures import Line, lines_shown


def question_lines(repository: Repository, question: Question) -> Iterator[str]:
    """The question and its spans, those that must be read with their lines."""
    yield f"# {repository.name} ({repository.language}), {question.kind}: {question.query}"
    yield question.why
    for span in question.spans:
        yield f"\n## {'must be read' if span.grade == MUST else 'helps'}: {span.path}:{span.start_line}:{span.end_line}"
        if span.grade == MUST:
            yield from numbered_lines(repository.root, lines_of(span), question)


def our_pack(packs: Packs, repository: Repository, question: Question, max_chars: int) -> Iterator[str]:
    answer = packs.ask(question.query, max_chars)
    items = answer.data.items if answer else ()
    shown = lines_shown(items)
    yield f"\n# ctxpack, {max_chars:,} characters, {len(items)} items, {confidence(answer)}: {figures(shown, question)}"
    for item in items:
        summary = f"{item.role} {item.score:.3f} {item.symbol or ''} {' '.join(item.relationship)}"
        yield f"\n## {item.file}:{item.start_line}:{item.end_line} {summary.strip()}"
        yield from numbered_lines(repository.root, lines_shown([item]), question)


def peer_results(peer: PeerResults, repository: Repository, question: Question, max_chars: int) -> Iterator[str]:
    places = first_come(peer.results(question.query), max_chars)
    shown = set().union(*map(lines_of, places))
    yield f"\n# semble, {max_chars:,} characters, {len(places)} results: {figures(shown, question)}"
    for place in places:
        yield f"\n## {place.path}:{place.start_line}:{place.end_line}"
        yield from numbered_lines(repository.root, lines_of(place), question)


def figures(shown: set[Line], question: Question) -> str:
    """The measures, and how much of each must-read span is shown."""
    values = ", ".join(f"{name} {value:.2f}" for name, value in score(shown, question).items())
    parts = ", ".join(f"{len(lines_of(one) & shown)}/{len(lines_of(one))}" for one in must_read(question))
    return f"{values}; lines of each span that must be read: {parts}"


def numbered_lines(root: Path, lines: Iterable[Line], question: Question) -> Iterator[str]:
    """Lines of one file with their numbers, marked by the grade of the question's spans; `...` for each gap."""
    ordered_lines = sorted(lines)
    text = (root / ordered_lines[0][0]).read_text("utf-8", "replace").split("\n") if ordered_lines else []
    must, helps = (
        set().union(*(lines_of(span) for span in question.spans if span.grade == grade)) for grade in (MUST, HELPS)
    )
    before = None
    for file, number in ordered_lines:
        if before is not None and number != before + 1:
            yield "       ..."
        before = number
        mark = "*" if (file, number) in must else "+" if (file, number) in helps else " "
        yield f"{mark}{number:6} {text[number - 1] if number <= len(text) else ''}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--trees", type=Path, nargs="+", required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--repository", required=True)
    parser.add_argument("--question", type=int, metavar="N", help="the first is 1")
    parser.add_argument("--max-chars", type=int, default=8_000)
    parser.add_argument("--rankers", type=Path)
    parser.add_argument("--peer-python", type=Path)
    parser.add_argument("--peer-model", type=Path)
    options = parser.parse_args(arguments)
    suite = load_suite(options.suite, options.trees, options.repos).only([options.repository])
    if not suite.repositories:
        raise SystemExit(f"{options.suite} asks nothing of {options.repository}, or its tree is not there")
    (repository,) = suite.repositories
    if options.question is None:
        print("\n".join(f"{number} {one.kind}: {one.query}" for number, one in enumerate(repository.questions, 1)))
        return
    if not 1 <= options.question <= len(repository.questions):
        raise SystemExit(f"{repository.name} has questions 1 to {len(repository.questions)}")
    question = repository.questions[options.question - 1]
    with ExitStack() as stack:
        packs = Packs(Path(stack.enter_context(tempfile.TemporaryDirectory())), rankers=rankers(suite, options.rankers))
        packs.open(repository)
        print(
            "\n".join(
                [*question_lines(repository, question), *our_pack(packs, repository, question, options.max_chars)]
            )
        )
        if options.peer_python:
            peer = PeerResults(stack.enter_context(engines.peer(options.peer_python, options.peer_model)))
            peer.open(repository)
            print("\n".join(peer_results(peer, repository, question, options.max_chars)))


if __name__ == "__main__":
    main()
