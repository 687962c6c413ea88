"""Minor definitions inside other code: every function that has a name has a line that defines it."""

from __future__ import annotations

import pytest

from chunker.api import chunk_file

# (path, code, every definition with its line, including those of the chunks themselves)
CASES: list[tuple[str, str, list[str]]] = [
    (
        "pointers.h",
        "#ifndef H_\n"
        "int (*open_cart)(int a);\n"
        "static void *(*grow)(size_t n) = malloc;\n"
        "MOD_API void *(*run_cart)(size_t n) MOD_ATTR;\n"
        "#endif\n",
        ["variable open_cart 2", "variable grow 3", "variable run_cart 4"],
    ),
    (
        "globals.c",
        "struct cart cart;\n"
        "static int *rows, sums[4];\n"
        "extern int elsewhere;\n"
        "int total(int a);\n"
        "int *totals(int a);\n"
        "void f(void) {\n"
        "    int inner;\n"
        "    int (*local)(int);\n"
        "}\n",
        ["variable cart 1", "variable rows 2", "variable sums 2", "function f 6"],
    ),
    (
        "a.py",
        "class A:\n"
        "    MAX_SIZE = 3\n"
        "    pick = lambda self: 1\n"
        "\n"
        "\n"
        "A.other = pick_other\n"
        "\n"
        "\n"
        "def f():\n"
        "    def g(): ...\n",
        [
            "const A.MAX_SIZE 2",
            "function A.pick 3",
            "function A.other 6",
            "function f.g 10",
        ],
    ),
    (
        "settings.py",
        "if debug:\n    RATE_LIMIT = 5\n    url = 1\nelif slow:\n    RATE_LIMIT = 6\nelse:\n    RATE_LIMIT = 100\n"
        "try:\n    import ujson\n    HAS_UJSON = True\nexcept ImportError:\n    HAS_UJSON = False\n"
        "def f():\n    if debug:\n        LOCAL = 1\n",
        [
            "const RATE_LIMIT 2",
            "const RATE_LIMIT 5",
            "const RATE_LIMIT 7",
            "const HAS_UJSON 10",
            "const HAS_UJSON 12",
            "function f 13",
        ],
    ),
    (
        "a.js",
        "var res = {};\nres.send = function (body) { return body; };\nres.set = res.header = function header() {};\n",
        [
            "function res.send 2",
            "function res.set 3",
            "function res.header 3",
        ],
    ),
    (
        "a.js",
        "exports.parse = function () {};\n"
        "Foo.prototype.bar = function bar() {};\n"
        "function f() {\n"
        "  this.go = () => 1;\n"
        "  const inner = () => 2;\n"
        "  return function named() {};\n"
        "}\n",
        [
            "function parse 1",
            "method Foo.bar 2",
            "function f.go 4",
            "function f.inner 5",
            "function f.named 6",
        ],
    ),
    (
        "a.js",
        "register({ start() {}, stop: function () {}, 'x-y': () => 1 });\n",
        [
            "method start 1",
            "method stop 1",
            "method x-y 1",
        ],
    ),
    (
        "a.ts",
        "interface I {\n"
        "  load(): void;\n"
        "  run: (a: number) => void;\n"
        "}\n"
        "enum E { On, Off = 2 }\n"
        "class A {\n"
        "  static MAX_SIZE = 1;\n"
        "  go = () => 1;\n"
        "}\n",
        [
            "method I.load 2",
            "method I.run 3",
            "const E.On 5",
            "const E.Off 5",
            "const A.MAX_SIZE 7",
            "method A.go 8",
        ],
    ),
    (
        "a.tsx",
        "export const A = () => {\n  const click = () => 1;\n  return <B onX={{ go: () => 2 }} />;\n};\n",
        [
            "function A.click 2",
            "method A.go 3",
        ],
    ),
    (
        "a.go",
        "package a\n\ntype I interface {\n\tDo() error\n}\n\nfunc f() {\n\tg := func() {}\n\t_ = T{On: func() {}}\n}\n",
        [
            "method I.Do 4",
            "function f.g 8",
            "method f.On 9",
        ],
    ),
    (
        "a.rs",
        "macro_rules! make {\n"
        "    () => {\n"
        "        pub fn made() {}\n"
        "    };\n"
        "}\n"
        "cfg_rt! {\n"
        "    pub struct Held;\n"
        "    pub fn spawn() {}\n"
        "}\n"
        "lazy_static! {\n"
        "    static ref TABLE: u8 = 1;\n"
        "}\n"
        "fn f() {\n"
        "    fn g() {}\n"
        "    let h = || 1;\n"
        "}\n",
        [
            "function make.made 3",
            "struct Held 7",
            "function spawn 8",
            "const TABLE 11",
            "function f.g 14",
            "function f.h 15",
        ],
    ),
    (
        "A.java",
        "class A {\n"
        "  static final int MAX = 1;\n"
        "  Runnable go = () -> {};\n"
        "  enum E { ON, OFF }\n"
        "  @interface N {\n"
        "    int value();\n"
        "  }\n"
        "}\n",
        [
            "const A.MAX 2",
            "function A.go 3",
            "const A.E.ON 4",
            "method A.N.value 6",
        ],
    ),
    (
        "a.c",
        "PHP_FUNCTION(strlen)\n"
        "{\n"
        "  return;\n"
        "}\n"
        "DEFINE_HANDLER(int, on_open)\n"
        "{\n"
        "}\n"
        "typedef int Cb(int a);\n"
        "#define HAVE_X\n"
        "enum e { ONE };\n",
        [
            "function strlen 1",
            "function on_open 5",
            "type Cb 8",
            "macro HAVE_X 9",
            "const e.ONE 10",
        ],
    ),
    (
        "a.cpp",
        "BENCHMARK(sorting) {\n"
        "  run();\n"
        "}\n"
        "class A {\n"
        "  void declared(int a);\n"
        "  static int made;\n"
        "};\n"
        "void f() {\n"
        "  auto g = [](int a) { return a; };\n"
        "}\n",
        [
            "function sorting 1",
            "method A.declared 5",
            "const A.made 6",
            "function f.g 9",
        ],
    ),
    (
        "A.cs",
        "class A {\n"
        "  const int Max = 1;\n"
        "  Func<int> go = () => 1;\n"
        "  enum E { On }\n"
        "  void F() {\n"
        "    int G() => 1;\n"
        "  }\n"
        "}\n",
        [
            "const A.Max 2",
            "function A.go 3",
            "const A.E.On 4",
            "function A.F.G 6",
        ],
    ),
    (
        "a.kt",
        "class A(val size: Int) {\n"
        "    companion object {\n"
        "        const val MAX = 1\n"
        "    }\n"
        "    val go = { x: Int -> x }\n"
        "}\n"
        "fun f() {\n"
        "    fun g() {}\n"
        "}\n"
        "enum class E { ON }\n",
        [
            "variable A.size 1",
            "const A.MAX 3",
            "function A.go 5",
            "function f.g 8",
            "const E.ON 10",
        ],
    ),
    (
        "b.kt",
        '@Deprecated(OLD)\n@Suppress("U")\npublic fun Text.shout() {\n    go()\n}\n\nprivate object M {}\n',
        [
            "function Text.shout 3",
        ],
    ),
    (
        "a.scala",
        "class A {\n  val go = (x: Int) => x\n  val size = 1\n  def f() = {\n    def g() = 2\n    g()\n  }\n}\n",
        [
            "function A.go 2",
            "const A.size 3",
            "function A.f.g 5",
        ],
    ),
    (
        "a.swift",
        "class A {\n"
        "    static let max = 1\n"
        "    let go = { 1 }\n"
        "    func f() {\n"
        "        func g() {}\n"
        "    }\n"
        "}\n"
        "enum E {\n"
        "    case on, off\n"
        "}\n",
        [
            "variable A.max 2",
            "function A.go 3",
            "function A.f.g 5",
            "const E.on 9",
            "const E.off 9",
        ],
    ),
    (
        "a.rb",
        "class A\n"
        "  attr_reader :size, :name\n"
        "  alias_method :length, :size\n"
        "  alias count size\n"
        "  define_method(:go) { 1 }\n"
        "  RUN = ->(x) { x }\n"
        "end\n",
        [
            "method A.size 2",
            "method A.name 2",
            "method A.length 3",
            "method A.count 4",
            "method A.go 5",
            "const A.RUN 6",
        ],
    ),
    (
        "a.php",
        "<?php\n"
        "class A {\n"
        "    const MAX = 1;\n"
        "    function f() {\n"
        "        $this->go = function () {};\n"
        "        $run = fn() => 1;\n"
        "        return ['on' => function () {}];\n"
        "    }\n"
        "}\n"
        "enum E { case On; }\n",
        [
            "const A.MAX 3",
            "method A.f.go 5",
            "method A.f.on 7",
            "const E.On 10",
        ],
    ),
    (
        "a.ex",
        "defmodule A do\n"
        "  defenum Status, [:a]\n"
        "  defroute :home do\n"
        "  end\n"
        "  defcommand run(x) do\n"
        "    x\n"
        "  end\n"
        "  defmacro __using__(_) do\n"
        "    quote do\n"
        "      def made, do: 1\n"
        "    end\n"
        "  end\n"
        "end\n",
        [
            "type A.Status 2",
            "function A.home 3",
            "function A.run 5",
            "macro A.__using__ 8",
            "function A.__using__.made 10",
        ],
    ),
    (
        "a.hs",
        "data W = W { tag :: Int, size :: Int } | V\n\nf :: Int -> Int\nf x = go x\n  where\n    go y = y\n",
        [
            "function W.tag 1",
            "function W.size 1",
            "function f.go 6",
        ],
    ),
    (
        "a.lua",
        "local M = {}\n"
        "M.send = function() end\n"
        'setup({ on = function() end, ["x"] = function() end, go = opts.go or function() end })\n'
        "function M.f()\n"
        "  local function g() end\n"
        "  local h = function() end\n"
        "end\n",
        [
            "function M.send 2",
            "method on 3",
            "method x 3",
            "method go 3",
            "function M.f.g 5",
            "function M.f.h 6",
        ],
    ),
    (
        "a.zig",
        "const A = struct {\n"
        "    fn f() void {\n"
        "        const B = struct {\n"
        "            fn g() void {}\n"
        "        };\n"
        "        B.g();\n"
        "    }\n"
        "};\n",
        [
            "method A.f 2",
        ],
    ),
    (
        "a.sh",
        "f() {\n  g() { :; }\n}\n",
        [
            "function f 1",
            "function f.g 2",
        ],
    ),
]


@pytest.mark.parametrize(("path", "code", "wanted"), CASES, ids=[case[0] + str(at) for at, case in enumerate(CASES)])
def test_every_named_function_is_recorded(path: str, code: str, wanted: list[str]) -> None:
    file = chunk_file(code.encode(), path)
    found = [f"{one.kind} {one.qualified} {one.line}" for one in (*file.definitions, *file.minor)]
    assert [name for name in wanted if name not in found] == [], found
    assert len(found) == len(set(found))


def test_definitions_inside_other_code_change_no_chunk() -> None:
    plain, held = (chunk_file(f"register({body});\n".encode(), "a.js") for body in ("[1]", "{ go() { return 1; } }"))
    assert [chunk.symbol for chunk in held.chunks] == [chunk.symbol for chunk in plain.chunks] == [None]
    assert held.definitions == () and [one.name for one in held.minor] == ["go"]


def test_constants_inside_of_functions_are_no_constants_of_the_module() -> None:
    code = b"def f():\n    LOCAL_A = 1\n@wraps\ndef g():\n    LOCAL_B = 1\nwith own:\n    SHARED = 1\n"
    assert [one.name for one in chunk_file(code, "a.py").minor] == ["SHARED"]
