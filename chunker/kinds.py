"""The kinds of chunks, definitions and references, by name and number."""

from __future__ import annotations

from typing import Final, Literal, get_args

Kind = Literal[
    "function", "method", "class", "struct", "enum", "interface", "trait", "impl", "module",
    "type", "const", "variable", "macro", "section", "block",
]  # fmt: skip
# type: a type that is named, also to reach a member of it (`Color.RED`); value: a function or class that is passed on,
# stored or checked; demand: a class into which a trait must be mixed; embed: in the code of a template; render: the
# path of a template; macro: a macro where functions are not called like one; attribute: a class whose name may lack its
# suffix.
ReferenceKind = Literal[
    "call", "type", "base", "mention", "alias", "value", "demand", "embed", "render", "macro", "attribute"
]

KINDS: tuple[Kind, ...] = get_args(Kind)
REFERENCE_KINDS: tuple[ReferenceKind, ...] = get_args(ReferenceKind)
ROUTINES: Final = frozenset({"function", "method"})
CLASSES: Final = frozenset({"class", "struct", "enum", "interface", "trait", "impl"})
TYPES: Final = CLASSES | {"type", "module"}  # all that may have members
VALUES: Final = frozenset({"const", "variable"})  # code reads these, which makes no edge of the graph

# The receiver of a reference that is not a path of names such as `os.path` or `User()`; before the name of a variable
# that is called on and whose type is unknown, `?.cart`.
UNKNOWN: Final = "?"
JOINT: Final = "\u00b7"  # joins the parts of the name of a module that is one step of a path: `Shop::Cart` of Perl
EXPECTED: Final = "."  # the receiver of a member of the type that is expected there: Swift's `.scaledBody`
MAX_STEPS: Final = 4  # a longer chain is more often calls of some library than a path through this tree
