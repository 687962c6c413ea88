"""Difficult input for the chunker: empty, binary, oddly encoded, minified, broken, endlessly nested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from invariants import assert_invariants

from chunker.api import MAX_CHARS, chunk_file
from chunker.languages.table import LANGUAGES
from chunker.parse import parsing
from chunker.parse.decoding import decode
from chunker.parse.parsing import parse
from chunker.references import uses
from chunker.references.expressions import path_of
from tests.clock import within

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).parent / "fixtures"
ROOT = Path(__file__).parents[2]

# The opening and closing text of a level; N is its number, because files of equal lines are not parsed.
DEEP = {
    "a.py": ("(aN,\n", ")\n"),
    "a.js": ("f({aN: [\n", "]})\n"),
    "a.ts": ("namespace AN {\n", "}\n"),
    "a.rs": ("mod aN {\n", "}\n"),
    "a.java": ("class AN {\n", "}\n"),
    "a.cpp": ("namespace aN {\n", "}\n"),
    "a.rb": ("class AN\n", "end\n"),
    "a.ex": ("defmodule AN do\n", "end\n"),
    "a.zig": ("const AN = struct {\n", "};\n"),
    "a.c": ("#if AN\n", "#endif\n"),
    "a.json": ("[N,\n", "]\n"),
    "a.html": ("<div id=N>\n", "</div>\n"),
    "a.md": ("> - N\n", "\n"),
}


@pytest.mark.parametrize("head", ["", "function pay() {\n  return 1\n}\n"])
def test_an_error_of_very_many_parts_is_not_searched(head: str) -> None:
    data = (head + ("(" * 300 + "\n") * 60).encode()
    assert parse(data, LANGUAGES["javascript"]) == []
    file = chunk_file(data, "a.js")
    assert_invariants(data, file, MAX_CHARS)
    assert file.has_syntax_error and not file.definitions


@pytest.mark.parametrize("head", ["import ", "package shop\n\nimport /* all */ "])
def test_a_path_of_very_many_names_is_not_searched(head: str) -> None:
    data = (head + ("cart." * 40 + "\n") * 700 + "total\n\nfun pay() = 1\n").encode()
    assert parse(data, LANGUAGES["kotlin"]) == []
    assert_invariants(data, chunk_file(data, "a.kt"), MAX_CHARS)


def test_words_for_platforms_leave_no_error_in_classes() -> None:
    head = b"actual class Pool\ninternal actual constructor(internal actual val size: Int) : Base {\n"
    data = head + b"  actual override fun take() {}\n}\n"
    file = chunk_file(data, "a.kt")
    assert not file.has_syntax_error
    assert [one.qualified for one in file.definitions] == ["Pool", "Pool.take"]


def test_an_empty_file_has_no_chunks() -> None:
    for data in (b"", b"\n", b" \n\t\r\n\x0c\n", b"\xef\xbb\xbf"):
        for path in ("a.py", "a.md", "a.txt", "a.css"):
            file = chunk_file(data, path)
            assert file.chunks == () and file.language == {"py": "python", "md": "markdown", "txt": "text"}.get(
                path[2:], "css"
            )


def test_binary_has_no_text() -> None:
    assert decode(b"\x7fELF\x01\0\0") is None
    assert decode(bytes(range(128, 256)) * 20) is None
    assert chunk_file(b"\x7fELF\x01\0\0", "a.py").language == "binary"


def test_stray_bytes_are_replaced_one_for_one() -> None:
    assert decode(b"caf\xe9 = 1 # \xff\xfe!\n") == "caf\ufffd = 1 # \ufffd\ufffd!\n"
    file = chunk_file(b"# caf\xe9\n\ndef f():\n    return '\xe9'\n", "a.py")
    assert [(chunk.start_line, chunk.end_line, chunk.symbol) for chunk in file.chunks] == [(1, 1, None), (3, 4, "f")]


def test_byte_order_marks_are_read_and_left_out() -> None:
    text = "def café():\n    pass\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        data = text.encode(encoding)
        assert decode(data) == text
        (chunk,) = chunk_file(data, "a.py").chunks
        assert chunk.symbol == "café" and chunk.end_byte == len(text.encode()) - 1


def test_the_limit_counts_characters_not_bytes() -> None:
    line = "# " + "日" * 50 + "\n"
    (chunk,) = chunk_file((line * 20).encode(), "a.py", max_chars=20 * 53).chunks
    assert chunk.end_line == 20
    assert len(chunk_file((line * 20).encode(), "a.py", max_chars=20 * 53 - 2).chunks) == 2


def test_windows_line_breaks_are_kept_inside_and_left_out_at_the_end() -> None:
    data = b"def f():\r\n    return 1\r\n\r\n\r\nX = 2\r\n"
    texts = [data[chunk.start_byte : chunk.end_byte] for chunk in chunk_file(data, "a.py").chunks]
    assert texts == [b"def f():\r\n    return 1", b"X = 2"]


def test_a_minified_line_is_cut_inside_and_loses_nothing() -> None:
    data = b"".join(b"function f%d(a){return a+%d};" % (n, n) for n in range(2000)) + b"//!"
    file = chunk_file(data, "a.min.js")
    assert {(chunk.start_line, chunk.end_line) for chunk in file.chunks} == {(1, 1)}
    assert b"".join(data[chunk.start_byte : chunk.end_byte] for chunk in file.chunks) == data
    assert max(chunk.end_byte - chunk.start_byte for chunk in file.chunks) <= MAX_CHARS
    assert {data[chunk.end_byte - 1 : chunk.end_byte] for chunk in file.chunks[:-1]} <= {b"}", b";"}


def test_a_long_line_never_splits_a_character() -> None:
    data = ("x = '" + "日本語" * 2000 + "'\n").encode()
    for chunk in chunk_file(data, "a.py", max_chars=100).chunks:
        assert len(data[chunk.start_byte : chunk.end_byte].decode()) <= 100


def test_two_symbols_on_one_line_share_the_chunk_of_the_first() -> None:
    file = chunk_file(b"struct a { int x; }; struct b {\n  int y;\n};\n", "a.c")
    assert [(chunk.start_line, chunk.end_line, chunk.symbol) for chunk in file.chunks] == [(1, 1, "a"), (2, 3, "b")]
    assert [(definition.name, definition.chunk) for definition in file.definitions] == [("a", 0), ("b", 0)]


def test_syntax_errors_are_reported_and_symbols_around_them_found() -> None:
    file = chunk_file(b"def good():\n    return 1\n\n\ndef bad(:\n    ]\n\n\ndef fine():\n    return 2\n", "a.py")
    assert file.has_syntax_error
    assert {"good", "fine"} <= {definition.name for definition in file.definitions}
    assert not chunk_file(b"def good():\n    return 1\n", "a.py").has_syntax_error


@pytest.mark.parametrize("path", sorted(DEEP))
def test_ten_thousand_levels(path: str) -> None:
    opening, closing = DEEP[path]
    data = ("".join(opening.replace("N", str(n)) for n in range(10_000)) + closing * 10_000).encode()
    assert_invariants(data, chunk_file(data, path), MAX_CHARS)


def test_files_that_are_too_slow_to_parse_are_split_by_lines() -> None:
    table = "".join(f'{n},{n * 7 % 13},"a b {n}",-{n}.5e3\n' for n in range(6000)).encode()
    for data, path in ((table, "a.lua"), (b"/*\n" * 20_000, "a.py"), (b"->\n" * 20_000, "a.go")):
        file = chunk_file(data, path)
        assert file.definitions == () and len(file.chunks) > 10
        assert_invariants(data, file, MAX_CHARS)
    assert chunk_file(table, "a.lua").has_syntax_error


def test_brackets_that_a_tree_shows_as_flat_are_not_searched() -> None:
    """Perl's parentheses are nodes without a name, nested out of sight: a query takes seconds for 10,000."""
    lines = [bracket * 100 for bracket in "()" for _ in range(100)]
    assert parsing.parse("\n".join(lines).encode(), LANGUAGES["perl"]) == []


@pytest.mark.parametrize(("broken", "roots"), [("{a b c", 2), ("{" * 8_000, 0)])
def test_a_component_is_not_read_again_and_again(monkeypatch: pytest.MonkeyPatch, broken: str, roots: int) -> None:
    monkeypatch.setattr(parsing, "process_time", lambda: 0.0)
    data = f"<script>\n  let a = 1\n</script>\n<p>{broken}</p>\n" + "<p>{a}</p>\n" * 500
    assert len(parsing.parse(data.encode(), LANGUAGES["svelte"])) == roots


def test_every_language_of_the_table_is_read() -> None:
    for row in LANGUAGES.values():
        path = f"a{row.extensions[0]}" if row.extensions else (row.filenames or ("a",))[0]
        data = b"alpha beta\n\ngamma { delta }\n"
        file = chunk_file(data, path)
        if row.extensions or row.filenames:
            assert_invariants(data, file, MAX_CHARS)


def test_importing_the_chunker_loads_no_grammar() -> None:
    script = "import sys, chunker, chunker.languages; print([m for m in sys.modules if m.startswith('tree_sitter')])"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_same_bytes_under_any_hash_seed() -> None:
    script = """if True:
        import sys
        from pathlib import Path
        sys.path.insert(0, "tests/chunker")
        from listing import listing
        for name in ("python.py", "go.go", "ruby.rb", "bash.sh"):
            print(listing(Path("tests/chunker/fixtures", name).read_bytes(), name, (1600, 200)))
    """
    found = set()
    for seed in ("0", "1"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1 and "Queue.push" in found.pop()


def test_a_file_loads_the_grammar_of_its_language_and_no_other() -> None:
    code = (
        "import sys; from chunker.api import chunk_file; chunk_file(b'def f():\\n    return 1\\n', 'a.py'); "
        "print([n for n in sys.modules if n.startswith('tree_sitter_language_pack.bindings.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tree_sitter_language_pack.bindings.python']"


def test_yaml_nested_too_deeply_for_its_grammar_is_split_by_lines() -> None:
    for dashes, levels in ((0, 340), (3, 99)):
        rows = (" " * level * max(1, 2 * dashes) + "- " * dashes + "a:\n" for level in range(levels))
        assert chunk_file("".join(rows).encode(), "deep.yaml").chunks


def test_a_chain_of_very_many_members_is_not_kept_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each member is a receiver, as long as the chain up to there."""
    code = "f() {\n  var total = cart" + ".item" * 4_000 + ";\n}\n" + "".join(f"// {line}\n" for line in range(60))
    lengths: list[int] = []

    def measured(text: bytes) -> str:
        lengths.append(len(text))
        return path_of(text)

    monkeypatch.setattr(uses, "path_of", measured)
    chunk_file(code.encode(), "cart.dart")
    assert len(lengths) > 3_000
    assert max(lengths) < 2_000


def test_an_object_pattern_of_many_parts_takes_no_time() -> None:
    parts = ",\n".join(f"part{number}" for number in range(2_000))
    for path, code in (("a.js", f"const {{{parts}}} = use(cart)\n"), ("a.ts", f"function f({{{parts}}}: Cart) {{}}\n")):
        with within(5):
            assert chunk_file(code.encode(), path).chunks


def test_a_call_with_very_many_options_takes_no_time() -> None:
    options = ",\n".join(f"  a{number}: Cart,\n  b{number}: :sum" for number in range(1_000))
    with within(5):
        assert chunk_file(f"defmodule Shop do\n  total(1,\n{options})\nend\n".encode(), "shop.ex").references


def test_very_many_declarations_and_words_take_no_time() -> None:
    """A match that each of them may begin, and that waits for a later one, takes cubic time."""
    opens = "".join(f"open B{number}\n" for number in range(800))
    code = "".join(f"let f{number} x = g{number} x\n" for number in range(800))
    with within(5):
        assert len(chunk_file(f"module A\n{opens}{code}".encode(), "a.fs").definitions) == 801
    with within(5):
        chunk_file(("a " * 12_000 + "\n" * 100).encode(), "a.groovy")


@pytest.mark.parametrize(
    "path, piece",
    [
        ("a.groovy", "/* "),
        ("a.groovy", "'\\"),
        ("a.groovy", "\"'\\"),
        ("a.m", "typedef NS_ENUM(A, B) { a, /* \n"),
    ],
)
def test_what_never_ends_is_searched_once(path: str, piece: str) -> None:
    text = piece * (100_000 // len(piece)) + "".join(f"// {number}\n" for number in range(300))
    with within(8):
        assert chunk_file(text.encode(), path).chunks
