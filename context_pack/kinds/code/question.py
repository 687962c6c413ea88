"""Reading a question: its primary items, their ties if it asks for them, the format, and how sure the answer is.

Some questions are about a name: `who calls parse_query?`, `implementations of Store`, `where is class Cart defined?`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace

from context_pack.kinds.code import selection
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.question_forms import has_exact_hit, name_of, relation_in, with_name
from context_pack.kinds.code.selection import Question
from context_pack.options.resolve import Settings, check_query, log_hints
from context_pack.redaction import Redactor
from context_pack.render.phrases import counted, first_of, span
from contracts.lazy_regex import lazy_regex
from contracts.records import Hint
from index.search import ranker
from index.search.query import parse_query
from index.search.spelling import is_code_name, is_compound_name, symbol_of
from index.text import parts_of, stem
from index.types import EXACT_SCORE, Filters, Grade, Scored, TraceReading

NO_MATCH = Hint(
    "info",
    "Nothing in this repository shares a word with this query. Try an identifier, a file name or other words.",
)
FILTERED_OUT = Hint(
    "info",
    "No file that passes the filters shares a word with this query. "
    "Loosen include, exclude, language or no_docs, or use other words.",
)
NO_FILE_PASSES = Hint("warn", "No indexed file passes the filters. Loosen include, exclude, language or no_docs.")
NO_FILE = "No indexed file matches include {}. A pattern with a slash is relative to the root."
BESIDE_FRAMES = 4  # primary items for the words of a trace, in addition to its frames
NAMED_FRAMES = 5  # moved or missing frames that a hint names
MAX_SUGGESTED = 3  # suggested names
_COMMAND = lazy_regex(r"`ctxpack (query|search|symbols) ((?s:.+))`")


def question(corpus: Corpus, raw: Corpus, text: str | None, settings: Settings, redactor: Redactor) -> Question:
    """The question for a text, a change, or both. `raw` is the corpus without redaction, which is faster to search."""
    has: selection.Has = selection.has_nothing
    notes: tuple[Hint, ...] = ()
    if settings.have or settings.have_pack:
        from context_pack.kinds.code.already_read import already_read

        has, notes = already_read(corpus, settings)
    if settings.diff is not None:
        from context_pack.io.changes import changes
        from context_pack.kinds.code.change.review import review

        words = check_query(text) if text and text.strip() else ""
        about = review(raw, changes(raw.root, settings.diff, staged=settings.staged), words, settings, redactor)
        primaries = [scored for scored in about.primaries if not has(scored.chunk)]
        notes = (*_left_out(corpus, about.primaries, has), *notes)
        return replace(about, primaries=primaries, notes=(*about.notes, *notes), has=has)
    query = check_query(text)
    notes = (*log_hints(text or "", query), *notes)
    check_indexed(corpus, query, settings)
    respelled, misspelt = respelling(corpus, query)
    respelled, renamed = _with_nearest_name(corpus, respelled, settings)
    misspelt = (*misspelt, *renamed)
    rest, inside = respelled, settings
    if " " in respelled:
        from context_pack.kinds.code.within import without_place

        rest, inside = without_place(corpus, respelled, settings)
    name = _name_in(corpus, rest, inside)
    about = _about(corpus, name, inside, has, (*misspelt, *notes))
    about = _with_wiring(corpus, about, inside)
    left_out = _left_out(corpus, about.primaries, has)
    about = replace(about, notes=(*about.notes, *left_out)) if left_out else about
    return about if name == query else replace(about, title=query)


def _name_in(corpus: Corpus, text: str, settings: Settings) -> str:
    """The name that a text asks for, also inside words that only ask; otherwise the text itself."""
    name = name_of(corpus, with_name(corpus, text), settings)
    if name != text or " " not in text:
        return name
    from index.search.query.framing import unframed

    plain = unframed(text)
    if plain == text or relation_in(corpus, text)[0]:
        return name
    return name_of(corpus, with_name(corpus, plain), settings)


def _with_wiring(corpus: Corpus, about: Question, settings: Settings) -> Question:
    """The question; if it is a name, with ties to markup and data that name the definition."""
    definitions = about.definitions if settings.related and settings.related_mode != "none" else []
    name = symbol_of(about.query).rpartition(".")[2] if definitions else ""
    numbers = corpus.naming_in_data(name) if is_code_name(name) else []
    if not numbers:
        return about
    from context_pack.kinds.code.ties.wiring import wired

    ties = wired(corpus, name, numbers, definitions[0].chunk, settings)
    return replace(about, beside=(ties,)) if ties else about


def check_indexed(corpus: Corpus, text: str, settings: Settings) -> None:
    """Raises NotFound, with the cause, if a text is a place in a file of the tree that is not indexed."""
    if "\n" in text or not {".", "/"}.intersection(text):
        return
    from context_pack.kinds.code.target import check_place

    check_place(corpus, text, settings.max_file_bytes)


def _about(corpus: Corpus, query: str, settings: Settings, has: selection.Has, notes: tuple[Hint, ...]) -> Question:
    if relation_in(corpus, query)[0] and (tied := _tied(corpus, query, settings, has, notes)):
        return tied
    trace = corpus.trace(query, filters=settings.filters)
    chosen = settings
    if trace is not None and settings.limit is None:  # room for every frame in this tree, and for the message
        chosen = replace(settings, limit=max(settings.primaries, trace.places + BESIDE_FRAMES))
    primaries = selection.select_primary(corpus, query, chosen, has)
    notes = (*trace_hints(trace), *notes)
    grade = corpus.grade(query, filters=settings.filters)
    if primaries and primaries[0].score >= EXACT_SCORE:
        return Question(
            primaries, query, has, grade, notes, confidence_hints(corpus, query, primaries, grade, settings)
        )
    names = nearest(corpus, query) if trace is None else []  # the frames of a trace need no suggestions
    if names and (not primaries or _is_misspelt(corpus, query, names[0], primaries, grade)):
        primaries = selection.select_primary(corpus, names[0], settings, has)
        answers = names[0] if primaries else ""
        notes = (*suggestions(query, names, "query", answers), *notes)
        grade = Grade("weak", f"nothing has this name; {names[0]} is the nearest one")
        return Question(primaries, answers or query, has, grade, notes)
    hints = confidence_hints(corpus, query, primaries, grade, settings)
    notes = (*suggestions(query, names, "query"), *notes)
    if not primaries and NO_MATCH not in hints:
        hints, notes = (), (*hints, *notes)
    return Question(primaries, query, has, grade, notes, hints)


def _tied(
    corpus: Corpus, query: str, settings: Settings, has: selection.Has, notes: tuple[Hint, ...]
) -> Question | None:
    """The question about the ties of a name; None if `relation` has none."""
    from context_pack.kinds.code.ties.relation import relation, unknown

    tied = relation(corpus, query, settings)
    if tied is None:
        return None
    name, ties = tied.name, tied.ties
    if tied.is_complete:
        return Question(tied.definitions, query, has, Grade("strong", f"{name} is used here"), notes)
    if ties:
        if tied.remark:
            notes = (Hint("info", f"{unknown(corpus, query, name)}; {tied.remark}."), *notes)
        grade = Grade("strong", f"{name} is defined here")
        return Question(tied.definitions, query, has, grade, notes, ties=ties, named_at=tied.lines)
    notes = (Hint("info", f"{unknown(corpus, query, name)}; this is a text search."), *notes)
    # The text shows what reads a constant; the definition may say why nothing is tied to it.
    if not parse_query(query).wants_tests:
        return replace(_about(corpus, name, settings, has, notes), title=query)
    shown = {one.chunk for one in tied.definitions}
    others = (one for one in selection.select_primary(corpus, query, settings, has) if one.chunk not in shown)
    grade = Grade("strong", f"{name} is defined here")
    return Question([*tied.definitions, *others], query, has, grade, notes)


def _is_misspelt(corpus: Corpus, query: str, nearest: str, primaries: Sequence[Scored], grade: Grade) -> bool:
    """Whether the query is one word that code does not contain, and the nearest name has the same letters, or the match
    is not strong, or no primary item contains it as a whole word, in its case if only code spells it so."""
    word = query.strip()
    if len(word.split()) > 1 or _is_used(corpus, word, nearest):
        return False
    if parts_of(word) != parts_of(nearest) and "".join(parts_of(word)) == "".join(parts_of(nearest)):
        return True  # `requesterror` for `RequestError`: its definition comes first, not what calls it
    case = re.NOFLAG if is_compound_name(word) else re.IGNORECASE
    stands = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", case).search
    return grade.confidence != "strong" or not any(stands(corpus.chunk(one.chunk).text) for one in primaries)


def _is_used(corpus: Corpus, text: str, nearest: str) -> bool:
    """Whether code contains a name, or its last part if that is a member of something unknown (`R.layout.main`), and
    the nearest name is not another form of it: `exports` means a function `export`, also if code contains `exports`."""
    owner, _, last = symbol_of(text).rpartition(".")
    if not last or (owner and corpus.defined(owner)):
        return False
    forms = [list(map(stem, parts_of(name))) for name in (last, nearest.rpartition(".")[2])]
    return forms[0] != forms[1] and corpus.contains(last)


def _left_out(corpus: Corpus, primaries: Sequence[Scored], has: selection.Has) -> tuple[Hint, ...]:
    """A hint that names the places of the answer that are left out because the reader has them."""
    left_out = [one.chunk for one in primaries if selection.is_left_out(one, has)]
    if not left_out:
        return ()
    symbols = [corpus.parts(one.chunk) for one in primaries if one.chunk not in left_out]
    inside = {number for parts in symbols for number in range(parts[0], parts[-1] + 1)}  # of symbols that are shown
    rows = [corpus.chunk(number) for number in left_out if number not in inside]
    places = [f"{row.file}:{span(row.start_line, row.end_line)}" for row in rows]
    return (Hint("info", f"Left out, as you have it: {first_of(places, MAX_SUGGESTED)}."),) if places else ()


def trace_hints(trace: TraceReading | None) -> tuple[Hint, ...]:
    """Hints on the frames of a pasted trace that are in other code, hidden by filters, moved or gone."""
    if trace is None:
        return ()
    hints = []
    if trace.foreign:
        own = f"{trace.own} of them {'is' if trace.own == 1 else 'are'} in this repository"
        total = trace.own + trace.filtered + trace.foreign + len(trace.lost)
        hints.append(Hint("info", f"The trace has {counted(total, 'frame')}: {own}, {trace.foreign} in other code."))
    if trace.filtered:
        hints.append(Hint("info", f"The filters hide {counted(trace.filtered, 'frame')} of the trace."))
    if trace.elsewhere:
        hints.append(Hint("warn", f"The code has moved since the trace: {first_of(trace.elsewhere, NAMED_FRAMES)}."))
    if trace.lost:
        lost = first_of(trace.lost, NAMED_FRAMES)
        hints.append(Hint("warn", f"Neither the line nor the function exists any more: {lost}."))
    return tuple(hints)


def confidence_hints(
    corpus: Corpus, query: str, hits: Sequence[object], grade: Grade | None, settings: Settings
) -> tuple[Hint, ...]:
    """A hint on how sure a weak answer is, or on what to try if there is no answer."""
    if not hits:
        unmatched = corpus.unmatched(settings.include)
        if unmatched:
            return tuple(Hint("warn", NO_FILE.format(glob)) for glob in unmatched)
        if grade == ranker.FILTERED_OUT:
            return (NO_FILE_PASSES,)
        if settings.filters not in (Filters(), Filters(docs="first")):
            return (FILTERED_OUT,)
        return _near_in_meaning(corpus, query) or (NO_MATCH,)
    if grade is None or grade.confidence == "strong":
        return ()
    sure = "Weak match" if grade.confidence == "weak" else "No confident match: this may be the wrong repository"
    return (Hint("warn", f"{sure} ({grade.reason})."),)


def _near_in_meaning(corpus: Corpus, query: str) -> tuple[Hint, ...]:
    """Hints that name what is nearest in meaning to words that nothing here has, and a command for the first."""
    names = corpus.near_in_meaning(query, limit=MAX_SUGGESTED)
    if not names:
        return ()
    info = f"Nothing in this repository shares a word with this query. Nearest in meaning: {', '.join(names)}."
    return Hint("info", info), _command("query", names[0])


def _command(verb: str, name: str) -> Hint:
    return Hint("action", f"`ctxpack {verb} {shlex.quote(name)}`")


def respelling(corpus: Corpus, query: str) -> tuple[str, tuple[Hint, ...]]:
    """The query with its words spelled as in the repository, and a hint if any of them changed."""
    words = corpus.respellings(relation_in(corpus, query)[0] or query)  # not the words around a name: `callees of x`
    for word, other in words.items():
        query = re.sub(rf"(?<!\w){word}(?!\w)", other, query)
    read = ", ".join(f"{word} as {other}" for word, other in words.items())
    return query, (
        Hint("info", f"Words not found here were read as they are spelled in the code: {read}."),
    ) if words else ()


def _with_nearest_name(corpus: Corpus, text: str, settings: Settings) -> tuple[str, tuple[Hint, ...]]:
    """A question about the ties of a name, with the nearest name instead of one that nothing here has, and hints."""
    name, _ = relation_in(corpus, text)
    if not is_compound_name(name) or corpus.defined(name):
        return text, ()
    names = nearest(corpus, name)
    if not names or has_exact_hit(corpus, name, settings) or _is_used(corpus, name, names[0]):  # from elsewhere
        return text, ()
    return text.replace(name, names[0]), suggestions(name, names, "query", names[0])


def nearest(corpus: Corpus, text: str) -> list[str]:
    """The names that a text may have meant; empty if it is a defined name, or not a name."""
    near = corpus.nearest(text, limit=MAX_SUGGESTED)
    return [one.name for one in near] if near and near[0].distance else []


def suggestions(text: str, names: Sequence[str], verb: str, answers: str = "") -> tuple[Hint, ...]:
    """Hints with the nearest names and commands for them; `answers` is the name that this answer is for, if any."""
    if not names:
        return ()
    subject = "name is" if len(names) == 1 else "names are"
    near = f"showing {answers}, the nearest name" if answers else f"the nearest {subject} {', '.join(names)}"
    info = f"Nothing is named {text.strip()} here: {near}."
    return (Hint("info", info), *(_command(verb, name) for name in names))


def rewritten(hints: Sequence[Hint], write: Callable[[str, str], str]) -> tuple[Hint, ...]:
    """The hints, with each suggested command replaced by `write(verb, name)`. Others may quote names of files."""

    def written(hint: Hint) -> Hint:
        command = _COMMAND.fullmatch(hint.text) if hint.type == "action" else None
        return replace(hint, text=f"`{write(command[1], *shlex.split(command[2]))}`") if command else hint

    return tuple(map(written, hints))


def with_arguments(hints: Sequence[Hint], arguments: Sequence[str]) -> tuple[Hint, ...]:
    """The hints, with these arguments in each suggested command."""
    return rewritten(hints, lambda verb, name: shlex.join(["ctxpack", verb, name, *arguments]))
