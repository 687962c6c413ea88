"""Qualified names: a dot between the parts in every language, and only names as parts."""

from __future__ import annotations

import pytest

from chunker.api import chunk_file


@pytest.mark.parametrize(
    ("path", "code", "names"),
    [
        ("a.go", "package a\n\nfunc (s *Store[T]) Get() {}\n", ["method Store.Get"]),
        ("a.cpp", "namespace n {\nint ns::Foo<T, U>::bar() { return 1; }\n}\n", ["module n", "method ns.Foo.bar"]),
        (
            "a.cpp",
            "struct A { bool operator==(const A& b) const { return 1; } };\n",
            ["struct A", "method A.operator=="],
        ),
        ("a.cpp", "template <> struct Grid<bool> {};\n", ["struct Grid"]),
        (
            "a.cpp",
            'TEST_CASE("A.b: c", "[d]") {\n  e();\n}\n\nTEST_CASE_METHOD(F, "g") {}\n',
            ["function A.b: c", "function g"],
        ),
        ("a.c", "typedef struct { int x; } point;\n", ["struct point"]),
        (
            "a.c",
            'static char *names[] = { "b" };\nchar **env = 0;\nstruct { int x; } keys;\n',
            ["variable names", "variable env", "struct keys"],
        ),
        (
            "a.cpp",
            'A* A::one = nullptr;\nnamespace {\nconst char* const NAMES[] = {"b"};\n}\n'
            "A::operator bool() const { return 1; }\ntemplate <> int A::get<int>() { return 1; }\n",
            ["variable A.one", "variable NAMES", "method A.operator bool", "method A.get"],
        ),
        ("a.lua", "function M.a.b() end\nfunction M:c() end\n", ["function M.a.b", "method M.c"]),
        ("a.js", "Foo.prototype.bar = function () {};\n", ["method Foo.bar"]),
        ("a.js", "module.exports.parse = () => 1;\nexports.x = function () {};\n", ["function parse", "function x"]),
        ("a.js", "class A { #p() {} static async *q() {} }\n", ["class A", "method A.#p", "method A.q"]),
        ("a.js", "const [a, b] = f(), c = 1;\n", ["const c"]),
        ("a.js", "class A {\n  save = debounce(() => {}, 9);\n  b = f(c);\n}\n", ["class A", "method A.save"]),
        ("a.ts", "class A {\n  public save = batch(<T>(b: T) => {});\n}\n", ["class A", "method A.save"]),
        ("a.ts", "declare module 'x/y' { export function f(): void; }\n", ["module x/y", "function x/y.f"]),
        ("a.kt", "fun <T> List<T>.second(): T = this[1]\n", ["function List.second"]),
        (
            "a.kt",
            "var a: Int\n    get() = 1\n    set(b) {}\n\nclass C {\n    val d get() = 1\n    val e = 1\n}\n",
            ["variable a", "class C", "method C.d"],
        ),
        (
            "a.rs",
            "impl<'a, T: Ord> Iterator for Walk<'a, T> {\n  fn next(&mut self) {}\n}\n",
            ["impl Walk", "method Walk.next"],
        ),
        ("a.rs", "impl dyn Any + Send {\n  fn f() {}\n}\n", ["impl Any + Send", "method Any + Send.f"]),
        (
            "a.rb",
            "class A::B\n  def self.c; end\n  def d=(x); end\nend\n",
            ["class A.B", "method A.B.c", "method A.B.d="],
        ),
        ("a.rb", "def obj.call; end\n", ["method obj.call"]),
        ("a.hs", "focus' :: Int\nfocus' = 1\n", ["function focus'"]),
        ("a.hs", "(<+>) a b = a\n", ["function <+>"]),
        ("a.ex", "defmodule A.B do\n  def ok?(x), do: x\nend\n", ["module A.B", "function A.B.ok?"]),
        ("a.scala", "object A { def +(b: Int) = b }\n", ["class A", "method A.+"]),
        (
            "a.swift",
            "extension Array.Index { static func < (a: Int, b: Int) {} }\n",
            ["impl Array.Index", "method Array.Index.<"],
        ),
        (
            "A.cs",
            "class C {\n  public int this[int i] => 1;\n  public static C operator +(C a, C b) => a;\n"
            "  public static explicit operator int(C a) => 1;\n}\n",
            ["class C", "method C.this", "method C.+", "method C.explicit"],
        ),
        (
            "a.swift",
            "class A {\n  deinit { b() }\n  var c = 1 { didSet { b() } }\n  lazy var d = { 1 }()\n}\n",
            ["class A", "method A.deinit", "method A.c", "method A.d"],
        ),
        (
            "a.kt",
            "class A {\n    val b = object : B {\n        fun c() {}\n    }\n}\n",
            ["class A", "class A.b", "method A.b.c"],
        ),
        ("A.cs", "namespace A.B { class C<T> { void D<U>() {} } }\n", ["module A.B", "class C", "method C.D"]),
        ("a.php", "<?php\nnamespace A\\B;\nfunction &f() {}\n", ["function f"]),
        (
            "a.zig",
            'test "adds" {}\nfn List(comptime T: type) type {\n    return struct { fn len() void {} };\n}\n',
            ["function test.adds", "struct List", "method List.len"],
        ),
        ("a.sh", "function my-fn { :; }\na::other() { :; }\n", ["function my-fn", "function a::other"]),
        (
            "a.py",
            "def f():\n    x = 1\n    class A:\n        def g(self): ...\n",
            ["function f", "class f.A", "method f.A.g"],
        ),
    ],
)
def test_names(path: str, code: str, names: list[str]) -> None:
    file = chunk_file(code.encode(), path)
    assert [f"{found.kind} {found.qualified}" for found in file.definitions] == names


def test_names_stop_growing_with_depth() -> None:
    code = "".join(f"{' ' * depth}class A{depth}:\n" for depth in range(90)) + " " * 90 + "x = 1\n"
    longest = max(len(found.qualified) for found in chunk_file(code.encode(), "a.py").definitions)
    assert longest < 150


def test_the_arguments_of_a_macro_in_a_call_are_references() -> None:
    """They are masked between enumerators, which the grammar does not read."""
    code = "void printflike(1, 2) f(char *, ...);\n\nvoid g()\n{\n    h(1,\n        MOST(cart, lamp),\n        2);\n}\n"
    assert {"MOST", "cart", "lamp"} <= {one.name for one in chunk_file(code.encode(), "a.c").references}
