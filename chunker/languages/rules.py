"""The rules of a language as one record, read by the chunker and by the graph.

Rules say how the language works, not what a module does with that: whoever changes a language changes its record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from chunker.languages.import_syntax import Bound

# Files that stand for the folder that they are in.
ENTRY_STEMS = ("__init__", "index", "mod", "lib", "init", "main")


class LanguageRules(NamedTuple):
    """A record with `symbols` has a query file, `queries/<name>.scm`, and symbol-level chunks; the rules of the graph
    are asked of such languages alone. Others are split along the tree of their grammar, or by lines without one.

    A NamedTuple: every start makes 170 of them.
    """

    name: str

    # How a file is recognised. `interpreters` are the programs of a `#!` line, `modes` an editor's names for it.
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()

    # How it is read. `grammar` is the name in the language pack.
    grammar: str | None = None
    symbols: bool = False
    prose: bool = False  # documents rather than code
    mentions_code: bool = False  # a document whose backticks and examples name code
    comment: str = ""  # what starts a comment that runs to the end of the line
    preprocessor: Literal["", "conditionals", "macros"] = ""  # what may keep code from being syntax
    clauses: bool = False  # a function may be several neighbouring pieces: equations, clauses, overload signatures
    overloads: bool = False  # functions of one name and scope differ in their parameters
    trailing_blocks: bool = False  # `run(1) { ... }` passes two arguments
    redefines: bool = False  # of one name in one scope, the last definition is the one that holds

    # What an import statement says. `read_import` gets its text without comments.
    read_import: Callable[[str], list[Bound]] | None = None
    import_word: str = ""  # what a statement lacks that stands in a block of imports
    imports_members: bool = False  # a name may be imported and then be used after a dot: extension functions
    imports_paths: bool = False  # a module is the path of a file, with its extension
    imports_folders: bool = False  # a module is a folder and all files in it
    imports_by_name: bool = False  # a module has a name of its own, wherever its file is
    imports_from_around: bool = False  # a path may begin in a package around the file, or in one imported whole
    dotted_folders: bool = False  # leading dots lead out of the folder, one each after the first
    includes: bool = False  # an import that lists nothing shows every name of the file
    manifest: tuple[str, str] | None = None  # (file, pattern of the module path that it declares for its folder)
    entry_stems: tuple[str, ...] = ENTRY_STEMS
    module_stem: Callable[[str], str] | None = None  # a part of a module's name as its file spells it

    # Who sees a name. Languages of one `family` see each other's names.
    family: str = ""  # a language's name; "" for its own
    package: Literal["", "folder", "declared"] = ""  # files of one package see each other's names
    package_separator: str = "."
    nested_packages: bool = False  # a package sees the names of those around it
    program_wide: bool = False  # the whole program sees a name without an import
    module_tables: bool = False  # a file returns a table: its members are the names of the module
    file_is_class: bool = False  # a file's top level is a type itself, and a block called `test` is called by nobody

    # What a class is and has.
    implicit_self: bool = False  # methods see the members of their class without a receiver
    split_classes: bool = False  # the members of one class may stand in several files
    reopens_classes: bool = False  # several definitions of one qualified name are parts of one class
    companions: bool = False  # an object after a class may have its name, which as a type means the class
    mixins: bool = False  # a class names its bases inside, and sees no methods of what stands around it
    constructors_mean_types: bool = False  # the names of a type's constructors and fields mean the type
    extensions_by: Literal["", "scope", "parameter"] = ""  # how a function says which class of elsewhere it extends
    self_names: tuple[str, ...] = ()  # beside `self`, `this` and `Self`: the object that a method belongs to
