"""Splitting files into chunks: what gets its own chunk, what stays together, where long code is cut."""

from __future__ import annotations

import pytest

from chunker.api import chunk_file
from chunker.model import Chunk, FileChunks


def lines(file: FileChunks) -> list[str]:
    """One word per chunk: `kind symbol first-last`."""
    return [f"{chunk.kind} {chunk.symbol} {chunk.start_line}-{chunk.end_line}" for chunk in file.chunks]


def text(code: str, chunk: Chunk) -> str:
    return code.encode()[chunk.start_byte : chunk.end_byte].decode()


def test_the_contract_s_first_example() -> None:
    code = (
        "use anyhow::Result;\nuse std::fs;\nuse std::path::{Path, PathBuf};\n\n"
        "const VERSION: u32 = 1;\n\npub(crate) struct EmbeddingCache {\n    base_dir: PathBuf,\n}\n"
    )
    file = chunk_file(code.encode(), "src/embedding_cache.rs")
    assert lines(file) == ["module None 1-3", "const VERSION 5-5", "struct EmbeddingCache 7-9"]
    assert [file.imports[at].text for at in file.chunks[2].imports] == ["use std::path::{Path, PathBuf}"]


def test_the_contract_s_second_example() -> None:
    code = (
        "use context_code_chunker::CodeChunk;\nuse std::collections::{BTreeMap, HashSet};\nuse std::fs;\n\n\n\n"
        "pub const CHUNK_CORPUS_SCHEMA_VERSION: u32 = 1;\n\n\n"
        "pub struct ChunkCorpus {\n    files: BTreeMap<String, Vec<CodeChunk>>,\n}\n"
    )
    file = chunk_file(code.encode(), "src/corpus.rs")
    assert lines(file) == ["module None 1-3", "const CHUNK_CORPUS_SCHEMA_VERSION 7-7", "struct ChunkCorpus 10-12"]
    assert file.chunks[1].imports == ()
    assert [file.imports[at].text for at in file.chunks[2].imports] == [
        "use context_code_chunker::CodeChunk",
        "use std::collections::{BTreeMap, HashSet}",
    ]


def test_a_large_class_becomes_its_header_and_its_members() -> None:
    body = "        return 'some text that takes room'\n" * 4
    code = f'class A(Base):\n    """Doc."""\n\n    x = 1\n\n    def f(self):\n{body}\n'
    code += f"    y = 2\n\n    def g(self):\n{body}"
    file = chunk_file(code.encode(), "a.py", max_chars=250)
    assert lines(file) == ["class A 1-4", "method A.f 6-10", "class A 12-12", "method A.g 14-18"]
    assert [chunk.parent for chunk in file.chunks] == [None, 0, 0, 0]
    assert [chunk.part for chunk in file.chunks] == [0, 0, 1, 0]
    header = file.chunks[0]
    assert header.signature is not None and header.doc is not None
    assert code[header.signature.start_byte : header.signature.end_byte] == "class A(Base)"
    assert code[header.doc.start_byte : header.doc.end_byte] == '"""Doc."""'
    assert file.chunks[2].signature is None


def test_a_small_class_stays_whole_and_its_members_point_at_it() -> None:
    file = chunk_file(b"class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n", "a.py")
    assert lines(file) == ["class A 1-6"]
    assert [(found.qualified, found.kind, found.chunk) for found in file.definitions] == [
        ("A", "class", 0),
        ("A.f", "method", 0),
        ("A.g", "method", 0),
    ]


def test_a_long_function_is_cut_between_statements_at_blank_lines() -> None:
    block = "    for item in items:\n        first(item)\n        second(item)\n        third(item)\n"
    code = "def f(items):\n" + "\n".join([block] * 6)
    file = chunk_file(code.encode(), "a.py", max_chars=220)
    assert {chunk.symbol for chunk in file.chunks} == {"f"}
    assert [chunk.part for chunk in file.chunks] == list(range(len(file.chunks)))
    assert all(text(code, chunk).lstrip().startswith(("def f", "for item")) for chunk in file.chunks)


def test_a_large_nested_function_gets_its_own_chunk_when_the_outer_one_is_cut() -> None:
    inner = "".join(f"        step_{n}(value)\n" for n in range(12))
    code = f"def outer(value):\n    def inner():\n{inner}\n    def small():\n        pass\n\n    return inner, small\n"
    assert lines(chunk_file(code.encode(), "a.py", max_chars=300)) == [
        "function outer 1-1",
        "function outer.inner 2-14",
        "function outer 16-19",
    ]
    assert lines(chunk_file(code.encode(), "a.py")) == ["function outer 1-19"]


def test_neighbouring_constants_share_a_chunk_until_a_blank_line() -> None:
    file = chunk_file(b"A = 1\nB = 2\n\nC = 3\n# about D\nD = 4\n", "a.py")
    assert lines(file) == ["const None 1-2", "const C 4-4", "const D 5-6"]
    assert [found.name for found in file.definitions] == ["A", "B", "C", "D"]


def test_rows_that_only_close_or_open_a_scope_go_with_their_code() -> None:
    code = (
        "#ifdef A\nint f(void)\n{\n    return 1;\n}\n#endif\n\n#ifdef B\nint g(void)\n{\n    return 2;\n}\n"
        "#endif /* B */\n"
    )
    assert lines(chunk_file(code.encode(), "a.c")) == ["function f 1-6", "function g 8-13"]


def test_comments_belong_to_what_follows_but_not_the_file_s_own() -> None:
    code = "// Licence.\n\n// Section\n\n/** f. */\nfunction f() {}\n"
    assert lines(chunk_file(code.encode(), "a.js")) == ["module None 1-1", "function f 3-6"]


@pytest.mark.parametrize(
    ("path", "code", "extents"),
    [
        ("a.dart", "class A {\n  int x;\n  @override\n  B f() {\n    g();\n  }\n}\n", ["A 1-7", "f 3-6"]),
        ("a.zig", "const A = struct {\n    /// Doc.\n    pub fn f() void {}\n};\n", ["A 1-4", "f 2-3"]),
        ("a.kt", '/** Doc. */\n@Suppress("x")\nfun f() = 1\n\nval a = 1\n', ["f 1-3", "a 5-5"]),
        ("a.cpp", "struct A {\n  template <typename T>\n  friend void f(T b) {}\n};\n", ["A 1-4", "f 2-3"]),
        (
            "a.scala",
            "object A {\n  def f =\n    if (b) {\n      c()\n    }\n  def g = 1\n}\n",
            ["A 1-7", "f 2-5", "g 6-6"],
        ),
    ],
)
def test_a_symbol_reaches_from_its_comment_to_its_last_word(path: str, code: str, extents: list[str]) -> None:
    file = chunk_file(code.encode(), path)
    assert [f"{found.name} {found.start_line}-{found.end_line}" for found in file.definitions] == extents


@pytest.mark.parametrize(
    ("path", "code", "symbols"),
    [
        ("a.ts", "function f(a: string): void;\nfunction f(a: any) {}\n", ["f"]),
        ("a.ex", "defmodule A do\n  def f(0), do: 1\n\n  def f(n), do: n\n  def g(n), do: n\nend\n", ["A.f", "A.g"]),
        ("a.hs", "f :: Int -> Int\nf 0 = 1\nf n = n\n\ng = f\n", ["f", "g"]),
    ],
)
def test_clauses_of_one_function_share_a_chunk(path: str, code: str, symbols: list[str]) -> None:
    file = chunk_file(code.encode(), path, max_chars=60)
    named = [chunk.symbol for chunk in file.chunks if chunk.kind == "function"]
    assert named == symbols
    assert len([found for found in file.definitions if found.qualified == symbols[0]]) == 1


def test_unterminated_conditionals_do_not_hide_the_functions_after_them() -> None:
    code = (
        "int f(int x)\n{\n#ifdef A\n  if(x) {\n#else\n  if(!x) {\n#endif\n    g();\n  }\n  return x;\n}\n\n"
        "API_EXPORT CALL_CONV int h(void)\n{\n  return 1;\n}\n"
    )
    file = chunk_file(code.encode(), "a.c")
    assert lines(file) == ["function f 1-11", "function h 13-16"]
    assert not file.has_syntax_error


@pytest.mark.parametrize(
    ("path", "code", "chunks"),
    [
        ("a.kt", "class A\n@B\nprivate constructor(val c: C) : D() {\n    fun f() = 1\n}\n", ["class A 1-5"]),
        ("a.kt", "class A<T : B<T>>\nconstructor(val c: C) {\n    fun f() = 1\n}\n", ["class A 1-4"]),
        ("a.kt", "class A {\n    val b = B()\n    constructor(c: C) {}\n}\n", ["class A 1-4"]),
        (
            "a.swift",
            "enum A {\n    case b\n    #if os(macOS)\n    case c\n    #elseif os(iOS)\n    case d\n    #endif\n"
            "    func f() {}\n}\n",
            ["enum A 1-9"],
        ),
        (
            "a.swift",
            "func a(b: B = #isolation, c: sending C) throws(E) {\n    if let d = try await e() {}\n"
            "    nonisolated(unsafe) let g = h as! @convention(c) (C) -> D\n}\n\nfunc i() {}\n",
            ["function a 1-4", "function i 6-6"],
        ),
        ("a.c", "typedef void (WINAPI *A)(int b);\n\nRLAPI int f(int c)\n{\n}\n", ["type A 1-1", "function f 3-5"]),
        (
            "a.h",
            "A_BEGIN_DECLS\n\ntypedef struct {\n\tint a;\n} B;\n\nA_INLINE(int) f(int c)\n{\n}\n",
            ["module None 1-1", "struct B 3-5", "function f 7-9"],
        ),
        (
            "a.c",
            "static int *__attribute__((pure)) a(int c)\n{\n}\n\n"
            "void * __attribute__ ((malloc)) __attribute__((alloc_size(1, 2))) f(int c)\n{\n}\n",
            ["function a 1-3", "function f 5-7"],
        ),
        ("a.cpp", "struct A {\n  void f() NO_EXCEPT {}\n};\n", ["struct A 1-3"]),
        ("a.cpp", "class B_API A {\n  A& operator=(A&) = delete;\n  void f() {}\n};\n", ["class A 1-4"]),
        (
            "a.cpp",
            "class B_API A {\npublic:\n  A();\n  int b();\n};\n\nvoid f() {}\n",
            ["class A 1-5", "function f 7-7"],
        ),
        ("a.c", "struct B_API a {\n  int b;\n};\n\nvoid f() {}\n", ["struct a 1-3", "function f 5-5"]),
        ("a.cpp", 'class B_API A {\n  // c\n  B_OLD("use d()")\n  void f() {}\n};\n', ["class A 1-5"]),
        (
            "a.cpp",
            "class A : public B\n{\n    Q_OBJECT\n    Q_PROPERTY(int c READ c)\n\npublic:\n    A();\n\nsignals:\n"
            "    void d(int e);\n\npublic slots:\n    void f() {}\n};\n",
            ["class A 1-14"],
        ),
        ("a.cpp", "class A : B\n{\n    C d;\n\n    NO_COPY(A)\n};\n\nvoid f() {}\n", ["class A 1-6", "function f 8-8"]),
        ("a.kt", 'class A {\n    val b = c($$"d $e")\n    fun f() = 1\n}\n', ["class A 1-4"]),
        ("a.kt", "@A\n@B\nclass C {\n    fun d() {}\n}\n\nfun f() {}\n", ["class C 1-5", "function f 7-7"]),
        (
            "a.swift",
            "func a(b: B) {\n    switch b {\n    case .c:\n        @D func f() {}\n    default: e(.g(()))\n    }\n}\n",
            ["function a 1-7"],
        ),
        (
            "a.cpp",
            "struct A {\n    A() : b(0) { g(); }\n#ifdef B_CD\n    B_CD    // More of it.\n#endif\n};\n\nB_OFF\n"
            "// About f.\nvoid f() {}\n",
            ["struct A 1-6", "module None 8-8", "function f 9-10"],
        ),
        (
            "a.c",
            "enum a {\n\tKEYS(B),\n\tKEYS(C),\n};\n\nvoid printflike(1, 2) g(const char *, ...);\n\n"
            "void\nf(void)\n{\n}\n",
            ["enum a 1-4", "module None 6-6", "function f 8-11"],
        ),
        (
            "a.jsx",
            'const a = () => <i class="b"><p for={c} /></i>;\n\nfunction f() {}\n',
            ["function a 1-1", "function f 3-3"],
        ),
        (
            "a.kt",
            "val a = b(object : C<D> by e {\n    override fun g() {}\n})\n\nfun f() = 1\n",
            ["variable a 1-3", "function f 5-5"],
        ),
        (
            "a.fs",
            "module A =\n    let b = 1\n\n    /// C\n    ///\n    /// D\n    [<E>]\n"
            "    let g = h ==> i </> { J = 1; }\n\n    let private f x = x\n",
            ["module A 1-1", "variable A.b 2-2", "variable A.g 4-8", "function A.f 10-10"],
        ),
        (
            "a.groovy",
            '@A(b = "c")\nclass D {\n  static E = ~/(f|g).+/\n\n  def h() {\n    i([:])\n      .j()\n  }\n\n'
            "  def f() { }\n}\n",
            ["class D 1-11"],
        ),
        (
            "a.bicep",
            "param b c?\nimport { d } from 'br/public:e/f:1.0.0'\n@g('H')\nparam i d[]?\n",
            ["variable b 1-1", "module None 2-2", "variable i 3-4"],
        ),
        (
            "a.tcl",
            "    variable b [expr {sqrt(2.) / 2.}]\nproc c::f {d e g} {\n}\n",
            ["module None 1-1", "function c.f 2-3"],
        ),
        (
            "a.scss",
            '@use "a" as *;\n\n.b {\n  --c: #{$d};\n  @include e.f;\n  @extend %g;\n}\n\n'
            "@mixin f($h...) {\n  i: j;\n}\n",
            ["module None 1-7", "macro f 9-11"],
        ),
        (
            "a.c",
            "#define A \\\n  B_C(D)\n\n#define E \\\n  F_G\n\nRLAPI int f(int c)\n{\n}\n",
            ["macro A 1-2", "macro E 4-5", "function f 7-9"],
        ),
    ],
)
def test_syntax_unknown_to_a_grammar_splits_no_symbol(path: str, code: str, chunks: list[str]) -> None:
    file = chunk_file(code.encode(), path)
    assert lines(file) == chunks
    assert not file.has_syntax_error
    assert file.definitions[-1].name in ("f", "constructor", "i")


def test_other_grammars_are_cut_at_the_top_level_first() -> None:
    rule = ".name-N {\n  color: red;\n  background: blue;\n  margin: 0 auto;\n}\n"
    code = "".join(rule.replace("N", str(n)) for n in range(30))
    file = chunk_file(code.encode(), "a.css", max_chars=400)
    assert {chunk.kind for chunk in file.chunks} == {"block"} and file.language == "css"
    assert all(text(code, chunk).startswith(".name") and text(code, chunk).endswith("}") for chunk in file.chunks)
    assert max(len(text(code, chunk)) for chunk in file.chunks) > 250


def test_a_comment_is_not_cut_from_what_it_is_about() -> None:
    code = "services:\n" + "".join(f"  # What service {n} is for.\n  one{n}:\n    port: {n}\n" for n in range(30))
    file = chunk_file(code.encode(), "a.yaml", max_chars=300)
    assert len(file.chunks) > 4
    assert all("# What" in text(code, chunk).splitlines()[0] for chunk in file.chunks[1:])


def test_a_line_that_opens_a_block_is_not_cut_from_it() -> None:
    job = "  job-N:\n    runs-on: linux\n    steps:\n" + "".join(f"      - run: make step-{n}\n" for n in range(9))
    code = "jobs:\n" + "".join(job.replace("N", str(n)) for n in range(4))
    file = chunk_file(code.encode(), "a.yaml", max_chars=200)
    assert not [chunk for chunk in file.chunks if text(code, chunk).rstrip().endswith(":")]


def test_plain_text_is_cut_at_paragraphs() -> None:
    code = "\n\n".join(f"Paragraph {n} has some words in it.\nAnd a second line." for n in range(40))
    file = chunk_file(code.encode(), "NOTES.txt", max_chars=300)
    assert file.language == "text"
    assert all(text(code, chunk).startswith("Paragraph") for chunk in file.chunks)


def test_a_file_with_an_unknown_extension_is_not_prose() -> None:
    assert [chunk_file(b"x = 1", name).language for name in ("LICENSE-MIT", "a/b.zzz")] == ["text", "other"]


def test_a_section_runs_to_the_next_heading_and_long_ones_are_cut() -> None:
    code = "# A\n\n## B\n\ntext\n\n# C\n\n" + "".join(f"Some words, line {n}.\n\n" for n in range(30))
    file = chunk_file(code.encode(), "a.md", max_chars=300)
    assert lines(file)[0] == "section A > B 1-5"
    assert {chunk.symbol for chunk in file.chunks[1:]} == {"C"}
    assert [chunk.part for chunk in file.chunks[1:]] == list(range(len(file.chunks) - 1))


@pytest.mark.parametrize("path", ["a.c", "a.kt", "a.ts"])
def test_a_chain_of_else_if_is_cut_into_near_equal_parts(path: str) -> None:
    branches = " else ".join(f"if (is_word(w, {n})) {{\n    handle_word(w, {n});\n  }}" for n in range(30))
    head = {"a.c": "int f(char *w)", "a.kt": "fun f(w: W)", "a.ts": "function f(w)"}
    code = head[path] + " {\n  " + branches + "\n}\n"
    file = chunk_file(code.encode(), path, max_chars=400)
    sizes = [len(text(code, chunk)) for chunk in file.chunks]
    assert min(sizes) > 200, sizes


def test_a_brace_on_a_line_of_its_own_stays_with_the_head_above() -> None:
    comment = "// What it is for, in a few words that take a line.\n" * 5
    head = "int function_of_a_long_name(struct of_a_long_name *first,\n                struct of_a_long_name *other)\n"
    code = comment + head + "{\n" + "".join(f"    call_of_something({n});\n" for n in range(14)) + "}\n"
    file = chunk_file(code.encode(), "a.c", max_chars=500)
    assert len(file.chunks) == 2 and not text(code, file.chunks[1]).startswith("{")
