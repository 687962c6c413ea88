"""Generates files of many languages from templates, with names by the file's stem, imported names and members."""

from __future__ import annotations

import random
from collections.abc import Callable

STEMS = ("cart", "money", "item", "index", "__init__", "mod")
_MEMBERS = "load save total parse run find close open read kind".split()
_ALIASES = ("One", "Other", "Third")
_WORDS_OF_STEM = 4


class Drawn(dict[str, str]):
    """A word for every placeholder of a template, drawn when it is first used.

    A: a word of the file's own stem; m: another stem; X, Y: words of that one; B, C: words that the file has imported,
    or others; f, g, h: names of members; N: an alias.
    """

    def __init__(self, pick: random.Random, stem: str) -> None:
        super().__init__()
        self.random = pick
        self._stem = stem
        self._met = [stem]

    def __missing__(self, key: str) -> str:
        pick = self.random.choice
        if key == "m":
            self._met.append(pick(STEMS))
            self[key] = self._met[-1]
        elif key in "fgh":
            self[key] = pick(_MEMBERS)
        elif key == "N":
            self[key] = pick(_ALIASES)
        else:
            stem = self._stem if key == "A" else self._met[-1] if key in "XY" else pick([*self._met, *_ALIASES[:1]])
            self[key] = (
                stem if stem in _ALIASES else f"{stem.strip('_').title()}{self.random.randrange(_WORDS_OF_STEM)}"
            )
        return self[key]

    def some(self, templates: tuple[str, ...], heads: tuple[str, ...]) -> str:
        """A few import statements and a few definitions, each with its own words."""
        heads = tuple(self.random.sample(heads, self.random.randrange(min(4, len(heads)) + 1)))
        found = []
        for template in [*heads, *self.random.choices(templates, k=self.random.randrange(1, 6))]:
            self.clear()
            found.append(template % self)
        return "\n\n".join(found) + "\n"


def _python(drawn: Drawn) -> str:
    return drawn.some(
        (
            "def %(A)s():\n    return %(B)s()",
            "def %(A)s() -> '%(B)s':\n    x = %(C)s()\n    return x.%(f)s().%(g)s()",
            "class %(A)s(%(B)s):\n    def %(f)s(self):\n        return self.%(g)s()\n\n"
            "    def %(h)s(self):\n        super().%(f)s()",
            "class %(A)s:\n    %(f)s: '%(B)s'\n\n    def %(g)s(self, one: %(C)s):\n"
            "        one.%(h)s()\n        return self.%(f)s.%(g)s()",
            "%(A)s = %(B)s()\n%(A)s.%(f)s()",
            "def test_%(A)s():\n    assert %(m)s.%(X)s(%(B)s).%(f)s()",
            "%(m)s.%(X)s.%(f)s()",
            "def outer():\n    def %(f)s(): return %(B)s()\n    return %(f)s()",
        ),
        (
            "from shop.%(m)s import %(X)s", "from .%(m)s import %(X)s as %(N)s", "from . import %(m)s",
            "import shop.%(m)s", "from .%(m)s import *", "from shop import %(X)s, %(m)s",
            "from ..%(m)s import %(X)s, %(Y)s",
            "import lib.%(m)s as %(N)s", "from lib.%(m)s import %(X)s",
        ),
    )  # fmt: skip


def _typescript(drawn: Drawn) -> str:
    return drawn.some(
        (
            "export function %(A)s(one: %(B)s): %(C)s { return one.%(f)s(); }",
            "export default class %(A)s extends %(B)s { %(f)s: %(C)s; %(g)s() { return this.%(f)s.%(h)s(); } }",
            "export interface %(A)s extends %(B)s { %(f)s(): %(C)s; }",
            "export const %(A)s = new %(B)s(); %(A)s.%(f)s();",
            "export class %(A)s implements %(B)s { %(f)s() { super.%(f)s(); return %(C)s().%(g)s(); } }",
        ),
        (
            "import { %(X)s, %(Y)s as %(N)s } from './%(m)s';", "export { %(X)s as %(N)s } from './%(m)s';",
            "export * from './%(m)s';", "import %(X)s from '../%(m)s';", "import * as %(m)s from './%(m)s';",
            "export * from '.';", "import { %(B)s } from '..';", "import { %(X)s } from '../lib/%(m)s';",
        ),
    )  # fmt: skip


def _go(drawn: Drawn) -> str:
    return "package shop\n\n" + drawn.some(
        (
            "func %(A)s() *%(B)s { return shop.%(C)s().%(f)s() }",
            "type %(A)s struct { %(B)s\n\t%(f)s %(C)s }",
            "func (c *%(A)s) %(f)s() int { return c.%(g)s().%(h)s() }",
            "type %(A)s interface { %(f)s() %(B)s }",
            "func %(A)s(one %(B)s) { x := &%(C)s{}; x.%(f)s(); one.%(g)s(); deep.%(C)s() }",
        ),
        ('import "example.org/it/shop"', 'import deep "example.org/it/shop/deep"', 'import "example.org/it/lib"'),
    )  # fmt: skip


def _java(drawn: Drawn) -> str:
    package = drawn.random.choice(("shop", "shop.deep", "lib"))
    return f"package {package};\n\n" + drawn.some(
        (
            "class %(A)s extends %(B)s { %(C)s %(f)s; int %(g)s() { return %(f)s.%(h)s() + %(g)s(); } }",
            "interface %(A)s extends %(B)s { %(C)s %(f)s(); }",
            "class %(A)s implements %(B)s {"
            " static void %(f)s(%(C)s one) { one.%(g)s(); new %(B)s().%(h)s(); super.%(f)s(); } }",
        ),
        (
            "import shop.%(B)s;", "import shop.deep.*;", "import lib.%(B)s.%(f)s;", "import static lib.%(B)s.*;",
            "import lib.*;",
        ),
    )  # fmt: skip


def _rust(drawn: Drawn) -> str:
    return drawn.some(
        (
            "pub struct %(A)s { %(f)s: %(B)s }",
            "impl %(A)s { pub fn %(f)s(&self) -> %(B)s { self.%(g)s.%(h)s() } }",
            "impl %(B)s for %(A)s { fn %(f)s(&self) { self.%(g)s(); %(C)s::%(f)s() } }",
            "pub trait %(A)s { fn %(f)s(&self); }",
            "pub fn %(A)s() -> %(B)s { let x = %(C)s::%(f)s(); x.%(g)s(); %(m)s::%(X)s() }",
            "pub mod %(m)s;",
        ),
        (
            "use crate::shop::%(m)s::%(X)s;", "pub use self::%(m)s::%(X)s as %(N)s;", "use crate::%(m)s;",
            "use super::%(m)s::*;", "pub use crate::lib::%(m)s::*;", "use crate::%(m)s::%(X)s;",
        ),
    )  # fmt: skip


def _cpp(drawn: Drawn) -> str:
    return drawn.some(
        (
            "class %(A)s : public %(B)s { %(C)s %(f)s; int %(g)s() { return %(f)s.%(h)s() + %(g)s(); } };",
            "int %(A)s::%(f)s() { return this->%(g)s() + %(B)s(); }",
            "struct %(A)s { %(B)s *%(f)s; };",
            "int %(A)s(%(B)s one) { %(C)s x; x.%(f)s(); return one.%(g)s(); }",
            "namespace %(A)s { int %(B)s() { return %(C)s(); } }",
        ),
        ('#include "%(m)s.h"', '#include "shop/%(m)s.h"', '#include "../%(m)s.hpp"', '#include "lib/%(m)s.h"'),
    )  # fmt: skip


def _kotlin(drawn: Drawn) -> str:
    return f"package {drawn.random.choice(('shop', 'shop.deep', 'lib'))}\n\n" + drawn.some(
        (
            "class %(A)s(val %(f)s: %(B)s) : %(C)s() { fun %(g)s(): %(B)s { return %(f)s.%(h)s() } }",
            "fun %(B)s.%(f)s(): %(C)s { return this.%(g)s() }",
            "fun %(A)s(one: %(B)s, other: Int = 1) { one.%(f)s(); one.%(g)s(2) }",
            "object %(A)s { fun %(f)s(one: String) = %(B)s.%(g)s(one)\n fun %(f)s(one: Int) = %(g)s(1) }",
        ),
        (
            "import shop.%(B)s", "import shop.deep.*", "import lib.%(f)s", "import lib.%(B)s.*",
            "import lib.%(B)s as %(N)s",
        ),
    )  # fmt: skip


def _csharp(drawn: Drawn) -> str:
    return drawn.some(
        (
            "namespace Shop { public partial class %(A)s : %(B)s {"
            " %(C)s %(f)s; int %(g)s(int one) { return %(f)s.%(h)s(); } } }",
            "namespace Shop { public static class %(A)s {"
            " public static int %(f)s(this %(B)s one) { return one.%(g)s(1); } } }",
            "namespace Lib { class %(A)s { void %(f)s(string one) { new %(B)s().%(g)s(one); %(h)s(); }"
            " void %(f)s(int one) { %(f)s(1); } } }",
        ),
        ("using Shop;", "using Lib;", "using static Shop.%(B)s;"),
    )  # fmt: skip


def _scala(drawn: Drawn) -> str:
    return f"package {drawn.random.choice(('shop', 'shop.deep', 'lib'))}\n\n" + drawn.some(
        (
            "class %(A)s extends %(B)s { def %(f)s(one: %(C)s): %(B)s = one.%(g)s() }",
            "object %(A)s { def apply(one: Int): %(B)s = new %(B)s()\n def %(f)s = %(C)s(1).%(g)s }",
            "trait %(A)s { def %(f)s: %(B)s = %(C)s.%(g)s }",
            "object %(A)s { def %(f)s(one: String) = %(A)s(1) }",
        ),
        ("import shop.%(B)s", "import shop.deep._", "import lib.%(B)s._", "import deep.%(B)s"),
    )  # fmt: skip


def _ruby(drawn: Drawn) -> str:
    return drawn.some(
        (
            "class %(A)s < %(B)s\n  def %(f)s\n    self.%(g)s\n    %(C)s.new.%(h)s\n  end\nend",
            "module %(A)s\n  def self.included(base)\n    base.extend %(B)s\n  end\n\n  def %(f)s; %(g)s; end\nend",
            "class %(A)s\n  include %(B)s\n  def self.%(f)s; %(g)s; end\nend",
            "%(A)s.%(f)s",
        ),
        ("require_relative '%(m)s'", "require 'shop/%(m)s'"),
    )


def _php(drawn: Drawn) -> str:
    space = drawn.random.choice(("Shop", "Shop\\\\Deep", "Lib"))
    return f"<?php\nnamespace {space};\n\n" + drawn.some(
        (
            "class %(A)s extends %(B)s {"
            " private %(C)s $%(f)s; function %(g)s(): %(B)s { return $this->%(f)s->%(h)s(); } }",
            "class %(A)s { static function %(f)s() { return new self(); }"
            " function %(g)s() { return %(B)s::%(f)s()->%(h)s(); } }",
            "function %(f)s(%(B)s $one) { $one->%(g)s(); return %(h)s(); }",
        ),
        ("use Shop\\%(B)s;", "use Lib\\%(B)s as %(N)s;", "require '%(m)s.php';"),
    )  # fmt: skip


def _elixir(drawn: Drawn) -> str:
    return drawn.some(
        (
            "defmodule %(A)s do\n  def %(f)s(one), do: %(g)s(one)\n  def %(g)s(one), do: %(B)s.%(h)s(one)\nend",
            "defmodule Shop.%(A)s do\n  alias Shop.%(B)s\n  import %(C)s\n  use %(B)s\n"
            "  def %(f)s, do: %(B)s.%(g)s()\nend",
        ),
        (),
    )


def _lua(drawn: Drawn) -> str:
    return drawn.some(
        (
            "local %(A)s = {}\nfunction %(A)s.%(f)s() return %(m)s.%(g)s() end\n"
            "function %(A)s:%(g)s() self.%(f)s() end",
            "function %(f)s() return %(g)s() end",
            "return %(A)s",
        ),
        ("local %(m)s = require('%(m)s')", "local %(m)s = require('shop.%(m)s')"),
    )


def _haskell(drawn: Drawn) -> str:
    return drawn.some(
        (
            "class %(A)s a where\n  %(f)s :: a -> %(B)s",
            "instance %(B)s %(A)s where\n  %(f)s one = %(g)s one",
            "data %(A)s = %(A)s %(B)s",
            "%(f)s :: %(B)s -> %(C)s\n%(f)s one = %(g)s (%(h)s one)",
        ),
        ("import Shop.%(X)s", "import qualified Lib.%(X)s as %(N)s", "import %(B)s (%(f)s)"),
    )


def text(drawn: Drawn) -> str:
    return drawn.some(("`%(A)s` and `%(B)s.%(f)s`.", "## %(A)s\n\nSee `%(m)s.%(X)s`, `%(X)s.%(f)s`."), ("# %(A)s",))


MAKERS: dict[str, tuple[Callable[[Drawn], str], tuple[str, ...]]] = {
    "cpp": (_cpp, ("h", "cpp", "hpp")),
    "csharp": (_csharp, ("cs",)),
    "elixir": (_elixir, ("ex",)),
    "go": (_go, ("go",)),
    "haskell": (_haskell, ("hs",)),
    "java": (_java, ("java",)),
    "kotlin": (_kotlin, ("kt",)),
    "lua": (_lua, ("lua",)),
    "php": (_php, ("php",)),
    "python": (_python, ("py",)),
    "ruby": (_ruby, ("rb",)),
    "rust": (_rust, ("rs",)),
    "scala": (_scala, ("scala",)),
    "typescript": (_typescript, ("ts", "tsx")),
}
