"""Choosing among several definitions of one name, and definitions that stay separate. One small tree per rule."""

# ruff: noqa: E501 - the trees are data, a file a line
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from index.generation.diff import GenerationDiff
from index.generation.reader import Snapshot
from index.graph.overloads import accepted_by_calls
from index.graph.reuse import reusable
from tests.index.conftest import Keeper, WriteTree


@dataclass(frozen=True)
class Case:
    """`meant`: (line of the reference in the first file, file and line of every definition that it is bound to)."""

    files: dict[str, str]
    meant: list[tuple[int, list[str]]]


FILLS = "".join(f"  public virtual void Fill({'int a, ' * n}int b) {{ }}\n" for n in range(6))
CASES = {
    "csharp: how many arguments, defaults included": Case(
        {
            "A.cs": "namespace S {\n  class A {\n    void X(Cart c) { c.Add(1); }\n    void Y(Cart c) { c.Add(1, 2); }\n    void Z(Cart c) { c.Add(1, 2, 3); }\n  }\n}\n",
            "Cart.cs": "namespace S {\n  class Cart {\n    public void Add(int a) { }\n    public void Add(int a, int b) { }\n"
            "    public void Add(int a, int b, int c, int d = 1) { }\n  }\n}\n",
        },
        [(3, ["Cart.cs:3"]), (4, ["Cart.cs:4"]), (5, ["Cart.cs:5"])],
    ),
    "csharp: how many arguments, behind type arguments": Case(
        {
            "A.cs": "namespace S {\n  class A {\n    void X(Cart c) { c.Get<int>(1); }\n    void Y(Cart c) { c.Get<int>(1, 2); }\n  }\n}\n",
            "Cart.cs": "namespace S {\n  class Cart {\n    public T Get<T>(int a) { }\n    public T Get<T>(int a, int b) where T : new() { }\n  }\n}\n",
        },
        [(3, ["Cart.cs:3"]), (4, ["Cart.cs:4"])],
    ),
    "cuda: how many arguments, behind the launch of a kernel": Case(
        {
            "a.cu": "#include \"b.cuh\"\nvoid x(float *a) { add<<<dim3(1, 2), 256, 0, s->id()>>>(a); }\nvoid y(float *a) { add<float><<<1, 2>>>(a, a); }\n",
            "b.cuh": "template <typename T> __global__ void add(T *a) {}\ntemplate <typename T> __global__ void add(T *a, T *b) {}\n",
        },
        [(2, ["b.cuh:1"]), (3, ["b.cuh:2"])],
    ),
    "objc: the words of a message": Case(
        {
            "A.m": "@implementation A\n- (void)x:(Cart *)c { [c add:@\"a]\" to:^{ [c b:1]; }]; }\n- (void)y:(Cart *)c { [c add:1 ?: 2]; }\n- (void)z:(Cart *)c { [[c add] x:1]; }\n"
            "- (void)w:(Cart *)c { [c add:[c add:1 of:2]\n    of:3]; }\n@end\n",
            "Cart.m": "@implementation Cart\n- (id)add {}\n- (void)add:(id)a {}\n- (void)add:(id)a to:(void (^)(id b))c {}\n- (void)add:(id)a of:(id)b {}\n- (void)add:(id)a of:(id)b by:(id)c {}\n@end\n",
        },
        [(2, ["Cart.m:4"]), (3, ["Cart.m:3"]), (4, ["Cart.m:2"]), (5, ["Cart.m:5"])],
    ),
    "more overloads than an ambiguous name may have": Case(
        {
            "A.java": "class A {\n  void run(Cart c) { c.add(1, 2, 3, 4); }\n}\n",
            "Cart.java": "class Cart {\n  void add(int a) { }\n  void add(int a, int b) { }\n  void add(int a, int b, int c) { }\n"
            "  void add(int a, int b, int c, int d) { }\n  void add(int a, int b, int c, int d, int e) { }\n}\n",
        },
        [(2, ["Cart.java:5"])],
    ),
    "java: overloads that a class inherits": Case(
        {
            "A.java": "class A {\n  void x(Cart c) { c.add(1); }\n  void y(Cart c) { c.add(1, 2); }\n  void z(Cart c) { c.add(1, 2, 3); }\n}\n",
            "B.java": "class Root {\n  void add(int a) { }\n}\n\nclass Base extends Root {\n  void add(int a, int b) { }\n  void add(int a, int b, int c) { }\n}\n",
            "Cart.java": "class Cart extends Base {\n  void add(int a, int b, int c) { }\n}\n",
        },
        [(2, ["B.java:2"]), (3, ["B.java:6"]), (4, ["Cart.java:2"])],
    ),
    "java: more overloads than twelve": Case(
        {
            "A.java": "class A {\n  void run(Cart c) { c.add(1, 2); }\n}\n",
            "Cart.java": "class Cart {\n  void add(int a, int b) { }\n" + "  void add(int a) { }\n" * 15 + "}\n",
        },
        [(2, ["Cart.java:2"])],
    ),
    "java: the name with arguments is the call": Case(
        {
            "A.java": "class A {\n  void run(Cart c) {\n    int total = c.total();\n  }\n}\n",
            "Cart.java": "class Cart {\n  int total() { return 0; }\n  void total(int a) { }\n}\n",
        },
        [(3, ["Cart.java:2"])],
    ),
    "java: the class inside a class with a constructor": Case(
        {"A.java": "class A {\n  A() { }\n  int total() { return 1; }\n\n  static class B extends A {\n    int x() { return total(); }\n  }\n}\n"},
        [(5, ["A.java:1"]), (6, ["A.java:3"])],
    ),
    "java: a variable does not hide a method": Case(
        {"A.java": "class A extends Base {\n  int size;\n  int x() {\n    int total = total();\n    return this.size();\n  }\n\n  int total() { return 1; }\n}\n\n"
        "class Base {\n  int size() { return 2; }\n}\n"},
        [(4, ["A.java:8"]), (5, ["A.java:12"])],
    ),
    "java: `parent` is a name like any other": Case(
        {"A.java": "class A extends Base {\n  Cart parent;\n  int x() { return parent.total(); }\n}\n\nclass Base {\n  int total() { return 1; }\n}\n\n"
        "class Cart {\n  int total() { return 2; }\n}\n"},
        [(3, ["A.java:11"])],
    ),
    "java: constants, elements, the object around and classes as objects": Case(
        {
            "A.java": "class A {\n  Cart[] carts;\n  int total() { return 1; }\n\n  void run(Cart[] own) {\n    Size.SMALL.total();\n    own[0].total();\n    carts[1].total();\n"
            "    new Object() { void x() { A.this.total(); } };\n    Cart.class.total();\n  }\n}\n",
            "Cart.java": "class Cart {\n  int total() { return 1; }\n}\n",
            "Size.java": "enum Size {\n  SMALL, LARGE;\n  int total() { return 1; }\n}\n",
        },
        [(6, ["Size.java:3"]), (7, ["Cart.java:2"]), (8, ["Cart.java:2"]), (9, ["A.java:3"]), (10, [])],
    ),
    "cpp: what a class leaves to those that extend it": Case(
        {
            "a.cpp": '#include "cart.h"\nvoid x(Base& b) {\n  b.add(1);\n}\n',
            "cart.h": "struct Base {\n  virtual int add(int a) = 0;\n};\n\nstruct Cart : Base {\n  int add(int a) { return a; }\n};\n",
        },
        [(3, ["cart.h:2"])],
    ),
    "cpp: members that are defined outside their namespace": Case(
        {
            "a.cpp": '#include "cart.h"\nvoid x(shop::Cart& c) {\n  c.add(1);\n}\n',
            "cart.cpp": '#include "cart.h"\nvoid shop::Cart::add(int a) {\n  total();\n}\n',
            "cart.h": "namespace shop {\nclass SHOP_API Cart {\npublic:\n  void add(int a);\n  int total() { return 1; }\n};\n}\n",
        },
        [(3, ["cart.cpp:2"])],
    ),
    "kotlin: a function after the brackets counts": Case(
        {
            "A.kt": "fun x(c: Cart) = c.on { it }\nfun y(c: Cart) = c.on(1) { it }\n",
            "Cart.kt": "class Cart {\n    fun on(f: (Int) -> Int) = 1\n    fun on(n: Int, f: (Int) -> Int) = 2\n    fun on(at: Int) = 3\n}\n",
        },
        [(1, ["Cart.kt:2", "Cart.kt:4"]), (2, ["Cart.kt:3"])],
    ),
    "cpp: a definition outside of its class does not show defaults": Case(
        {
            "a.cpp": '#include "cart.h"\nvoid x(Cart& c) { c.add(1); }\nvoid y(Cart& c) { c.add(1, 2); }\nvoid z(Cart& c) { c.drop(1, 2); }\n',
            "cart.cpp": '#include "cart.h"\nvoid Cart::add(int a) {}\nvoid Cart::add(int a, int b) {}\nvoid Cart::drop(int a, int b, int c) {}\nvoid Cart::drop(int a) {}\n',
            "cart.h": "class Cart {\n void add(int a);\n void add(int a, int b);\n void drop(int a, int b, int c = 2);\n void drop(int a);\n};\n",
        },
        [(2, ["cart.cpp:2"]), (3, ["cart.cpp:3"]), (4, ["cart.cpp:4", "cart.cpp:5"])],
    ),
    "scala: a class and its companion": Case(
        {
            "A.scala": "package s\n\nclass A extends Cart {\n  def x(): Cart = new Cart(1)\n  def y(): Cart = Cart(1)\n  def z() = Item(1)\n  def all() = Cart.all()\n}\n",
            "Cart.scala": "package s\n\nclass Cart(n: Int)\n\nobject Cart {\n  def apply(n: Int) = new Cart(n)\n  def all() = 1\n}\n\n"
            "case class Item(n: Int)\n\nobject Item {\n  val none = 0\n}\n",
        },
        [(3, ["Cart.scala:3"]), (5, ["Cart.scala:3", "Cart.scala:5"]), (7, ["Cart.scala:7"])],
    ),
    "copies of a package in several modules": Case(
        {
            "a/src/A.kt": "package s\n\nfun run() {\n    now()\n}\n",
            "a/src/Time.kt": "package s\n\nfun now() = 1\n",
            "b/src/Time.kt": "package s\n\nfun now() = 2\n",
        },
        [(4, ["a/src/Time.kt:3", "b/src/Time.kt:3"])],
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
    "csharp: an extension with arguments that no method accepts, and a method behind an override": Case(
        {
            "A.cs": "class A {\n  void X(Cart c) { c.Fill(); }\n  void Y(Cart c) { c.Fill(1); }\n  void Z(Cart c) { c.Fill(1, 2); }\n}\n",
            "Cart.cs": "class Root {\n  public virtual void Fill(int n) { }\n  public virtual void Fill(int n, int m) { }\n}\nclass Base : Root {\n  public override void Fill(int n, int m) { }\n}\nclass Cart : Base {\n  public override void Fill(int n, int m) { }\n}\n",
            "Help.cs": "static class Help {\n  public static void Fill(this Cart c) { }\n}\n",
        },
        [(2, ["Help.cs:2"]), (3, ["Cart.cs:2"]), (4, ["Cart.cs:9"])],
    ),
    "csharp: an overload that a class inherits beside six that it overrides": Case(
        {
            "A.cs": "class A {\n  void X(Cart c) { c.Fill(); }\n}\n",
            "Cart.cs": f"class Base {{\n  public void Fill() {{ }}\n{FILLS}}}\nclass Cart : Base {{\n{FILLS}}}\n",
        },
        [(2, ["Cart.cs:2"])],
    ),
    "kotlin: an extension of what has no known type": Case(
        {
            "A.kt": "package app\n\nimport testing.parse\n\nfun run() {\n    other().parse(1)\n    other().fill(1)\n}\n",
            "Cart.kt": "package s\n\nclass Cart { fun fill(n: Int) = n }\n\nfun Item.fill(n: Int) = 1\n",
            "Testing.kt": "package testing\n\nimport s.Cart\n\nfun <T : Cart> T.parse(n: Int): T = this\n",
        },
        [(6, ["Testing.kt:5"]), (7, [])],
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
    "ruby: mixins are named inside of a class": Case(
        {"lib/a.rb": "class Shop\n  def self.fill(name)\n    name\n  end\n\n  class Cart\n    fill :x\n    Item.new\n    extend Rows\n    row :y\n"
         "    module Rows\n      def row(name)\n        name\n      end\n    end\n  end\n\n  class Item\n    def x\n      1\n    end\n  end\nend\n"},
        [(8, ["lib/a.rb:18"]), (9, ["lib/a.rb:11"]), (10, ["lib/a.rb:12"])],
    ),
    "ruby: a class that is opened elsewhere": Case(
        {
            "lib/a.rb": "class Cart\n  def more\n    Cart.new(1)\n  end\nend\n",
            "lib/cart.rb": "class Cart\n  def fill\n    1\n  end\nend\n",
        },
        [(3, ["lib/cart.rb:1"])],
    ),
}  # fmt: skip


def bound(snapshot: Snapshot) -> dict[int, list[str]]:
    """Line of the first file -> the definitions that its calls and bases are bound to."""
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
def test_a_reference_is_bound_to_the_definition_it_means(name: str, write_tree: WriteTree, keeper: Keeper) -> None:
    case = CASES[name]
    snapshot = keeper.refresh(write_tree(case.files))[0]
    assert snapshot.segment.strings("file.path")[0] == min(case.files)
    found = bound(snapshot)
    assert {line: sorted(found.get(line, ())) for line, _ in case.meant} == dict(case.meant)


def test_a_changed_parameter_list_affects_its_callers(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "A.kt": "fun run(c: Cart) {\n    c.add(1)\n}\n",
        "Cart.kt": "class Cart {\n    fun add(a: Int) = 1\n    fun add(a: Int, b: Int) = 2\n}\n",
    }
    old, _ = keeper.refresh(write_tree(files))
    assert bound(old)[2] == ["Cart.kt:2"]
    swapped = "class Cart {\n    fun add(a: Int, b: Int) = 1\n    fun add(a: Int) = 2\n}\n"
    new, _ = keeper.refresh(write_tree({"Cart.kt": swapped}))
    assert reusable(GenerationDiff(old, new.segment, np.array([False, True]))) is None
    assert bound(new)[2] == ["Cart.kt:3"]


@pytest.mark.parametrize(
    ("listed", "least", "most"),
    [
        ("(Map<String, Item> a, int b)", 2, 2),
        ("(int a, int... rest)", 1, None),
        ("(int a, params int[] rest)", 1, None),
        ('(int a, string b = "x, (y", int c = 2)', 1, 3),
        ("(void)", 0, 0),
    ],
)
def test_the_number_of_arguments_of_a_definition(
    listed: str, least: int, most: int | None, write_tree: WriteTree, keeper: Keeper
) -> None:
    text = f"class A {{\n  void f{listed} {{ }}\n}}\n"
    segment = keeper.refresh(write_tree({"A.cs": text}))[0].segment
    (found,) = [one for one in accepted_by_calls(segment, 0) if one is not None]
    assert found.start == least
    assert most == (None if found.stop > 99 else found.stop - 1)


def test_a_list_that_does_not_end_fits_everything(write_tree: WriteTree, keeper: Keeper) -> None:
    segment = keeper.refresh(write_tree({"A.cs": "class A {\n  void f(int a, "}))[0].segment
    assert set(accepted_by_calls(segment, 0)) <= {None}
