"""The places that a change missed: they still name, import or use what it removed, replaced or moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from context_pack.kinds.code.change.former_uses import former_uses, moved_names
from context_pack.kinds.code.change.places import is_in_comments, rank_of
from context_pack.kinds.code.change.removed import former_definitions, imports, mentions, removed_names
from context_pack.kinds.code.corpus import Corpus
from contracts.frozen import frozen
from index.types import Scored

if TYPE_CHECKING:
    from context_pack.io.changes import Changes

IN_PROSE = (False, 2)  # the least rank of a mention outside comments that is not in code or tests


@frozen
class Missed:
    """Chunks with the lines that the change missed, by what these do; and the names that it removed or replaced, each
    with the place where it was. `mentions` are in the order of a reader: those of `code` come first, in code and tests.
    """

    imports: list[Scored]
    uses: list[Scored]
    mentions: list[Scored]
    code: int
    names: Mapping[str, str]

    @property
    def in_code(self) -> tuple[Scored, ...]:
        """The places in code and tests, the most certain first."""
        return (*self.imports, *self.uses, *self.mentions[: self.code])


def missed_by(
    corpus: Corpus, changes: Changes, replaced: Mapping[str, str], passes: Callable[[int], bool],
    shown: Callable[[str], str], best: float,
) -> Missed:  # fmt: skip
    """The places that `changes` missed and that pass the filters, with scores of at most `best`; `shown` returns a path
    as it may be shown."""
    former = former_definitions(changes)
    names = {**replaced, **{name: shown(file) for name, file in removed_names(corpus, changes, former).items()}}
    named = [one for one in mentions(corpus, names, best) if passes(one.chunk)]
    ranks = {one.chunk: (is_in_comments(corpus, one), rank_of(corpus.chunk(one.chunk))) for one in named}
    return Missed(
        [one for one in imports(corpus, changes, shown) if passes(one.chunk)],
        [one for one in former_uses(corpus, moved_names(corpus, changes, former), shown) if passes(one.chunk)],
        sorted(named, key=lambda one: ranks[one.chunk]),
        sum(ranks[one.chunk] < IN_PROSE for one in named),
        names,
    )
