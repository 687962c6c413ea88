"""One explore question for reading: what must be read, our pack, and semble's results beside it.

    python -m benchmarks.explore.compare --suite SUITE --trees DIR ... --repository NAME [--question N]
        [--repos FILE] [--max-chars 8000] [--rankers FOLDER] [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER]

Without `--question` the repository's questions are listed. A `*` before a line number: the line is in a span that must
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


def asked(repository: Repository, question: Question) -> Iterator[str]:
    """The question and its spans, those that must be read with their lines."""
    yield f"# {repository.name} ({repository.language}), {question.kind}: {question.query}"
    yield question.why
    for span in question.spans:
        yield f"\n## {'must be read' if span.grade == MUST else 'helps'}: {span.path}:{span.start_line}:{span.end_line}"
        if span.grade == MUST:
            yield from numbered(repository.root, lines_of(span), question)


def our_pack(packs: Packs, repository: Repository, question: Question, max_chars: int) -> Iterator[str]:
    answer = packs.ask(question.query, max_chars)
    items = answer.data.items if answer else ()
    shown = lines_shown(items)
    yield f"\n# ctxpack, {max_chars:,} characters, {len(items)} items, {confidence(answer)}: {figures(shown, question)}"
    for item in items:
        told = f"{item.role} {item.score:.3f} {item.symbol or ''} {' '.join(item.relationship)}"
        yield f"\n## {item.file}:{item.start_line}:{item.end_line} {told.strip()}"
        yield from numbered(repository.root, lines_shown([item]), question)


def peer_results(peer: PeerResults, repository: Repository, question: Question, max_chars: int) -> Iterator[str]:
    kept = first_come(peer.results(question.query), max_chars)
    shown = set().union(*map(lines_of, kept))
    yield f"\n# semble, {max_chars:,} characters, {len(kept)} results: {figures(shown, question)}"
    for place in kept:
        yield f"\n## {place.path}:{place.start_line}:{place.end_line}"
        yield from numbered(repository.root, lines_of(place), question)


def figures(shown: set[Line], question: Question) -> str:
    """The measures, and how much of each must-read span is shown."""
    values = ", ".join(f"{name} {value:.2f}" for name, value in score(shown, question).items())
    parts = ", ".join(f"{len(lines_of(one) & shown)}/{len(lines_of(one))}" for one in must_read(question))
    return f"{values}; lines of each span that must be read: {parts}"


def numbered(root: Path, lines: Iterable[Line], question: Question) -> Iterator[str]:
    """Lines of one file with their numbers, marked by what the question's spans say of them; `...` for each gap."""
    wanted = sorted(lines)
    text = (root / wanted[0][0]).read_text("utf-8", "replace").split("\n") if wanted else []
    must, helps = (
        set().union(*(lines_of(span) for span in question.spans if span.grade == grade)) for grade in (MUST, HELPS)
    )
    before = None
    for file, number in wanted:
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
    chosen = parser.parse_args(arguments)
    suite = load_suite(chosen.suite, chosen.trees, chosen.repos).only([chosen.repository])
    if not suite.repositories:
        raise SystemExit(f"{chosen.suite} asks nothing of {chosen.repository}, or its tree is not there")
    (repository,) = suite.repositories
    if chosen.question is None:
        print("\n".join(f"{number} {one.kind}: {one.query}" for number, one in enumerate(repository.questions, 1)))
        return
    if not 1 <= chosen.question <= len(repository.questions):
        raise SystemExit(f"{repository.name} has questions 1 to {len(repository.questions)}")
    question = repository.questions[chosen.question - 1]
    with ExitStack() as opened:
        packs = Packs(Path(opened.enter_context(tempfile.TemporaryDirectory())), rankers=rankers(suite, chosen.rankers))
        packs.open(repository)
        print("\n".join([*asked(repository, question), *our_pack(packs, repository, question, chosen.max_chars)]))
        if chosen.peer_python:
            peer = PeerResults(opened.enter_context(engines.peer(chosen.peer_python, chosen.peer_model)))
            peer.open(repository)
            print("\n".join(peer_results(peer, repository, question, chosen.max_chars)))


if __name__ == "__main__":
    main()
