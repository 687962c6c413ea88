"""The words of a question that stand nowhere in the tree, as the tree spells them: `midleware` is `middleware`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, takewhile
from string import ascii_lowercase

from index.collection.collection import Collection
from index.collection.reader import ChunkReader
from index.embed.static import StaticEmbedder
from index.search.definitions import QUESTION_CHARS
from index.search.names import edits
from index.search.query import parse_query
from index.text import parts_of, stem, words_of
from index.types import ChunkId

LEAST_LETTERS = 6  # of a misspelt word; of one with two letters exchanged or one left out, one less
LEAST_OF_TWO = 9  # of one with two letters too many
# In meaning, where the model knows both: `recieve` and `receive` are 0.63, `decided` and `decode` 0.00. A word that it
# knows, `median`, is no misspelling of one that it does not, `medina`.
LEAST_ALIKE = 0.45
MOST_WORDS = 6  # of a question, that are looked up
LEAST_HOLDERS = 2  # chunks of the word that is meant: what stands once may be misspelt itself
CLEARLY = 4  # times as many chunks as the next word that may be meant
# Of another form of a word; `callers` and `called` are two words, `objecj`, `headeer` and `colour` are `object`,
# `header` and `color`.
ENDINGS = frozenset(["", *"s es d ed r er rs ers or ors e y ly al ing ion ions ies ied n en able ment".split()])
MOST_READ = 30  # chunks of a word, for how it is spelled


def respellings(collection: Collection, model: StaticEmbedder, text: str) -> dict[str, str]:
    """For words of a question that stand nowhere, the word that does and differs in a letter or two.

    Nothing for a word that may stand for several or that the model knows in another meaning, for names that only code
    spells so, and for other alphabets.
    """
    if parse_query(text).kind != "words" or len(text) > QUESTION_CHARS:
        return {}
    plain = (word for word in dict.fromkeys(words_of(text)) if word.isascii() and word.isalpha() and word[1:].islower())
    unknown = [
        word for word in plain if len(word) >= LEAST_LETTERS - 1 and not _holders(collection, stem(word.lower()))
    ]
    meant = {word: _meant(collection, model, word.lower()) for word in unknown[:MOST_WORDS]}
    return {word: other for word, other in meant.items() if other}


def _holders(collection: Collection, term: str) -> int:
    """How many chunks and paths hold a term."""
    lexical = collection.lexical
    number = lexical.numbers_of([term])[0]
    return 0 if number < 0 else len(lexical.fields["body"].of(number)) + len(lexical.path.of(number))


def _meant(collection: Collection, model: StaticEmbedder, word: str) -> str:
    """The one word of the tree that a misspelt one clearly stands for; empty where there is none."""
    stems = {stem(other) for other in _neighbours(word)}
    letters = {one[0] for one in stems}
    terms = sorted(stems.intersection(chain.from_iterable(map(collection.lexical.terms.beginning, letters))))
    holders = {term: count for term in terms if (count := _holders(collection, term)) >= LEAST_HOLDERS}
    alike = [term for term in holders if model.similarity(stem(word), term) >= LEAST_ALIKE]
    spelled = {other: holders[term] for term in alike if (other := _spelled(collection, term, word))}
    best = sorted(spelled, key=lambda other: (-spelled[other], other))[:2]
    return best[0] if len(best) == 1 or (best and spelled[best[0]] >= CLEARLY * spelled[best[1]]) else ""


def _neighbours(word: str) -> Iterator[str]:
    """What a word may have been meant as: one letter more, less or other, two exchanged, two in a row less.

    The first letter is rarely a wrong one.
    """
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        if at:
            yield from (head + letter + tail for letter in ascii_lowercase)
        if at and tail and len(word) >= LEAST_LETTERS:
            yield from (head + letter + tail[1:] for letter in ascii_lowercase)
            yield head + tail[1:]
        if at and len(word) >= LEAST_OF_TWO:
            yield head + tail[2:]


def _spelled(collection: Collection, term: str, word: str) -> str:
    """How the tree spells the word with this stem that is nearest to a misspelt one; empty where none is near."""
    reader, forms = ChunkReader(collection), Counter[str]()
    for chunk in collection.lexical.holding([term])[:MOST_READ].tolist():
        text = reader.text(ChunkId(chunk)).decode("utf-8", "replace")
        forms.update(part for one in words_of(text) for part in parts_of(one) if stem(part) == term)
    near = [(edits(word, form, 2), -forms[form], form) for form in forms if not _differ_in_ending(word, form)]
    return min((one for one in near if one[0] <= 2), default=(0, 0, ""))[2]


def _differ_in_ending(word: str, other: str) -> bool:
    """Whether one is another form of the other: `caller` and `calls` are two words, `requst` and `lenght` misspelt."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False))
    shared = sum(1 for _ in same)
    ending = word[shared:]
    return ending in ENDINGS and other[shared:] in ENDINGS and ending[:1] != word[shared - 1]
