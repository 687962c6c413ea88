"""The readers of import statements, one per language: each returns what a statement without comments binds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from chunker.kinds import JOINT
from chunker.languages.import_syntax import PARTS, WILDCARD, Bound, Names, braced, clause, pair, split_list

Reader = Callable[[str], list[Bound]]


def _of_form(pattern: str, flags: int = 0) -> Callable[[Callable[[re.Match[str]], list[Bound]]], Reader]:
    """Makes the reader of a match a reader of statements: one without a match binds nothing."""

    def reader_of(read: Callable[[re.Match[str]], list[Bound]]) -> Reader:
        return lambda text: read(match) if (match := re.search(pattern, text, flags)) else []

    return reader_of


def _read_ecmascript(text: str) -> list[Bound]:
    if match := re.match(
        r"(?:import|export)\b(?:\s+type\b(?!\s*(?:from|,)))?(.*?)\bfrom\s*['\"]([^'\"]+)['\"]", text, re.S
    ):
        return [(match[2], _listed(match[1]))]
    if required := re.findall(
        r"(\{[^}]*\}|[\w$]+)\s*(?::[^=]*)?=\s*(?:await\s+)?(?:require|import)"
        r"\s*\(\s*['\"`]([^'\"`]+)['\"`]\s*\)(?:\.([\w$]+))?",
        text,
    ):
        return [(module, _required(target, member)) for target, module, member in required]
    return [(module, ()) for module in re.findall(r"(?:import|require)\s*\(?\s*['\"`]([^'\"`]+)['\"`]", text)]


def _listed(clause: str) -> Names:
    """`React, { useState as state, type FC }`, `* as ns`, `*`."""
    names: list[tuple[str, str]] = []
    for part in split_list(clause):
        if part.startswith("{"):
            names += [pair(re.sub(r"^type\s+(?!as\b)", "", name)) for name in split_list(part.strip("{}"))]
        elif part == "*":
            names.append(("*", "*"))
        elif part.startswith("*"):
            names.append((pair(part)[0], ""))
        else:
            names.append((part, "default"))
    return tuple(names)


def _required(target: str, member: str) -> Names:
    if not target.startswith("{"):
        return ((target, member),)
    parts = split_list(target.strip("{}"))
    return tuple(pair(re.sub(r"\s*=.*", "", part, flags=re.S), r"\s*:\s*") for part in parts)


def _read_java(text: str) -> list[Bound]:
    return braced(clause(text, r"import\s+(?:static\s+)?"), ".")


def _read_scala(text: str) -> list[Bound]:
    parts = split_list(clause(text, r"(?:import|export)\s+"))
    return [one for part in parts for one in braced(re.sub(r"\bgiven\b(?:\s+[\w.\[\]]+)?", "*", part), ".")]


def _read_include(text: str) -> list[Bound]:
    if match := re.match(r"#\s*(?:include|import)\w*\s*(?:<([^>]+)>|\"([^\"]+)\")", text):
        return [(match[1] or match[2], ())]
    named = re.match(r"(?:export\s+|@)?import\s+([\w.:<>/\"]+)", text)  # modules of C++20 and Objective-C
    return [(named[1].strip('<>"'), WILDCARD)] if named else []


def _read_using(text: str) -> list[Bound]:
    local, equals, module = clause(text, r"(?:global\s+)?using\s+(?:static\s+)?").partition("=")
    return [(module.strip(), ((local.strip(), ""),))] if equals else [(local, WILDCARD)]


@_of_form(r"(?:\A\s*import\b\s*)?(?:([\w.]+)\s+)?[\"`]([^\"`]+)[\"`]")
def _read_go(match: re.Match[str]) -> list[Bound]:
    """One import spec: `fmt`, `m "math"`, `. "dsl"`, `_ "driver"`, quoted as in the file."""
    local, module = match.groups()
    if local == ".":
        return [(module, WILDCARD)]
    # The most likely name of the package: without a version or a `go-`.
    package = re.sub(r"\.v\d+$|^go-|-go$|\.go$", "", re.sub(r"/v\d+$", "", module).rsplit("/", 1)[-1])
    return [(module, () if local == "_" else ((local or package, ""),))]


def _read_rust(text: str) -> list[Bound]:
    text = clause(text, r"pub\s*(?:\([^)]*\))?\s*")
    if text.startswith("mod"):
        return [("self::" + (name := text[3:].strip()), ((name, ""),))]
    if text.startswith("extern"):
        local, module = pair(clause(text, r"extern\s+crate\s+"))
        return [(module, ((local, ""),))]
    return braced(re.sub(r"^use\s+", "", text), "::")


@_of_form(r"\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)")
def _read_swift(match: re.Match[str]) -> list[Bound]:
    module, _, name = match[1].rpartition(".")
    return [(module, ((name, name),))] if module else [(name, WILDCARD)]


@_of_form(r"(?:\b(?:const|var)\s+(\w+)[^=]*=\s*)?@(?:import|cImport|embedFile)\(\s*\"([^\"]+)\"\s*\)((?:\.\w+)*)")
def _read_zig(match: re.Match[str]) -> list[Bound]:
    return [(match[2], ((match[1], match[3].removeprefix(".")),) if match[1] else WILDCARD)]


@_of_form(r"\b(?:import|export)\s+(['\"])(?:package:\w+/)?([^'\"]+)\1(?P<rest>.*)", re.S)
def _read_dart(match: re.Match[str]) -> list[Bound]:
    prefix, shown = (re.search(rf"\b{word}\s+([\w\s,]+)", match["rest"]) for word in ("as", "show"))
    if prefix:
        return [(match[2], ((prefix[1].split()[0], ""),))]
    names = re.split(r"\s*,\s*", shown[1].partition("hide")[0].strip()) if shown else []
    return [(match[2], tuple((name, name) for name in names) or WILDCARD)]


def _read_python(text: str) -> list[Bound]:
    text = text.replace("\\\n", " ")
    if match := re.match(r"c?import\b(.*)", text, re.S):
        parts = [pair(part) for part in split_list(match[1])]
        return [(module, ((local if local != module else module.split(".")[0], ""),)) for local, module in parts]
    match = re.match(r"from\s*(\.*\s*[\w.]*)\s*c?import\b(.*)", text, re.S)
    if match is None:
        return []
    module, listed = match[1].replace(" ", ""), match[2].strip().strip("()").strip()
    if module == "__future__":
        return [(module, ())]  # sets compiler options; binds no name that code uses
    return [(module, WILDCARD if listed == "*" else tuple(map(pair, split_list(listed))))]


@_of_form(r"\A(require_relative|require|load|autoload)\b[\s(]*(?::(\w+)\s*,\s*)?['\"]([^'\"]+)['\"]")
def _read_ruby(match: re.Match[str]) -> list[Bound]:
    # `require_relative "a"` is relative to this file, `require "a"` names a library: only the first gets the dot.
    module = match[3] if match[1] != "require_relative" or match[3].startswith(".") else "./" + match[3]
    return [(module, ((match[2], match[2]),) if match[2] else ())]


def _read_php(text: str) -> list[Bound]:
    if match := re.match(r"(?:require|include)(?:_once)?\b[^'\"]*['\"]([^'\"]+)['\"]", text):
        return [(match[1].lstrip("/") if "__DIR__" in text else match[1], ())]
    parts = split_list(clause(text, r"use\s+(?:function\s+|const\s+)?"))
    return [one for part in parts for one in braced(part.lstrip("\\"), "\\")]


def _read_lua(text: str) -> list[Bound]:
    required = r"(?:([\w., \t]+?)\s*=\s*)?\brequire\s*\(?\s*['\"]([^'\"]+)['\"]\s*\)?(?:\.(\w+))?"
    bound: list[Bound] = []
    for target, module, member in re.findall(required, re.sub(r"^local\s+", "", text)):
        local = target.split(",")[0].strip()
        # `require("a.b").run()` uses the module without binding it; see `path_of`.
        name = (local, member) if re.fullmatch(r"\w+", local) else (f"require({module})".replace(".", "/"), "")
        bound.append((module, (name,)))
    return bound


def _read_bash(text: str) -> list[Bound]:
    """The sourced path, without variables and commands in it (`$DIR/`, `$(dirname "$0")/`)."""
    path = re.sub(r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}]*\}|\$\w+|[\"']", "", clause(text, r"(?:source|\.)\s+"))
    match = re.match(r"[^\s;|&]+", path.strip())
    return [(match[0].lstrip("/") if "$" in text else match[0], ())] if match else []


@_of_form(r"\A(alias|import|use|require)\b[\s(]+([\w.]+?)(?:\.\{([^}]*)\})?(?:\s*,\s*(.*))?\)?\s*\Z", re.S)
def _read_elixir(match: re.Match[str]) -> list[Bound]:
    word, module, listed, options = match.groups("")
    modules = [module] if match[3] is None else [f"{module}.{name}" for name in split_list(listed)]
    if word in ("import", "use"):  # `use` imports whatever the quoted code of the module's `__using__` imports
        only = re.search(r"only:\s*\[(.*?)\]", options, re.S)
        names = tuple((name, name) for name in re.findall(r"(\w+[?!]?):", only[1])) if only else WILDCARD
        return [(one, names) for one in modules]
    local = re.search(r"\bas:\s*(\w+)", options)
    return [(one, ((local[1] if local else one.split(".")[-1], ""),)) for one in modules]


@_of_form(
    r"\A\s*import\s+(?:safe\s+)?(?P<q>qualified\s+)?(?:\"[^\"]*\"\s*)?(?P<module>[\w.']+)(?P<q2>\s+qualified\b)?"
    r"(?:\s+as\s+(?P<local>[\w.']+))?\s*(?P<hiding>hiding\b)?\s*(?:\((?P<names>.*)\))?\s*\Z",
    re.S,
)
def _read_haskell(match: re.Match[str]) -> list[Bound]:
    names: list[tuple[str, str]] = []
    is_qualified = match["q"] or match["q2"]
    if match["local"] or is_qualified:
        names.append((match["local"] or match["module"], ""))
    if match["names"] is not None and not match["hiding"]:
        for listed in split_list(match["names"]):
            name, _, parts = re.sub(r"^(?:type|pattern)\s+", "", listed).partition("(")
            # `Shape(..)` imports all constructors and fields of the type.
            inside = split_list(parts.rstrip().removesuffix(")")) if name.strip() else []
            bare = name.strip() or listed.strip("() ")
            names += [(bare, bare), *(PARTS if part == ".." else (part, part) for part in inside)]
    elif not is_qualified:
        names.append(("*", "*"))
    return [(match["module"], tuple(names))]


@_of_form(r"\bopen\s+(?:type\s+|global\.)?((?:\w+|``[^`]*``)(?:\s*\.\s*(?:\w+|``[^`]*``))*)")
def _read_fsharp(match: re.Match[str]) -> list[Bound]:
    return [("".join(match[1].split()), WILDCARD)]


@_of_form(r"\A\[\s*'?([^\s\[\]()\"]+)(?P<rest>.*)\]\Z", re.S)
def _read_clojure(match: re.Match[str]) -> list[Bound]:
    """`[shop.cart :as cart :refer [total]]`"""
    names: list[tuple[str, str]] = []
    for word, value in re.findall(
        r":(as|as-alias|refer|refer-macros|only)\s+(\[[^\]]{0,4000}\]|\([^)]{0,4000}\)|:all|[^\s\[\]()]+)",
        match["rest"],
    ):
        if value == ":all":
            names.append(("*", "*"))
        elif word.startswith("as"):
            names.append((value, ""))
        else:
            names += [(name, name) for name in value[1:-1].split()]
    return [(match[1], tuple(names))]


def _read_erlang(text: str) -> list[Bound]:
    if match := re.match(r"-\s*include(_lib)?\s*\(\s*\"([^\"]+)\"", text):
        return [(match[2], ())]
    match = re.match(r"-\s*(?:import|behaviou?r)\s*\(\s*'?([\w@.]+)'?\s*(?:,\s*\[(.*)\])?", text, re.S)
    if match is None:
        return []
    functions = tuple(dict.fromkeys(re.findall(r"(\w+)'?\s*/", match[2] or "")))
    return [(match[1], tuple((name, name) for name in functions) or ((match[1], ""),))]


@_of_form(
    r"\A(?:let\s+)?(?:(?:open!?|include)\s+(?:module\s+type\s+of\s+|struct\s+include\s+|\(\s*)*|module\s+(\w+)\s*=\s*)?"
    r"([A-Z][\w']*(?:\s*\.\s*[A-Z][\w']*)*)"
)
def _read_ocaml(match: re.Match[str]) -> list[Bound]:
    """`open Cart`, `include Cart.Make (Price)`, `module Line = Cart.Line`, the `Cart` of `Cart.(total 1)`."""
    return [("".join(match[2].split()), ((match[1], ""),) if match[1] else WILDCARD)]


@_of_form(r"\A(?:\.\s|Import-Module\b(?:\s+-\w+(?=\s))?|ipmo\b|using\s+module\b)\s*(.*)", re.IGNORECASE | re.DOTALL)
def _read_powershell(match: re.Match[str]) -> list[Bound]:
    """The path, without variables and commands in it (`$PSScriptRoot/`, `Join-Path $here 'Cart.ps1'`)."""
    quoted = re.search(r"(['\"])([^'\"\n]*\.ps[md]?1|[^'\"\n]*)\1", match[1])
    path = quoted[2] if quoted else match[1].split()[0] if match[1].split() else ""
    path = re.sub(r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}]*\}|\$[\w:]+(?:\.\w+)?(?=[/\\]|$)", "", path)
    path = path.replace("\\", "/").strip("()")
    return [(path.lstrip("/") if not path.startswith(".") else path, ())] if re.search(r"\w", path) else []


@_of_form(r"\A(library|require|requireNamespace|source)\s*\(\s*['\"]?([^'\"(),]+)")
def _read_r(match: re.Match[str]) -> list[Bound]:
    return [(match[2].strip(), () if match[1] == "source" else WILDCARD)]


@_of_form(r"\A(use|require)\s+([\w:]+)(?:\s+[\d.]+)?\s*(.*)", re.S)
def _read_perl(match: re.Match[str]) -> list[Bound]:
    """`use Shop::Util qw(total sum)` binds names of the module, which is named as in other languages: `Shop.Util`."""
    listed = re.findall(r"(?<![\w:$@%&-])(?!qw\b)[A-Za-z_]\w*(?![\w:])", match[3] if match[1] == "use" else "")
    own = (match[2].replace("::", JOINT), "")
    return [(match[2].replace("::", "."), (own, *((name, name) for name in listed)))]


@_of_form(r"\A(using|import|include)\b\s*\(?\s*(.*)", re.S)
def _read_julia(match: re.Match[str]) -> list[Bound]:
    """Names from a module around or beside the file are visible without the import."""
    word, text = match.groups()
    if word == "include":
        return [(path[1], ()) for path in [re.match(r"[^\"]*\"([^\"]+)\"", text)] if path]
    module, colon, listed = text.partition(":")
    if colon and not listed.startswith(":"):
        is_near = module.startswith(".")
        return [(module.strip(". "), () if is_near else tuple(pair(name) for name in split_list(listed)))]
    every = (pair(one) for one in split_list(text))
    return [(name, ((local, ""), *(WILDCARD if word == "using" else ()))) for local, name in every if name[:1] != "."]


READERS: Final[dict[str, Reader]] = {
    "bash": _read_bash, "c": _read_include, "clojure": _read_clojure, "cpp": _read_include, "csharp": _read_using,
    "cuda": _read_include, "dart": _read_dart, "elixir": _read_elixir, "erlang": _read_erlang, "fsharp": _read_fsharp,
    "go": _read_go, "groovy": _read_java, "haskell": _read_haskell, "java": _read_java, "javascript": _read_ecmascript,
    "julia": _read_julia, "kotlin": _read_java, "lua": _read_lua, "objc": _read_include, "ocaml": _read_ocaml,
    "ocaml_interface": _read_ocaml, "perl": _read_perl, "php": _read_php, "powershell": _read_powershell,
    "python": _read_python, "r": _read_r, "ruby": _read_ruby, "rust": _read_rust, "scala": _read_scala,
    "svelte": _read_ecmascript, "swift": _read_swift, "tsx": _read_ecmascript, "typescript": _read_ecmascript,
    "vue": _read_ecmascript, "zig": _read_zig,
}  # fmt: skip
