"""The table of languages: one record of rules for each, used by the chunker and the graph.

Rules say how the language works, not what a module does with that: to change a language, change its record.
`first_tier.tsv` lists the languages with symbol-level chunks and a graph, `others.tsv` those whose definitions the
chunker reads, and those that are split along the tree of a grammar of tree-sitter-language-pack 0.13.0, or by lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

from chunker.languages.table_patterns import PATTERNS
from contracts.rows import rows

# Stems of files that represent their folder.
ENTRY_STEMS = ("__init__", "index", "mod", "lib", "init", "main")
# Changelogs mention every name and explain none.
HISTORY = re.compile(r"(^|/)(change|changes|changelog|history|news|releases?|release[-_]notes)\b[^/]*$", re.IGNORECASE)


class LanguageRules(NamedTuple):
    """A language with `symbols` has a query file, `queries/<name>.scm`, and symbol-level chunks. Others are split along
    the tree of their grammar, or by lines if they have none. The graph reads the rules of the first tier only,
    and the `hosts` of templates.

    A NamedTuple, because every start creates 170 of them.
    """

    name: str

    # How a file is recognised. `interpreters` are the programs of a `#!` line, `modes` the names that editors use.
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()

    # How it is read. `grammar` is the name in the language pack.
    grammar: str | None = None
    symbols: bool = False
    graph: bool = False  # the code graph reads it; of other languages, the text says who uses a definition
    deepest_column: int = 0  # a file with a line whose text begins further right is not parsed; 0: no limit
    template: bool = False  # it contains text that users read
    hosts: tuple[str, ...] = ()  # the families of languages that a template's code may be of, likeliest first
    keys: bool = False  # data whose lines give keys their values: `max_items: 5`
    schema: bool = False  # code that is generated from its definitions spells their names in the case of its language
    prose: bool = False  # documents rather than code
    mentions_code: bool = False  # a document whose backticks and examples name code
    comment: str = ""  # what starts a comment up to the end of the line
    blocks: tuple[str, ...] = ()  # the marks around comments and strings of several lines, opening and closing in turn
    markup: str = ""  # the grammar of a file whose code is in its `<script>` elements
    conditionals: bool = False  # `#if` and the like may appear anywhere, even where they break the syntax
    mask: str = ""  # a pattern whose groups the grammar does not know; code without them has the same structure
    one_line_heads: str = ""  # a pattern of declaration heads whose line breaks the grammar must not see
    misread: tuple[str, ...] = ()  # like `mask`, for what the grammar reads without an error, as something else
    name_chars: str = ""  # characters of names besides letters, digits, `_` and `$`
    clauses: bool = False  # a function may have several neighbouring pieces: equations, clauses, overload signatures
    overloads: bool = False  # functions with the same name and scope differ in their parameters
    dispatches: bool = False  # all functions of a name in a package are one function, whose methods may be anywhere
    hides_overloads: bool = False  # a class inherits no function of a name that it defines
    messages: bool = False  # `[cart add:item to:list]`: methods of a name differ in the words before their arguments
    trailing_blocks: bool = False  # `run(1) { ... }` and `run(1) do ... end` pass two arguments
    # A function that is not called is written in a way of its own (`::parse`, `&parse/1`), or reading a member may call
    # it: properties, getters.
    marks_values: bool = False
    calls_apart: bool = False  # a call never means a variable, which may have the name of a function
    value_locals: bool = False  # what is bound in a variable's value, or is a module's parameter, is local to it
    redefines: bool = False  # if a scope defines a name several times, the last definition counts

    closures: bool = False  # the functions in a function may be members of its result: `const { add } = useCart()`

    # How imports work, in addition to the reader in `import_readers`.
    import_word: str = ""  # the keyword that statements in a block of imports lack
    imports_members: bool = False  # an imported name may be used after a dot: extension functions
    imports_paths: bool = False  # a module is the path of a file, with its extension
    imports_folders: bool = False  # a module is a folder and all files in it
    imports_by_name: bool = False  # a module's name does not depend on where its file is
    imports_from_enclosing: bool = False  # a path may begin in an enclosing package, or in one imported as a whole
    file_modules: bool = False  # a module is a file, which code names by its stem, without an import
    modules_apart: bool = False  # what is before a member is always the name of a module, never a variable
    module_words: bool = False  # a path may begin at the root (`crate`), the parent (`super`) or the file (`self`)
    dotted_folders: bool = False  # each leading dot after the first goes up one folder
    shown_imports: str = ""  # a pattern of `name statement`: names that a file shows to wildcard imports as its own
    exports: str = ""  # a pattern of the list of names that a file shows, imported ones included
    module_folders: bool = False  # a module includes the files in its folder, and so has their names
    includes: bool = False  # an import that lists no names makes every name of the file visible
    # (file, pattern of the module path that it declares for its folder; with more groups, of names of paths, which the
    # last group is)
    manifest: tuple[str, str] | None = None
    imports_packages: bool = False  # a module is a file of a package, which may be of this tree: `@shop/cart/total`
    entry_stems: tuple[str, ...] = ENTRY_STEMS  # most usual first
    snake_stems: bool = False  # a module `CartItem` is in a file `cart_item`

    # Where a name is visible. Languages of one `family` see each other's names.
    family: str = ""  # the name of a language, its own unless the tables say otherwise
    package: Literal["", "folder", "declared"] = ""  # files of one package see each other's names
    package_separator: str = "."
    nested_packages: bool = False  # a package sees the names of its enclosing packages
    shared_macros: bool = False  # a macro may be used in every module, without an import
    program_wide: bool = False  # names are visible in the whole program without an import
    module_tables: bool = False  # a file returns a table, whose members are the names of the module
    file_is_class: bool = False  # a file's top level is itself a type, and nothing calls its `test` blocks
    shown_definitions: str = ""  # a pattern of the first lines of definitions that are marked as exported
    hidden_definitions: str = ""  # if no mark exports, of those that are not; a leading underscore hides, too

    # How classes work.
    implicit_self: bool = False  # methods see the members of their class without a receiver
    split_classes: bool = False  # the members of one class may be in several files
    reopens_classes: bool = False  # several definitions of one qualified name are parts of one class
    companions: bool = False  # an object may have the name of the class before it; as a type, the name means the class
    mixins: bool = False  # a class names its bases in its body, and sees no methods of enclosing scopes
    # A base outside the tree whose subclasses stand for another class, and the method that returns that class.
    facade: tuple[str, ...] = ()
    # A pattern of the lines that begin interfaces which types implement without naming them, by defining their methods.
    implicit_interfaces: str = ""
    constructors_mean_types: bool = False  # the names of a type's constructors and fields refer to the type
    extensions_by: Literal["", "scope", "parameter", "trait"] = ""  # how functions name the outside class they extend
    self_names: tuple[str, ...] = ()  # names for the object of a method besides `self`, `this` and `Self`
    super_names: tuple[str, ...] = ("super",)  # names for it as an object of its base class
    member_marks: str = ""  # a pattern of other ways to write `.total`, whose group is the member: `->{total}`
    attribute_suffix: str = ""  # what the name of an attribute's class may have after that of the attribute


def _records(table: str, **shared: Any) -> Iterator[LanguageRules]:
    for row in rows(__file__, table):
        name, grammar, *names, comment, marks = (*row, *[""] * 6)[:7]
        extensions, filenames, interpreters = (tuple(field.split()) for field in names)
        pairs = (mark.partition("=") for mark in marks.split())
        fields = {"family": name, **{field: _value(field, text) for field, _, text in pairs}}
        yield LanguageRules(
            name, extensions, filenames, interpreters, grammar=None if grammar == "-" else grammar or name,
            comment=comment, **shared, **fields,
        )  # fmt: skip


def _value(field: str, text: str) -> Any:
    """The value of a mark, which has the type of the field's default."""
    default = LanguageRules._field_defaults[field]
    if field == "manifest":
        file, _, pattern = text.partition(":")
        return file, PATTERNS.get(pattern[1:], pattern) if pattern[:1] == "@" else pattern
    if isinstance(default, tuple):
        return tuple(PATTERNS.get(word[1:], word) if word[:1] == "@" else word for word in text.split(","))
    if isinstance(default, int):
        return int(text) if text else True
    return PATTERNS[text[1:]] if text.startswith("@") else text


FIRST_TIER: Final = tuple(_records("first_tier.tsv", symbols=True, graph=True))
LANGUAGES: Final[dict[str, LanguageRules]] = {rules.name: rules for rules in (*FIRST_TIER, *_records("others.tsv"))}

BY_EXTENSION: Final = {extension: rules.name for rules in LANGUAGES.values() for extension in rules.extensions}
BY_FILENAME: Final = {filename: rules.name for rules in LANGUAGES.values() for filename in rules.filenames}
BY_INTERPRETER: Final = {program: rules.name for rules in LANGUAGES.values() for program in rules.interpreters}
BY_MODE: Final = {mode: rules.name for rules in LANGUAGES.values() for mode in rules.modes}


def rules_of(language: str | None) -> LanguageRules:
    """The record of a language; that of `other`, which has no rules, for an unknown one and for binary files."""
    return LANGUAGES.get(language or "") or LANGUAGES["other"]
