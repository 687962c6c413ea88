"""Corrects words of a question that do not occur in the tree to words that do: `midleware` to `middleware`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from posixpath import commonprefix
from string import ascii_lowercase

from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.search.definitions import QUESTION_CHARS
from index.search.names import edits
from index.search.query import parse_query
from index.text import parts_of, stem, stems_of, terms_of, words_of

MIN_LETTERS = 6  # of a misspelt word; one less if two letters are swapped or one is missing
MIN_OF_TWO = 9  # letters of a word with two letters too many
# Similarity in meaning, if the model knows both words: `recieve` and `receive` have 0.63, `decided` and `decode` 0.00.
# A word that the model knows, `median`, is not a misspelling of one that it does not know, `medina`.
MIN_ALIKE = 0.45
MAX_WORDS = 6  # words of a question that are looked up
MIN_HOLDERS = 2  # chunks with the correct word: a word that occurs once may be misspelt itself
CLEARLY = 4  # times as many chunks as the second-best word
# Endings of the forms of a word: `callers` and `called` are two words, but `objecj`, `headeer` and `colour` mean
# `object`, `header` and `color`.
ENDINGS = frozenset(["", *"s es d ed r er rs ers or ors e y ly al ing ion ions ies ied n en able ment".split()])
MAX_READ = 30  # chunks that are read to find the spelling of a word


def respellings(collection: Collection, model: StaticEmbedder, text: str) -> dict[str, str]:
    """For words of a question that do not occur in the tree, the word that does and differs in a letter or two.

    Words that may mean several others, that the model knows in another meaning, that only code spells so, or that use
    another alphabet are left out.
    """
    if parse_query(text).kind != "words" or len(text) > QUESTION_CHARS:
        return {}
    plain = (word for word in dict.fromkeys(words_of(text)) if word.isascii() and word.isalpha() and word[1:].islower())
    unknown = [word for word in plain if len(word) >= MIN_LETTERS - 1 and not _holders(collection, stem(word.lower()))]
    intended = {word: _intended_word(collection, model, word.lower()) for word in unknown[:MAX_WORDS]}
    return {word: other for word, other in intended.items() if other}


def _holders(collection: Collection, term: str) -> int:
    """The number of chunks and paths that contain a term."""
    lexical = collection.lexical
    number = lexical.number_of(term)
    return 0 if number < 0 else sum(len(lexical.fields[field].of(number)) for field in ("body", "path"))


def _intended_word(collection: Collection, model: StaticEmbedder, word: str) -> str:
    """The word of the tree that a misspelt one clearly means; empty if there is none."""
    start, own = word[:2], stem(word)
    # Those with other first letters are few, and looked up one by one.
    likely = {*collection.lexical.terms.beginning(start)}
    if model.knows(own):  # as nearly always; then few terms are near in meaning
        likely.intersection_update(model.similar(own, start, MIN_ALIKE))
    places = range(len(word) + 1) if likely else range(len(start))
    stems = set(stems_of([*_neighbours(word, places)]))
    terms = [one for one in sorted(stems) if one in likely or not one.startswith(start)]
    holders = {term: count for term in terms if (count := _holders(collection, term)) >= MIN_HOLDERS}
    alike = [term for term in holders if model.similarity(own, term) >= MIN_ALIKE]
    spelled = {other: holders[term] for term in alike if (other := _nearest_spelling(collection, term, word))}
    best = sorted(spelled, key=lambda other: (-spelled[other], other))[:2]
    return best[0] if len(best) == 1 or (best and spelled[best[0]] >= CLEARLY * spelled[best[1]]) else ""


def _neighbours(word: str, places: range) -> Iterator[str]:
    """The words that may be meant: at one of the places, a letter inserted, removed or replaced, two swapped, or two in
    a row removed.

    The first letter can only be swapped: it is rarely wrong.
    """
    for at in places:
        head, tail = word[:at], word[at:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        if at:
            yield from (head + letter + tail for letter in ascii_lowercase)
        if at and tail and len(word) >= MIN_LETTERS:
            yield from (head + letter + tail[1:] for letter in ascii_lowercase)
            yield head + tail[1:]
        if at and len(word) >= MIN_OF_TWO:
            yield head + tail[2:]


def _nearest_spelling(collection: Collection, term: str, word: str) -> str:
    """The word of the tree with this stem that is nearest to a misspelt one; empty if none is near."""
    forms = Counter[str]()
    for chunk in collection.lexical.holding([term])[:MAX_READ].tolist():
        words = words_of(collection.text_of(chunk).decode("utf-8", "replace"))
        own = (word for word in words if term in terms_of(word))  # cached: texts repeat their words
        forms.update(part for word in own for part in parts_of(word) if stem(part) == term)
    near = [(edits(word, form, 2), -forms[form], form) for form in forms if not _differ_in_ending(word, form)]
    return min((one for one in near if one[0] <= 2), default=(0, 0, ""))[2]


def _differ_in_ending(word: str, other: str) -> bool:
    """Whether one is another form of the other, as `caller` and `calls`; `requst` and `lenght` are misspelt."""
    shared = len(commonprefix([word, other]))
    ending = word[shared:]
    return ending in ENDINGS and other[shared:] in ENDINGS and ending[:1] != word[shared - 1]
