"""Python, Ruby, PHP, Lua and shell."""

from __future__ import annotations

import re

from chunker.languages.import_syntax import WILDCARD, Bound, braced, clause, pair, split_list
from chunker.languages.rules import LanguageRules


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
        return [(module, ())]  # switches the compiler, binds nothing that code would use
    return [(module, WILDCARD if listed == "*" else tuple(map(pair, split_list(listed))))]


def _read_ruby(text: str) -> list[Bound]:
    match = re.match(r"(require_relative|require|load|autoload)\b[\s(]*(?::(\w+)\s*,\s*)?['\"]([^'\"]+)['\"]", text)
    if match is None:
        return []
    # `require_relative "a"` is a path from this file, `require "a"` a library: only the first gets the dot.
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
        # `require("a.b").run()` names the module where it is used; see `path_of`.
        name = (local, member) if re.fullmatch(r"\w+", local) else (f"require({module})".replace(".", "/"), "")
        bound.append((module, (name,)))
    return bound


def _read_bash(text: str) -> list[Bound]:
    """The path that is sourced, without a variable or a command before it (`$DIR/`, `$(dirname "$0")/`)."""
    path = re.sub(r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}]*\}|\$\w+|[\"']", "", clause(text, r"(?:source|\.)\s+"))
    match = re.match(r"[^\s;|&]+", path.strip())
    return [(match[0].lstrip("/") if "$" in text else match[0], ())] if match else []


RULES = (
    LanguageRules(
        name="python", grammar="python", symbols=True, comment="#", read_import=_read_python, dotted_folders=True,
        extensions=(".py", ".pyi", ".pyw", ".pyx", ".pxd"), filenames=("SConstruct", "SConscript", "wscript"),
        interpreters=("python", "pypy"), modes=("python",), redefines=True,
        self_names=("cls",),
    ),
    LanguageRules(
        name="ruby", grammar="ruby", symbols=True, comment="#", read_import=_read_ruby, includes=True,
        extensions=(".rb", ".rake", ".gemspec", ".ru", ".rbi", ".podspec", ".jbuilder"),
        filenames=(
            "Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile", "Capfile",
            "Dangerfile", "Thorfile", "Berksfile",
        ),
        interpreters=("ruby", "jruby"), modes=("ruby",), package="folder", program_wide=True, redefines=True,
        implicit_self=True, split_classes=True, reopens_classes=True, mixins=True,
        self_names=("@",),
    ),
    LanguageRules(
        name="php", grammar="php", symbols=True, comment="//", read_import=_read_php, includes=True,
        extensions=(".php", ".phtml", ".php3", ".php4", ".php5", ".phps"), interpreters=("php",), package="declared",
        package_separator="\\", program_wide=True, redefines=True, self_names=("$this", "static"),
    ),
    LanguageRules(
        name="lua", grammar="lua", symbols=True, comment="--", read_import=_read_lua,
        extensions=(".lua", ".rockspec"), filenames=(".luacheckrc",), interpreters=("lua", "luajit"), modes=("lua",),
        entry_stems=("init",), module_tables=True, redefines=True,
    ),
    LanguageRules(
        name="bash", grammar="bash", symbols=True, comment="#", read_import=_read_bash, imports_paths=True,
        extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".eclass", ".command"),
        filenames=(
            ".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", "PKGBUILD", "APKBUILD",
        ),
        interpreters=("sh", "bash", "zsh", "ksh", "dash", "ash", "bats"), modes=("sh",), includes=True,
        package="folder", program_wide=True, redefines=True,
    ),
)  # fmt: skip
