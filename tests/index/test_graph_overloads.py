"""Which of several definitions of one name a reference means, and those that stand apart. One small tree a rule."""

# ruff: noqa: E501 - the trees are data, a file a line
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from index.graph.known import known_graph
from index.graph.moved import Moved
from index.graph.signatures import Parameter, arguments, fit, parameters
from index.snapshot import Snapshot
from tests.index.conftest import Keeper, WriteTree


@dataclass(frozen=True)
class Case:
    """`meant`: (line of the reference in the first file, file and line of every definition that it is bound to)."""

    files: dict[str, str]
    meant: list[tuple[int, list[str]]]


CASES = {
    "elixir: callbacks only say what others define": Case(
        {
            "a.ex": "defmodule A do\n  def f(x), do: Cart.sum(x)\nend\n",
            "cart.ex": f"defmodule Cart do\n  @callback sum(x :: integer()) :: integer()\n\n  def other(x), do: {'x + ' * 400} x\n\n  def sum(x), do: x\nend\n",
        },
        [(2, ["cart.ex:6"])],
    ),
    "elixir: how many arguments, of a pipe, a value, defaults": Case(
        {
            "a.ex": "defmodule A do\n  def f(x), do: Cart.sum(x)\n  def g(x), do: x |> Cart.sum(1, 2)\n  def h(x), do: Enum.map(x, &Cart.sum/1)\n"
            "  def i(x), do: Cart.keep(x)\n  def j(x), do: Cart.keep(x, 1, 2)\nend\n",
            "cart.ex": "defmodule Cart do\n  def sum(x), do: sum(x, 0, [])\n  def keep(x, y \\\\ 1), do: x\n"
            f"  def other(x), do: {'x + ' * 400} x\n  def sum(x, y, z), do: z\n  def keep(x, y, z), do: x\nend\n",
        },
        [(2, ["cart.ex:2"]), (3, ["cart.ex:5"]), (4, ["cart.ex:2"]), (5, ["cart.ex:3"]), (6, ["cart.ex:6"])],
    ),
    "csharp: how many arguments, defaults included": Case(
        {
            "A.cs": "namespace S {\n  class A {\n    void X(Cart c) { c.Add(1); }\n    void Y(Cart c) { c.Add(1, 2); }\n    void Z(Cart c) { c.Add(1, 2, 3); }\n  }\n}\n",
            "Cart.cs": "namespace S {\n  class Cart {\n    public void Add(int a) { }\n    public void Add(int a, int b) { }\n"
            "    public void Add(int a, int b, int c, int d = 1) { }\n  }\n}\n",
        },
        [(3, ["Cart.cs:3"]), (4, ["Cart.cs:4"]), (5, ["Cart.cs:5"])],
    ),
    "csharp: a literal's type, a name": Case(
        {
            "A.cs": 'namespace S {\n  class A {\n    void X(Cart c) { c.Find("x"); }\n    void Y(Cart c) { c.Find(2); }\n    void Z(Cart c) { c.Find(item: null); }\n  }\n}\n',
            "Cart.cs": "namespace S {\n  class Cart {\n    public void Find(string name) { }\n    public void Find(int at) { }\n    public void Find(Item item) { }\n  }\n}\n",
        },
        [(3, ["Cart.cs:3"]), (4, ["Cart.cs:4"]), (5, ["Cart.cs:5"])],
    ),
    "more overloads than an ambiguous name may have": Case(
        {
            "A.java": "class A {\n  void run(Cart c) { c.add(1, 2, 3, 4); }\n}\n",
            "Cart.java": "class Cart {\n  void add(int a) { }\n  void add(int a, int b) { }\n  void add(int a, int b, int c) { }\n"
            "  void add(int a, int b, int c, int d) { }\n  void add(int a, int b, int c, int d, int e) { }\n}\n",
        },
        [(2, ["Cart.java:5"])],
    ),
    "kotlin: a function after the brackets counts, names say which": Case(
        {
            "A.kt": "fun x(c: Cart) = c.on { it }\nfun y(c: Cart) = c.on(1) { it }\nfun z(c: Cart) = c.on(at = 2)\n",
            "Cart.kt": "class Cart {\n    fun on(f: (Int) -> Int) = 1\n    fun on(n: Int, f: (Int) -> Int) = 2\n    fun on(at: Int) = 3\n}\n",
        },
        [(1, ["Cart.kt:2"]), (2, ["Cart.kt:3"]), (3, ["Cart.kt:4"])],
    ),
    "swift: labels": Case(
        {
            "A.swift": "func x(c: Cart) {\n    c.add(item: 1)\n}\nfunc y(c: Cart) {\n    c.add(other: 1)\n}\n",
            "Cart.swift": "class Cart {\n    func add(item: Int) {}\n    func add(other cart: Int) {}\n}\n",
        },
        [(2, ["Cart.swift:2"]), (5, ["Cart.swift:3"])],
    ),
    "cpp: a definition outside of its class does not show defaults": Case(
        {
            "a.cpp": '#include "cart.h"\nvoid x(Cart& c) { c.add(1); }\nvoid y(Cart& c) { c.add(1, 2); }\nvoid z(Cart& c) { c.drop(1, 2); }\n',
            "cart.cpp": '#include "cart.h"\nvoid Cart::add(int a) {}\nvoid Cart::add(int a, int b) {}\nvoid Cart::drop(int a, int b, int c) {}\nvoid Cart::drop(int a) {}\n',
            "cart.h": "class Cart {\n void add(int a);\n void add(int a, int b);\n void drop(int a, int b, int c = 2);\n void drop(int a);\n};\n",
        },
        [(2, ["cart.cpp:2"]), (3, ["cart.cpp:3"]), (4, ["cart.cpp:4"])],
    ),
    "scala: a class and its companion": Case(
        {
            "A.scala": "package s\n\nclass A extends Cart {\n  def x(): Cart = new Cart(1)\n  def y(): Cart = Cart(1)\n  def z() = Item(1)\n  def all() = Cart.all()\n}\n",
            "Cart.scala": "package s\n\nclass Cart(n: Int)\n\nobject Cart {\n  def apply(n: Int) = new Cart(n)\n  def all() = 1\n}\n\n"
            "case class Item(n: Int)\n\nobject Item {\n  val none = 0\n}\n",
        },
        [(3, ["Cart.scala:3"]), (4, ["Cart.scala:3"]), (5, ["Cart.scala:5"]), (6, ["Cart.scala:10"]), (7, ["Cart.scala:7"])],
    ),
    "copies of a package in several modules": Case(
        {
            "a/src/A.kt": "package s\n\nfun run() {\n    now()\n}\n",
            "a/src/Time.kt": "package s\n\nfun now() = 1\n",
            "b/src/Time.kt": "package s\n\nfun now() = 2\n",
        },
        [(4, ["a/src/Time.kt:3"])],
    ),
    "cpp: a test of a fixture sees its members": Case(
        {
            "a_test.cc": "struct CartTest : testing::Test {\n  void fill() {}\n};\n\nstruct Other {\n  void fill() {}\n};\n\n"
            "TEST_F(CartTest, Adds) {\n  fill();\n}\n\nTEST(Cart, Alone) {\n  free_function();\n}\n",
            "b.cc": "void free_function() {}\n",
        },
        [(10, ["a_test.cc:2"]), (14, ["b.cc:1"])],
    ),
    "cpp: a test is not a member of a class of its suite's name": Case(
        {"a_test.cc": "struct Cart {\n  void fill() {}\n};\n\nvoid fill() {}\n\nTEST(Cart, Fills) {\n  fill();\n}\n"},
        [(8, ["a_test.cc:5"])],
    ),
    "csharp: extension methods of a class, and of what is not of the tree": Case(
        {
            "A.cs": "using Helpers;\n\nnamespace S {\n  class A {\n    void X(Cart c) { c.Fill(1); }\n    void Y(char c) { c.IsBlank(); }\n  }\n}\n",
            "B.cs": "namespace T {\n  class B {\n    void Y(char c) { c.IsBlank(); }\n  }\n}\n",
            "Cart.cs": "namespace S {\n  class Cart { }\n}\n",
            "Help.cs": "namespace Helpers {\n  static class Help {\n    public static void Fill(this S.Cart c, int n) { }\n    public static bool IsBlank(this char c) => true;\n  }\n}\n",
        },
        [(5, ["Help.cs:3"]), (6, ["Help.cs:4"])],
    ),
    "kotlin: an extension is the one that the file imports": Case(
        {
            "A.kt": "package app\n\nimport s.Cart\nimport testing.parse\n\nfun run() {\n    Cart().parse(1)\n}\n",
            "Cart.kt": "package s\n\nclass Cart\n\nfun Cart.parse(n: Int) = 1\n",
            "Testing.kt": "package testing\n\nimport s.Cart\n\nfun <T : Cart> T.parse(n: Int): T = this\n",
        },
        [(7, ["Cart.kt:3", "Testing.kt:5"])],
    ),
    "kotlin: an extension in a class sees the class": Case(
        {
            "A.kt": "class Tests {\n    fun fill() = 1\n\n    fun Cart.both() {\n        fill()\n    }\n}\n",
            "Cart.kt": "class Cart\n",
        },
        [(5, ["A.kt:2"])],
    ),
    "scala: all members of an object": Case(
        {
            "A.scala": "package s.t\n\nimport s.u.Ops._\nimport Near._\n\nclass A {\n  def x() = far(1)\n  def y() = near(1)\n}\n",
            "Near.scala": "package s.t\n\nobject Near {\n  def near(n: Int) = n\n}\n",
            "Ops.scala": "package s.u\n\nclass Ops\n\nobject Ops {\n  def far(n: Int) = n\n}\n",
        },
        [(7, ["Ops.scala:6"]), (8, ["Near.scala:4"])],
    ),
    "scala: packages one in another": Case(
        {
            "A.scala": "package s\npackage t\n\nimport s.u.Ops._\n\nclass A {\n  def x() = new Top()\n  def y() = far(1)\n  def z() = new Beside()\n}\n",
            "Ops.scala": "package s\npackage u\n\nobject Ops {\n  def far(n: Int) = n\n}\n\nclass Beside\n",
            "Top.scala": "package s\n\nclass Top\n",
        },
        [(7, ["Top.scala:3"]), (8, ["Ops.scala:5"]), (9, [])],
    ),
    "ruby: parts of a class and what a module's hook adds": Case(
        {
            "lib/a.rb": "class Shop::Start\n  include Shop::Base\n  fill :x\n\n  def run\n    Shop::Cart.open\n"
            "    self.class.fill(1)\n    drop(2)\n  end\nend\n",
            "lib/base.rb": "module Shop\n  module Base\n    def self.included(base)\n      base.extend ClassMethods\n    end\n\n"
            "    module ClassMethods\n      def fill(name)\n        name\n      end\n    end\n\n    class << self\n"
            "      def extended(base)\n        base.send :include, Drops\n      end\n    end\n\n    module Drops\n      def drop(name)\n"
            "        name\n      end\n    end\n  end\nend\n",
            "lib/cart.rb": "module Shop\n  class Cart\n    def self.open\n      new\n    end\n  end\nend\n",
            "lib/cart/rows.rb": "module Shop\n  class Cart\n    def rows\n      []\n    end\n  end\nend\n",
        },
        [(2, ["lib/base.rb:2"]), (3, ["lib/base.rb:8"]), (6, ["lib/cart.rb:3"]), (7, ["lib/base.rb:8"]), (8, ["lib/base.rb:20"])],
    ),
    "ruby: a class in a class has no methods of it": Case(
        {"lib/a.rb": "class Shop\n  def self.fill(name)\n    name\n  end\n\n  class Cart\n    fill :x\n    Item.new\n    extend Rows\n    row :y\n"
         "    module Rows\n      def row(name)\n        name\n      end\n    end\n  end\n\n  class Item\n    def x\n      1\n    end\n  end\nend\n"},
        [(7, []), (8, ["lib/a.rb:18"]), (9, ["lib/a.rb:11"]), (10, ["lib/a.rb:12"])],
    ),
    "ruby: a class that is opened is not defined": Case(
        {
            "lib/a.rb": "class Cart\n  def more\n    Cart.new(1)\n    Array.new\n  end\nend\n",
            "lib/array.rb": "class Array\n  def second\n    self[1]\n  end\nend\n",
            "lib/cart.rb": "class Cart\n  def fill\n    1\n  end\nend\n",
        },
        [(3, ["lib/cart.rb:1"]), (4, [])],
    ),
}  # fmt: skip


def bound(snapshot: Snapshot) -> dict[int, list[str]]:
    """By line of the first file, the definitions that its calls and bases are bound to."""
    segment, found = snapshot.segment, {}
    paths = segment.strings("file.path").to_list()
    homes = segment.rows["definition"]
    pairs = zip(snapshot.array("bound/reference").tolist(), snapshot.array("bound/definition").tolist(), strict=True)
    for reference, definition in pairs:
        is_first = reference < segment.rows["reference"][1]
        if is_first and segment.array("reference.kind")[reference] != TYPE:
            path = paths[int(homes.searchsorted(definition, side="right")) - 1]
            place = f"{path}:{int(segment.array('definition.line')[definition])}"
            found.setdefault(int(segment.array("reference.line")[reference]), []).append(place)
    return found


TYPE = 1


@pytest.mark.parametrize("name", CASES)
def test_a_reference_is_bound_to_what_it_means(name: str, write_tree: WriteTree, keeper: Keeper) -> None:
    case = CASES[name]
    snapshot = keeper.refresh(write_tree(case.files))[0]
    assert snapshot.segment.strings("file.path")[0] == min(case.files)
    found = bound(snapshot)
    assert {line: sorted(found.get(line, ())) for line, _ in case.meant} == dict(case.meant)


def test_a_changed_list_of_parameters_is_seen_by_others(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "A.kt": "fun run(c: Cart) {\n    c.add(1)\n}\n",
        "Cart.kt": "class Cart {\n    fun add(a: Int) = 1\n    fun add(a: Int, b: Int) = 2\n}\n",
    }
    old, _ = keeper.refresh(write_tree(files))
    assert bound(old)[2] == ["Cart.kt:2"]
    swapped = "class Cart {\n    fun add(a: Int, b: Int) = 1\n    fun add(a: Int) = 2\n}\n"
    new, _ = keeper.refresh(write_tree({"Cart.kt": swapped}))
    assert known_graph(old, Moved(old.segment, new.segment, np.array([False, True]))).taken_over() is None
    assert bound(new)[2] == ["Cart.kt:3"]


def test_what_a_definition_says_of_its_parameters() -> None:
    assert parameters(b"(final Map<String, Item> a, int... rest) {", "java") == (
        Parameter("a", "Map"), Parameter("rest", "int", is_variadic=True),
    )  # fmt: skip
    assert parameters(b'(vararg names: String, help: String = "a, b", on: (Int) -> Unit)', "kotlin") == (
        Parameter("names", "String", is_variadic=True),
        Parameter("help", "String", is_optional=True),
        Parameter("on", "->"),
    )
    assert parameters(b"[A](path: String*)(implicit e: E)", "scala") == (Parameter("path", "String", is_variadic=True),)
    assert parameters(b"(const std::string& s, char* t[])", "cpp") == (Parameter("s", "string"), Parameter("t", "char"))
    assert parameters(b"(void)", "cpp") == ()
    assert parameters(b" {\n  (1, 2)\n}", "java") is None
    assert parameters(b"(int a, ", "java") is None  # it does not end


def test_a_call_that_cannot_be_read_fits_everything() -> None:
    assert arguments(b"", "kotlin") is None
    assert arguments(b" = run", "java") is None
    assert arguments(b'("a, (b", x(1, 2))', "java") is not None
    given = arguments(b'("a, (b", x(1, 2))', "java")
    assert given is not None
    assert len(given) == 2
    assert fit(given, None, "java") > fit(given, (), "java")
