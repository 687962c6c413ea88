"""What is known about each language, as data: how its files are named, which grammar and which query read them.

`FIRST_TIER` languages have a query file (`queries/<name>.scm`) and symbol-level chunks. The others that have a grammar
in tree-sitter-language-pack 0.13.0 are split along their syntax tree; those without one are split by lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """One row of the table.

    `grammar` is the name in the language pack, or None where lines serve as well as a tree (tables, logs).
    `symbols` says that `queries/<name>.scm` exists; `imports` names the reader of its import statements.
    `prose` marks documents rather than code. `comment` starts a comment that runs to the end of the line.
    `interpreters` are the programs that a `#!` line names. `clauses` says that a function is written as several
    neighbouring pieces: equations, clauses, overload signatures. `overloads` says that functions of one name and
    scope are several, told apart by their parameters.
    """

    name: str
    grammar: str | None = None
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    comment: str = ""
    symbols: bool = False
    imports: str | None = None
    prose: bool = False
    clauses: bool = False
    overloads: bool = False


def _first(
    name: str,
    extensions: str,
    *,
    comment: str,
    imports: str | None,
    filenames: str = "",
    interpreters: str = "",
    clauses: bool = False,
    overloads: bool = False,
) -> Language:
    return Language(
        name=name,
        grammar=name,
        extensions=tuple(extensions.split()),
        filenames=tuple(filenames.split()),
        interpreters=tuple(interpreters.split()),
        comment=comment,
        symbols=True,
        imports=imports,
        clauses=clauses,
        overloads=overloads,
    )


def _other(
    name: str,
    extensions: str = "",
    *,
    filenames: str = "",
    comment: str = "",
    grammar: str | None = "",
    interpreters: str = "",
    prose: bool = False,
) -> Language:
    return Language(
        name=name,
        grammar=name if grammar == "" else grammar,
        extensions=tuple(extensions.split()),
        filenames=tuple(filenames.split()),
        interpreters=tuple(interpreters.split()),
        comment=comment,
        prose=prose,
    )


_JS_SHELLS = "node nodejs bun deno"
_RUBY_FILES = "Rakefile Gemfile Guardfile Vagrantfile Podfile Fastfile Brewfile Capfile Dangerfile Thorfile Berksfile"
_RUBY_EXTENSIONS = ".rb .rake .gemspec .ru .rbi .podspec .jbuilder"
_BASH_FILES = ".bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv PKGBUILD APKBUILD"
_BASH_EXTENSIONS = ".sh .bash .zsh .ksh .bats .ebuild .eclass .command"

FIRST_TIER: Final = (
    _first("python", ".py .pyi .pyw .pyx .pxd", comment="#", imports="python", interpreters="python pypy",
           filenames="SConstruct SConscript wscript"),
    _first("javascript", ".js .jsx .mjs .cjs .es6", comment="//", imports="javascript", interpreters=_JS_SHELLS,
           filenames="Jakefile"),
    _first("typescript", ".ts .mts .cts", comment="//", imports="javascript", interpreters="ts-node tsx",
           clauses=True),
    _first("tsx", ".tsx", comment="//", imports="javascript", clauses=True),
    _first("go", ".go", comment="//", imports="go"),
    _first("rust", ".rs", comment="//", imports="rust", interpreters="rust-script"),
    _first("java", ".java", comment="//", imports="java", overloads=True),
    _first("c", ".c .h", comment="//", imports="c", interpreters="tcc"),
    _first("cpp", ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .inl .tpp .txx .tcc .ixx .cppm .ino", comment="//",
           imports="c", overloads=True),
    _first("csharp", ".cs .csx", comment="//", imports="csharp", overloads=True),
    _first("kotlin", ".kt .kts", comment="//", imports="kotlin", overloads=True),
    _first("scala", ".scala .sc .sbt", comment="//", imports="scala", overloads=True, interpreters="scala"),
    _first("swift", ".swift", comment="//", imports="swift", overloads=True, interpreters="swift"),
    _first("ruby", _RUBY_EXTENSIONS, comment="#", imports="ruby", interpreters="ruby jruby", filenames=_RUBY_FILES),
    _first("php", ".php .phtml .php3 .php4 .php5 .phps", comment="//", imports="php", interpreters="php"),
    _first("elixir", ".ex .exs", comment="#", imports="elixir", interpreters="elixir", clauses=True),
    _first("haskell", ".hs .hsc .hs-boot", comment="--", imports="haskell", interpreters="runhaskell stack",
           clauses=True),
    _first("lua", ".lua .rockspec", comment="--", imports="lua", interpreters="lua luajit", filenames=".luacheckrc"),
    _first("zig", ".zig .zon", comment="//", imports="zig"),
    _first("bash", _BASH_EXTENSIONS, comment="#", imports="bash", interpreters="sh bash zsh ksh dash ash bats",
           filenames=_BASH_FILES),
    Language("markdown", "markdown", (".md", ".markdown", ".mdx", ".mdown", ".mkd"), ("README",),
             symbols=True, prose=True),
)  # fmt: skip

STRUCTURED: Final = (
    _other("actionscript", ".as", comment="//"),
    _other("ada", ".adb .ads .ada", comment="--"),
    _other("agda", ".agda", comment="--"),
    _other("apex", ".trigger .apex", comment="//"),
    _other("asm", ".s .asm .nasm", comment=";"),
    _other("astro", ".astro"),
    _other("beancount", ".beancount", comment=";"),
    _other("bibtex", ".bib"),
    _other("bicep", ".bicep", comment="//"),
    _other("bitbake", ".bb .bbappend .bbclass", comment="#"),
    _other("bsl", ".bsl .os", comment="//"),
    _other("cairo", ".cairo", comment="//"),
    _other("capnp", ".capnp", comment="#"),
    _other("chatito", ".chatito"),
    _other("clarity", ".clar", comment=";;"),
    _other("clojure", ".clj .cljs .cljc .edn", comment=";", interpreters="bb clojure"),
    _other("cmake", ".cmake", filenames="CMakeLists.txt", comment="#"),
    _other("cobol", ".cob .cbl .cpy .cobol"),
    _other("commonlisp", ".lisp .lsp .cl .asd", comment=";", interpreters="sbcl"),
    _other("css", ".css"),
    _other("cuda", ".cu .cuh", comment="//"),
    _other("d", ".d .di", comment="//"),
    _other("dart", ".dart", comment="//"),
    _other("dockerfile", ".dockerfile .containerfile", filenames="Dockerfile Containerfile", comment="#"),
    _other("dtd", ".dtd"),
    _other("elisp", ".el", filenames=".emacs", comment=";"),
    _other("elm", ".elm", comment="--"),
    _other("embeddedtemplate", ".erb .ejs"),
    _other("erlang", ".erl .hrl .escript", filenames="rebar.config", comment="%", interpreters="escript"),
    _other("fennel", ".fnl", comment=";"),
    _other("firrtl", ".fir", comment=";"),
    _other("fish", ".fish", comment="#", interpreters="fish"),
    _other("fortran", ".f .f77 .f90 .f95 .f03 .f08 .for", comment="!"),
    _other("fsharp", ".fs .fsx", comment="//"),
    _other("fsharp_signature", ".fsi", comment="//"),
    _other("func", ".fc .func", comment=";;"),
    _other("gdscript", ".gd", comment="#"),
    _other("gitattributes", filenames=".gitattributes", comment="#"),
    _other("gitignore", filenames=".gitignore .dockerignore .npmignore .eslintignore .prettierignore", comment="#"),
    _other("gleam", ".gleam", comment="//"),
    _other("glsl", ".glsl .vert .frag .geom .comp .tesc .tese .vs .fsh .vsh", comment="//"),
    _other("gn", ".gn .gni", comment="#"),
    _other("gomod", filenames="go.mod", comment="//"),
    _other("graphql", ".graphql .gql .graphqls", comment="#"),
    _other("groovy", ".groovy .gradle .gvy", filenames="Jenkinsfile", comment="//", interpreters="groovy"),
    _other("hack", ".hack .hck", comment="//", interpreters="hhvm"),
    _other("hare", ".ha", comment="//"),
    _other("haxe", ".hx", comment="//"),
    _other("hcl", ".hcl .nomad", comment="#"),
    _other("heex", ".heex .leex"),
    _other("hlsl", ".hlsl .fx .hlsli", comment="//"),
    _other("html", ".html .htm .xhtml"),
    _other("hyprlang", filenames="hyprland.conf", comment="#"),
    _other("ini", ".ini .cfg .conf .desktop .service .editorconfig", filenames=".editorconfig .gitconfig .pylintrc",
           comment="#"),
    _other("ispc", ".ispc", comment="//"),
    _other("janet", ".janet .jdn", comment="#", interpreters="janet"),
    _other("json", ".json .jsonc .json5 .geojson .webmanifest .ipynb", filenames=".babelrc .eslintrc .prettierrc"),
    _other("jsonnet", ".jsonnet .libsonnet", comment="//"),
    _other("julia", ".jl", comment="#", interpreters="julia"),
    _other("kconfig", filenames="Kconfig", comment="#"),
    _other("kdl", ".kdl", comment="//"),
    _other("latex", ".tex .sty .cls .ltx", comment="%", prose=True),
    _other("linkerscript", ".ld .lds"),
    _other("llvm", ".ll", comment=";"),
    _other("luau", ".luau", comment="--"),
    _other("magik", ".magik", comment="#"),
    _other("make", ".mk .mak .make", filenames="Makefile makefile GNUmakefile BSDmakefile", comment="#"),
    _other("matlab", ".matlab", comment="%"),
    _other("mermaid", ".mmd .mermaid"),
    _other("meson", filenames="meson.build meson_options.txt meson.options", comment="#"),
    _other("netlinx", ".axs .axi", comment="//"),
    _other("nim", ".nim .nims .nimble", comment="#"),
    _other("ninja", ".ninja", comment="#"),
    _other("nix", ".nix", comment="#"),
    _other("nqc", ".nqc", comment="//"),
    _other("objc", ".m .mm", comment="//"),
    _other("ocaml", ".ml", interpreters="ocaml"),
    _other("ocaml_interface", ".mli"),
    _other("odin", ".odin", comment="//"),
    _other("org", ".org", prose=True),
    _other("pascal", ".pas .pp .dpr .lpr", comment="//"),
    _other("perl", ".pl .pm .t .psgi", comment="#", interpreters="perl"),
    _other("pony", ".pony", comment="//"),
    _other("powershell", ".ps1 .psm1 .psd1", comment="#", interpreters="pwsh"),
    _other("prisma", ".prisma", comment="//"),
    _other("properties", ".properties", comment="#"),
    _other("proto", ".proto", comment="//"),
    _other("puppet", comment="#"),
    _other("purescript", ".purs", comment="--"),
    _other("pymanifest", filenames="MANIFEST.in", comment="#"),
    _other("qmldir", filenames="qmldir", comment="#"),
    _other("qmljs", ".qml", comment="//"),
    _other("query", ".scm", comment=";"),
    _other("r", ".r .rprofile", filenames=".Rprofile", comment="#", interpreters="Rscript"),
    _other("racket", ".rkt .rktd .rktl", comment=";", interpreters="racket"),
    _other("re2c", ".re2c", comment="//"),
    _other("readline", filenames=".inputrc", comment="#"),
    _other("rego", ".rego", comment="#"),
    _other("requirements", filenames="requirements.txt requirements-dev.txt constraints.txt", comment="#"),
    _other("ron", ".ron", comment="//"),
    _other("rst", ".rst .rest", prose=True),
    _other("scheme", ".ss .sld .sls", comment=";", interpreters="guile scheme"),
    _other("scss", ".scss", comment="//"),
    _other("smali", ".smali", comment="#"),
    _other("smithy", ".smithy", comment="//"),
    _other("solidity", ".sol", comment="//"),
    _other("sparql", ".sparql .rq", comment="#"),
    _other("sql", ".sql .ddl .dml .psql .pgsql", comment="--"),
    _other("squirrel", ".nut", comment="//"),
    _other("starlark", ".bzl .bazel .star", filenames="BUILD WORKSPACE Tiltfile BUILD.bazel", comment="#"),
    _other("svelte", ".svelte"),
    _other("tablegen", ".td", comment="//"),
    _other("tcl", ".tcl .tm", comment="#", interpreters="tclsh wish"),
    _other("terraform", ".tf .tfvars", comment="#"),
    _other("thrift", ".thrift", comment="//"),
    _other("toml", ".toml", filenames="Cargo.lock Pipfile poetry.lock uv.lock", comment="#"),
    _other("twig", ".twig .jinja .jinja2 .j2"),
    _other("typst", ".typ", comment="//"),
    _other("udev", ".rules", comment="#"),
    _other("ungrammar", ".ungram", comment="//"),
    _other("uxntal", ".tal"),
    _other("v", ".vv", comment="//", interpreters="v"),
    _other("verilog", ".v .vh .sv .svh", comment="//"),
    _other("vhdl", ".vhd .vhdl", comment="--"),
    _other("vim", ".vim .vimrc", filenames=".vimrc _vimrc .gvimrc", comment='"'),
    _other("vue", ".vue"),
    _other("wast", ".wast", comment=";;"),
    _other("wat", ".wat", comment=";;"),
    _other("wgsl", ".wgsl", comment="//"),
    _other("xcompose", filenames=".XCompose", comment="#"),
    _other("xml", ".xml .xsd .xsl .xslt .svg .plist .csproj .fsproj .vbproj .props .targets .xaml .resx .storyboard "
           ".xib"),
    _other("yaml", ".yml .yaml", filenames=".clang-format .clang-tidy CITATION.cff", comment="#"),
    _other("yuck", ".yuck", comment=";"),
)  # fmt: skip

PLAIN: Final = (
    _other("text", ".txt .text .log", grammar=None, prose=True,
           filenames="LICENSE COPYING NOTICE AUTHORS CHANGELOG CONTRIBUTORS INSTALL NEWS TODO HISTORY"),
    _other("asciidoc", ".adoc .asciidoc", grammar=None, prose=True),
    _other("csv", ".csv", grammar=None),
    _other("tsv", ".tsv .psv", grammar=None),
    _other("gettext", ".po .pot", grammar=None),
    _other("pem", ".pem .crt .key", grammar=None),
    _other("diff", ".diff .patch", grammar=None),
    _other("gosum", filenames="go.sum", grammar=None),
)  # fmt: skip

LANGUAGES: Final[dict[str, Language]] = {row.name: row for row in (*FIRST_TIER, *STRUCTURED, *PLAIN)}
TEXT: Final = LANGUAGES["text"]

BY_EXTENSION: Final[dict[str, str]] = {
    extension: row.name for row in LANGUAGES.values() for extension in row.extensions
}
BY_FILENAME: Final[dict[str, str]] = {filename: row.name for row in LANGUAGES.values() for filename in row.filenames}
BY_INTERPRETER: Final[dict[str, str]] = {
    program: row.name for row in LANGUAGES.values() for program in row.interpreters
}
