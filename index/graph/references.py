"""References to definitions: a receiver is followed to a class, file or package, and there the name is looked up."""

from __future__ import annotations

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.columns import Array, offsets_of
from index.graph.learned import Learned, Uses
from index.graph.lookup import MANY, MAX_CANDIDATES, NONE, sole
from index.graph.names import Names
from index.graph.overloads import Overloads
from index.graph.world import kinds

SELF_NAMES = ("self", "this", "cls", "Self", "@", "$this", "static", "__MODULE__", "@This")
# Called, these make an object of the class around; `self` does so in PHP alone.
OWN_CLASS = ("cls", "Self", "static")
SUPER_NAMES = ("super", "base", "parent")
# What a type or a base can be, a constant included: in Python types are made by calls and assigned.
_IS_TYPE = kinds("class", "struct", "enum", "interface", "trait", "impl", "type", "const", "variable", "module")
_CONTRACT, _TRAIT = kinds("interface"), kinds("trait")
_IS_VALUE = ~kinds("interface", "type")
_SCOPES = 5
_ROUNDS = 3  # `app = create_app()`, `def create_app() -> Flask`


class Binder:
    """Binds the references of one world. Bases come first, then what is known of types, then everything else."""

    def __init__(self, names: Names, learned: Learned | None = None) -> None:
        self.names = names
        self.world = names.world
        segment = self.world.segment
        steps = [segment.array(f"chain.{part}").astype(np.int64) for part in ("first", "second", "third", "fourth")]
        self._steps = np.column_stack(steps)
        self._is_self, self._is_super = (self._starts_with(words) for words in (SELF_NAMES, SUPER_NAMES))
        self._is_short = self._steps[:, 1] < 0
        self._value = np.full(int(segment.rows["typed"][-1]), NONE, np.int64)
        found = self.world.typed.find(self.world.keys.of(self.world.file, self.world.container, self.world.name))
        self._typed_row = np.where(found < 0, -1, found - self.world.first_typed)
        if learned is None:
            self._learn_bases()
            self._learn_values()
        else:
            self._value = learned.values

    @property
    def learned(self) -> Learned:
        names, wild = self.names, self.names.wild
        capped = np.array([wild.capped])
        return Learned(names.bound, *names.bases, self._value, self.world.whole, *wild.direct, capped)

    def _starts_with(self, words: tuple[str, ...]) -> Array:
        names = self.world.segment.names
        numbers = np.array([number for word in words if (number := names.find(word)) >= 0], np.int64)
        return np.isin(self._steps[:, 0], numbers)

    def bind(self, only: Array | None = None) -> Uses:
        """What the references are bound to; with `only` (their rows), of these alone."""
        world, segment = self.world, self.world.segment
        code = np.arange(len(segment.array("reference.kind"))) if only is None else only
        code = code[segment.array("reference.kind")[code] != REFERENCE_KINDS.index("mention")]
        kind = segment.array("reference.kind")[code]
        symbol = world.pointed("reference", "symbol", "definition", code)
        scope = np.where(symbol < 0, -1, world.qualified[symbol]) if world.definitions else symbol
        is_base = (kind == REFERENCE_KINDS.index("base")) & (symbol >= 0)
        scope[is_base] = self._around_base(symbol[is_base])
        answers = self._meant(code, scope)
        rows = np.flatnonzero((answers >= 0) & (answers < world.definitions))
        is_call = kind == REFERENCE_KINDS.index("call")
        at, among = self._among(code, answers, is_call)
        rows, targets = np.concatenate([rows, at]), np.concatenate([answers[rows], among])
        fits = is_call[rows] | _IS_TYPE[world.kind[targets]]
        rows, targets = rows[fits], targets[fits]
        return Uses(code[rows], targets, np.bincount(rows, minlength=len(kind))[rows])

    def _among(self, references: Array, answers: Array, is_call: Array) -> tuple[Array, Array]:
        """(position of the answer, one of the definitions that it leaves) for the ambiguous answers."""
        world = self.world
        at, among = world.members.among(answers, MAX_CANDIDATES)
        # A type is no answer to a call where a value has the same name.
        good = np.where(is_call[at], _IS_VALUE[world.kind[among]], _IS_TYPE[world.kind[among]])
        at, among = at[good], among[good]
        left = Overloads(world).chosen(references, is_call, at, among)
        return at[left], among[left]

    def _class_around(self, scope: Array) -> Array:
        """The qualified name of the nearest class around; -1 for none."""
        world = self.world
        around = scope.copy()
        for _ in range(_SCOPES):
            at = np.flatnonzero((around >= 0) & ~world.holds[around])
            around[at] = world.outer[around[at]]
        return np.where((around >= 0) & ~world.holds[around], -1, around)

    def _lead(self, chain: Array, scope: Array) -> Array:
        """What a path of names leads to from inside `scope`, as that in which members are looked for."""
        world, names = self.world, self.names
        file, steps = world.files_at("chain", chain), self._steps[chain]
        around = self._class_around(scope)
        own = self._is_self[chain] & (around >= 0)
        answers = np.full(len(chain), NONE, np.int64)
        answers[own] = world.class_at(file[own], around[own])
        top = self._is_self[chain] & (around < 0) & world.is_type_file[file]
        answers[top] = world.first_file + file[top]
        plain = np.flatnonzero(~own & ~top & ~self._is_super[chain])
        answers[plain] = self._class_among(names.named(file[plain], scope[plain], steps[plain, 0]))
        answers = self._yields(answers)
        for place in range(1, steps.shape[1]):
            goes_on = steps[:, place] >= 0
            at = np.flatnonzero(goes_on & (answers >= 0))
            answers[at] = self._yields(self._class_among(names.member(answers[at], steps[at, place])))
        open_ = np.flatnonzero((answers == NONE) & world.is_module_named[file])
        words = world.segment.names
        answers[open_] = names.whole_named(
            file[open_], [".".join(words[step] for step in path if step >= 0) for path in steps[open_].tolist()]
        )
        return answers

    def _yields(self, thing: Array) -> Array:
        """What members are looked for in: a class for its values, for a function what it gives, for a variable what it
        holds."""
        world = self.world
        answers = thing.copy()
        rows = np.flatnonzero((thing >= 0) & (thing < world.definitions))
        rows = rows[~world.is_class[thing[rows]]]
        typed = self._typed_row[thing[rows]]
        answers[rows] = NONE
        answers[rows[typed >= 0]] = self._value[typed[typed >= 0]]
        members = np.flatnonzero(thing >= world.first_typed)
        answers[members] = self._value[thing[members] - world.first_typed]
        return answers

    def _learn_bases(self) -> None:
        world, segment = self.world, self.world.segment
        symbol = segment.array("reference.symbol")
        rows = np.flatnonzero((segment.array("reference.kind") == REFERENCE_KINDS.index("base")) & (symbol >= 0))
        child = world.pointed("reference", "symbol", "definition", rows)
        base = self._class_among(self._meant(rows, self._around_base(child)))
        # In Ruby a hook of a module says what comes with it.
        is_hook = ~world.is_class[child] & world.speaks(frozenset({"ruby"}))[world.file[child]]
        named = np.where(is_hook, world.container[child], world.qualified[child])
        child = np.where(world.is_class[child] | is_hook, world.class_at(world.file[child], named), NONE)
        good = (child >= 0) & (base >= 0) & (base < world.definitions) & (child != base)
        good[good] = world.is_class[base[good]]
        child, base = child[good], base[good]
        # What a trait brings comes before what is inherited, and an interface only says what others define.
        language = world.speaks(frozenset({"php"}))[world.file[child]]
        rank = np.where(_CONTRACT[world.kind[base]], 2, np.where(language & _TRAIT[world.kind[base]], 0, 1))
        order = np.lexsort((np.arange(len(child)), rank, child))
        self.names.bases = offsets_of(np.bincount(child, minlength=world.definitions)), base[order]

    def _around_base(self, child: Array) -> Array:
        """The scope in which the bases of these symbols are named: around a class, for Ruby's mixins inside of it."""
        world = self.world
        inside = world.is_class[child] & world.speaks(frozenset({"ruby"}))[world.file[child]]
        found: Array = np.where(inside, world.qualified[child], world.container[child])
        return found

    def _class_among(self, answers: Array) -> Array:
        """The answers; of an ambiguous one the only class, or the first part of the only class."""
        at, among = self.world.members.among(answers)
        classes = self.world.is_class[among]
        at, among = at[classes], among[classes]
        _, first = np.unique(at, return_index=True)
        lead = np.zeros(len(answers), np.int64)
        lead[at[first]] = among[first]
        # A class and its companion have one name, and members are found by that.
        world = self.world
        apart = (world.qualified[among] != world.qualified[lead[at]]) | (world.file[among] != world.file[lead[at]])
        single = np.bincount(at, weights=apart, minlength=len(answers)) == 0
        answers = sole(answers)
        first = first[single[at[first]]]
        answers[at[first]] = among[first]
        return answers

    def _learn_values(self) -> None:
        """Find what typed members and results lead to, and what leads to those."""
        world = self.world
        rows = np.arange(len(self._value))
        chain = world.pointed("typed", "chain", "chain", rows)
        symbol = world.pointed("typed", "symbol", "definition", rows)
        scope = np.where(symbol < 0, -1, world.qualified[symbol]) if world.definitions else symbol
        for _ in range(_ROUNDS):
            open_ = np.flatnonzero(self._value == NONE)
            found = self._lead(chain[open_], scope[open_])
            if not (found >= 0).any():
                break
            self._value[open_] = found

    def _extend(self, file: Array, name: Array, chain: Array, answers: Array) -> None:
        """Answer with extension functions that the file sees, and not with those that it does not see."""
        world, extensions = self.world, self.names.extensions
        open_ = np.flatnonzero((chain != -1) & extensions.files[file])
        at, among = world.members.among(answers[open_], MAX_CANDIDATES)
        single = np.flatnonzero((answers[open_] >= 0) & (answers[open_] < world.definitions))
        at, among = np.concatenate([at, single]), np.concatenate([among, answers[open_[single]]])
        hidden = extensions.are[among] & ~extensions.seen(file[open_[at]], among)
        gone = np.bincount(at, weights=~hidden, minlength=len(open_)) == 0
        answers[open_[gone & (answers[open_] != MANY)]] = NONE
        ask = open_[answers[open_] == NONE]
        answers[ask] = extensions.find(file[ask], name[ask])

    def _make_own(self, rows: Array, scope: Array, name: Array, answers: Array) -> None:
        """Fill in the class around for `new self()`, `cls()`."""
        world, words = self.world, self.world.segment.names
        numbers = [words.find(word) for word in OWN_CLASS]
        file = world.files_at("reference", rows)
        is_own = np.isin(name, [number for number in numbers if number >= 0])
        is_own |= (name == words.find("self")) & world.speaks(frozenset({"php"}))[file]
        is_own &= world.segment.array("reference.kind")[rows] == REFERENCE_KINDS.index("call")
        is_own &= world.segment.array("reference.chain")[rows] == -1
        at = np.flatnonzero(is_own)
        around = self._class_around(scope[at])
        answers[at] = np.where(around < 0, NONE, world.class_at(file[at], around))

    def _meant(self, rows: Array, scope: Array) -> Array:
        """What references mean that stand inside `scope`."""
        world, names, segment = self.world, self.names, self.world.segment
        file = world.files_at("reference", rows)
        name = segment.array("reference.name")[rows].astype(np.int64)
        chain = world.pointed("reference", "chain", "chain", rows)
        answers = np.full(len(rows), NONE, np.int64)
        plain = np.flatnonzero(chain == -1)
        answers[plain] = names.named(file[plain], scope[plain], name[plain])
        open_ = plain[(answers[plain] == NONE) & world.is_module_named[file[plain]]]
        open_ = open_[segment.array("reference.kind")[rows[open_]] != REFERENCE_KINDS.index("call")]
        answers[open_] = names.whole_named(file[open_], [segment.names[one] for one in name[open_].tolist()])
        self._make_own(rows, scope, name, answers)
        through = np.flatnonzero(chain >= 0)
        around = self._class_around(scope[through])
        short = self._is_short[chain[through]] & (around >= 0)
        above = short & self._is_super[chain[through]]
        own = short & self._is_self[chain[through]]
        for mask, inherited in ((above, True), (own, False)):
            at = through[mask]
            answers[at] = names.member_at(file[at], around[mask], name[at], inherited_only=inherited)
        rest = through[~above & ~own]
        span = len(world.outer) + 1
        pairs, place = np.unique(chain[rest] * span + scope[rest] + 1, return_inverse=True)
        owner = self._lead(pairs // span, pairs % span - 1)[place]
        answers[rest] = names.member(owner, name[rest])
        self._extend(file, name, chain, answers)
        # `Cart.new` where nobody defines `new` makes a Cart.
        made = rest[(answers[rest] == NONE) & (name[rest] == segment.names.find("new"))]
        answers[made] = owner[np.searchsorted(rest, made)]
        return answers
