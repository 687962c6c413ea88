"""Pasted traces: frames of every format, innermost first; own frames, moved functions, code that builds a message."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index import Index, open_index
from index.search.places import messages
from index.search.query import parse_query, plain_text
from index.search.traces.frames import function_of, read_trace
from index.types import Filters
from tests.clock import within
from tests.index.conftest import SHOP, WriteTree

TRACES: dict[str, tuple[str, list[str], str]] = {
    "python": (
        """Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    run()
  File "/app/shop/cart.py", line 14, in total
    return self.sum_up()
           ^^^^^^^^^^^^^
ValueError: amount must be 5, but is 7
""",
        ["/app/shop/cart.py:14 total", "/app/main.py:3 "],
        "amount must be 5, but is 7",
    ),
    "python groups": (
        """  + Exception Group Traceback (most recent call last):
  |   File "/app/a.py", line 1, in outer
  |     pass
  | ExceptionGroup: several (2 sub-exceptions)
""",
        ["/app/a.py:1 outer"],
        "several (2 sub-exceptions)",
    ),
    "faulthandler": (
        """Fatal Python error: Segmentation fault

Current thread 0x00007f (most recent call first):
  File "/app/inner.py", line 5 in inner
  File "/app/outer.py", line 9 in outer
""",
        ["/app/inner.py:5 inner", "/app/outer.py:9 outer"],
        "Segmentation fault",
    ),
    "pytest": (
        """=================================== FAILURES ===================================
__________________________________ test_total __________________________________

tests/test_cart.py:5: in test_total
    assert Cart().total() == 0
shop/cart.py:14: in total
    return self.sum_up()
E   ValueError: no lines
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - ValueError: no lines
""",
        ["shop/cart.py:14 total", "tests/test_cart.py:5 test_total", "tests/test_cart.py test_total"],
        "no lines",
    ),
    "mypy": (
        'shop/cart.py:14: error: Item "None" of "Cart | None" has no attribute "x"  [union-attr]\n',
        ["shop/cart.py:14 "],
        'Item "None" of "Cart | None" has no attribute "x"  [union-attr]',
    ),
    "node": (
        """/srv/app/lib/cart.js:12
TypeError: Cannot read properties of undefined (reading 'price')
    at Cart.total (/srv/app/lib/cart.js:12:17)
    at async Promise.all (index 0)
    at new Shop (file:///srv/app/lib/shop.mjs:3:5)
    at Array.map (<anonymous>)
    at /srv/app/lib/run.js:7:1
""",
        ["/srv/app/lib/cart.js:12 total", " all", "/srv/app/lib/shop.mjs:3 ", " map", "/srv/app/lib/run.js:7 "],
        "Cannot read properties of undefined (reading 'price')",
    ),
    "firefox": (
        "total@http://localhost:3000/src/cart.js:12:17\n@webpack-internal:///./src/main.js:3:1\n",
        ["/src/cart.js:12 total", "src/main.js:3 "],
        "",
    ),
    "jest": (
        """  \u25cf Cart \u203a sums up

    expect(received).toBe(expected)

      at Object.<anonymous> (src/__tests__/cart.test.ts:9:23)
      at Cart.total (src/cart.ts:4:11)
""",
        ["src/__tests__/cart.test.ts:9 ", "src/cart.ts:4 total"],
        "",
    ),
    "tsc": (
        "src/cart.ts(4,11): error TS2322: Type 'string' is not assignable to type 'number'.\n",
        ["src/cart.ts:4 "],
        "Type 'string' is not assignable to type 'number'.",
    ),
    "tsc pretty": (
        "src/cart.ts:4:11 - error TS2322: Type 'string' is not assignable to type 'number'.\n",
        ["src/cart.ts:4 "],
        "Type 'string' is not assignable to type 'number'.",
    ),
    "eslint": (
        """/app/src/cart.js
  4:11  error    'price' is not defined  no-undef
  9:1   warning  Unexpected console statement  no-console
""",
        ["/app/src/cart.js:4 ", "/app/src/cart.js:9 "],
        "'price' is not defined",
    ),
    "java": (
        """Exception in thread "main" java.lang.IllegalStateException: outer
\tat com.acme.shop.Main.main(Main.java:5)
Caused by: java.lang.IllegalArgumentException: price must not be negative
\tat com.acme.shop.Cart$Line.price(Cart.java:12)
\tat com.acme.shop.Cart.lambda$total$0(Cart.java:20)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
\t... 1 more
""",
        [
            "Cart.java:12 price", "Cart.java:20 total", "ArrayList.java:1511 forEach", "Main.java:5 main",
        ],
        "outer",
    ),
    "junit": (
        """org.opentest4j.AssertionFailedError: expected: <0> but was: <1>
\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
\tat com.acme.shop.CartTest.total(CartTest.java:9)
\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
""",
        ["AssertionUtils.java:55 fail", "CartTest.java:9 total", " invoke0"],
        "expected: <0> but was: <1>",
    ),
    "kotlin": (
        "Exception in thread \"main\" kotlin.KotlinNullPointerException\n\tat com.acme.CartKt.total(Cart.kt:4)\n",
        ["Cart.kt:4 total"],
        "",
    ),
    "kotlinc": ("e: /app/src/Cart.kt: (4, 11): Unresolved reference: price\n", ["/app/src/Cart.kt:4 "], ""),
    "scala": (
        "java.lang.Error: broken\n\tat acme.Cart$.$anonfun$total$1(Cart.scala:4)\n",
        ["Cart.scala:4 total"],
        "broken",
    ),
    "go": (
        """panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.(*Cart).Total(0xc000012345, {0x1, 0x2})
\t/home/u/shop/cart.go:12 +0x1d
main.main.func1()
\t/home/u/shop/main.go:5 +0x2f
created by main.main in goroutine 1
\t/home/u/shop/main.go:9 +0x11
exit status 2
""",
        ["/home/u/shop/cart.go:12 Total", "/home/u/shop/main.go:5 main", "/home/u/shop/main.go:9 main"],
        "runtime error: index out of range [5] with length 3",
    ),
    "go test": (
        "--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: got 1, want 0\nFAIL\n",
        ["cart_test.go:9 "],
        "",
    ),
    "rust": (
        """thread 'main' panicked at src/cart.rs:12:9:
price must not be negative
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b43126/library/std/src/panicking.rs:617:5
   1: <shop::cart::Cart as shop::Sum>::total::{{closure}}
             at ./src/cart.rs:12:9
   2: shop::main
             at ./src/main.rs:4:5
""",
        [
            "src/cart.rs:12 total",
            "/rustc/9fc6b43126/library/std/src/panicking.rs:617 rust_begin_unwind",
            "src/main.rs:4 main",
        ],
        "price must not be negative",
    ),
    "cargo test": (
        "thread 'tests::total' panicked at 'assertion failed: no lines', src/lib.rs:9:5\n",
        ["src/lib.rs:9 "],
        "assertion failed: no lines",
    ),
    "rustc": (
        "error[E0308]: mismatched types\n  --> src/cart.rs:12:9\n   |\n12 |     let a: u8 = b;\n",
        ["src/cart.rs:12 "],
        "mismatched types",
    ),
    "sanitizer": (
        """==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55
    #0 0x55d0 in cart_total /src/shop/cart.c:12:9
    #1 0x55d1 in shop::Cart::add(int, char const*) /src/shop/cart.cc:20:3
    #2 0x7f00 in __libc_start_main (/lib/x86_64-linux-gnu/libc.so.6+0x29d8f)
""",
        ["/src/shop/cart.c:12 cart_total", "/src/shop/cart.cc:20 add", " __libc_start_main"],
        "AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55",
    ),
    "gdb": (
        """Program received signal SIGSEGV, Segmentation fault.
#0  cart_total (cart=0x0, name=0x5 "a b") at ../shop/cart.c:12
#1  0x0000555555555171 in main () at main.c:5
""",
        ["shop/cart.c:12 cart_total", "main.c:5 main"],
        "",
    ),
    "lldb": (
        "* frame #0: 0x0000000100003f50 a.out`main at cart.c:5:3\n",
        ["cart.c:5 main"],
        "",
    ),
    "gcc": (
        "cart.c: In function 'total':\ncart.c:12:5: error: 'price' undeclared (first use in this function)\n",
        ["cart.c:12 "],
        "'price' undeclared (first use in this function)",
    ),
    "clang": (
        "In file included from main.cc:1:\n./cart.h:12:5: fatal error: no member named 'price' in 'Cart'\n",
        ["main.cc:1 ", "cart.h:12 "],
        "no member named 'price' in 'Cart'",
    ),
    "csharp": (
        """Unhandled exception. System.InvalidOperationException: Sequence contains no elements
   at System.Linq.Enumerable.First[TSource](IEnumerable`1 source)
   at Acme.Shop.Cart.<Total>d__5.MoveNext() in C:\\work\\Shop\\Cart.cs:line 12
   at Acme.Shop.Program.Main(String[] args) in /src/Shop/Program.cs:line 5
""",
        ["System First", "C:/work/Shop/Cart.cs:12 Total", "/src/Shop/Program.cs:5 Main"],
        "Sequence contains no elements",
    ),
    "dotnet test": (
        '  Failed Acme.Shop.Tests.CartTests.SumsUp(rate: 5) [12 ms]\n  Error Message:\n   Assert.Equal() Failure\n'
        "  Failed Acme.Shop.Tests.CartTests.IsEmpty\n",
        [" SumsUp", " IsEmpty"],
        "",
    ),
    "ruby": (
        """/app/lib/cart.rb:12:in `total': price must not be negative (ArgumentError)
\tfrom /app/lib/shop.rb:5:in `block in run'
\tfrom /app/bin/shop:3:in `<main>'
""",
        ["/app/lib/cart.rb:12 total", "/app/lib/shop.rb:5 run", "/app/bin/shop:3 "],
        "price must not be negative",
    ),
    "php": (
        """PHP Fatal error:  Uncaught RuntimeException: no price in /app/src/Cart.php:12
Stack trace:
#0 /app/src/Shop.php(5): Acme\\Cart->total()
#1 /app/index.php(3): Acme\\Shop->run('x')
#2 {main}
  thrown in /app/src/Cart.php on line 12
""",
        ["/app/src/Cart.php:12 ", "/app/src/Shop.php:5 run", "/app/index.php:3 "],
        "no price in /app/src/Cart.php:12",
    ),
    "elixir": (
        """** (RuntimeError) no price
    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.total/1
    (elixir 1.15.4) lib/enum.ex:2510: Enum."-reduce/3-lists^foldl/2-0-"/3
    test/cart_test.exs:5: (test)
""",
        ["lib/shop/cart.ex:12 total", "lib/enum.ex:2510 reduce", "test/cart_test.exs:5 "],
        "no price",
    ),
    "swift": (
        """shop/Cart.swift:12: Fatal error: no price
0 [ra] 0x00005555 total(_:) + 12 in shop at /src/shop/Cart.swift:12:9
""",
        ["shop/Cart.swift:12 ", "/src/shop/Cart.swift:12 total"],
        "no price",
    ),
    "haskell": (
        """shop: no price
CallStack (from HasCallStack):
  error, called at src/Cart.hs:12:5 in shop-0.1:Cart
  total, called at app/Main.hs:3:8 in main:Main
""",
        ["src/Cart.hs:12 total", "app/Main.hs:3 "],
        "no price",
    ),
    "zig": (
        """thread 12 panic: index out of bounds: index 5, len 3
/src/cart.zig:12:9: 0x1034 in total (shop)
    return prices[5];
/usr/lib/zig/std/start.zig:524:37: 0x1038 in posixCallMainAndExit (shop)
""",
        ["/src/cart.zig:12 total", "/usr/lib/zig/std/start.zig:524 posixCallMainAndExit"],
        "index out of bounds: index 5, len 3",
    ),
    "lua": (
        """lua: shop/cart.lua:12: no price
stack traceback:
\t[C]: in function 'error'
\tshop/cart.lua:12: in method 'total'
\t...ome/u/shop/main.lua:3: in main chunk
""",
        ["shop/cart.lua:12 total", "/u/shop/main.lua:3 "],
        "no price",
    ),
    "bash": (
        "./bin/shop.sh: line 12: price: unbound variable\n",
        ["bin/shop.sh:12 "],
        "price: unbound variable",
    ),
    "erlang": (
        'crashed: {badarg,[{shop_cart,total,1,[{file,"src/shop_cart.erl"},{line,12}]},\n'
        '  {shop,run,2,[{file, "src/shop.erl"}, {line, 3}]}]}\n',
        ["src/shop_cart.erl:12 total", "src/shop.erl:3 run"],
        "",
    ),
    "erlang in a line": (
        'crashed: {badarg,[{shop_cart,total,1,[{file,"src/shop_cart.erl"},{line,12}]},{shop,run,2,[{file,"src/'
        'shop.erl"},{line,3}]},{proc_lib,init,3,[{file,"proc_lib.erl"},{line,226}]}]}\n',
        ["src/shop_cart.erl:12 total", "src/shop.erl:3 run", "proc_lib.erl:226 init"],
        "",
    ),
    "logfmt": (
        'time="10:00" level=error msg="tide \\"low\\" is not for ships" pier=north\n',
        [],
        'tide "low" is not for ships',
    ),
    "a log of objects": (
        '{"level":50,"pier":"north","err":"tide \\"low\\" is not for ships","path":"/carts"}\n',
        [],
        'tide "low" is not for ships',
    ),
    "bats": (
        "# (from function `total' in file lib/cart.bash, line 12,\n#  in test file test/cart.bats, line 5)\n",
        ["lib/cart.bash:12 total", "test/cart.bats:5 "],
        "",
    ),
    "openresty": (
        "2024/05/01 10:00:00 [warn] 12#0: *4 [lua] cart.lua:12: total(): no price for pears, context: ngx.timer\n",
        ["cart.lua:12 total"],
        "no price for pears",
    ),
    "compose": (
        'web_1  | Traceback (most recent call last):\nweb_1  |   File "/app/a.py", line 4, in f\n',
        ["/app/a.py:4 f"],
        "",
    ),
    "maven": (
        "[ERROR] /app/src/Cart.java:[12,5] cannot find symbol\n[WARNING] /app/src/Shop.java:[3,1] old\n",
        ["/app/src/Cart.java:12 ", "/app/src/Shop.java:3 "],
        "cannot find symbol",
    ),
    "github": (
        "::warning file=src/shop.js,line=3,endLine=4::old\n::error file=src/cart.js,line=12,col=5::no price\n",
        ["src/cart.js:12 ", "src/shop.js:3 "],
        "",
    ),
    "json log": (
        '{"error": "Error: no price\\n    at total (/app/cart.js:12:5)\\n    at run (/app/shop.js:3:1)"}',
        ["/app/cart.js:12 total", "/app/shop.js:3 run"],
        "no price",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRACES)
def test_the_frames_of_a_format_are_read_innermost_first(name: str) -> None:
    text, frames, message = TRACES[name]
    found = read_trace(text)
    assert [f"{frame.place} {frame.function.name}" for frame in found.frames] == frames
    assert found.messages[:1] == ((message,) if message else ())


# What programs print before each line of a log.
PREFIXES = {
    "actions": "2026-03-01T10:11:12.1234567Z ",
    "gh run view": "build (ubuntu, 3.12)\tRun make test\t2026-03-01T10:11:12.1234567Z ",
    "jenkins": "[2026-03-01T10:11:12.123Z] ",
    "jenkins without a date": "10:11:12  ",
    "kubernetes": "2026-03-01T10:11:12.123456789Z stderr F ",
    "gitlab": "2026-03-01T10:11:12.123456Z 01O ",
    "logger": "2026-03-01 10:11:12,123 ",
    "journald": "Mar 01 10:11:12 host01 shop[1234]: ",
    "journald with a date": "2026-03-01T10:11:12+0100 host01 shop[1234]: ",
    "heroku": "2026-03-01T10:11:12.123456+00:00 app[web.1]: ",
    "logcat": "03-01 10:11:12.123  4321  4355 E AndroidRuntime: ",
    "logcat in brief": "E/AndroidRuntime( 4321): ",
    "nslog": "2026-03-01 10:11:12.123 Shop[4321:89ab] ",
    "buildkit": "#12 14.02 ",
    "cloud build": 'Step #1 - "test": ',
    "netlify": "10:11:12 AM: ",
    "turborepo": "@shop/web:test: ",
    "lerna": "[web] ",
    "quotation": "> ",
}
PREFIXED = ("python", "node", "tsc", "csharp", "go", "rustc", "eslint")


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
def test_what_a_log_puts_before_its_lines_hides_no_frame(prefix: str) -> None:
    for name in sorted(PREFIXED & TRACES.keys()):
        text = f"{TRACES[name][0].strip()}\ndone"
        log = "\n".join(f"{prefix}{line}" for line in text.split("\n"))
        assert read_trace(plain_text(log)) == read_trace(text), name


def test_prefixes_are_no_words_of_a_query() -> None:
    log = "2026-03-01T10:11:12.1Z ##[error]\x1b[31;1mCart is closed\x1b[0m\n2026-03-01T10:11:13.1Z [33mPay first[39m\n"
    assert plain_text(log) == "Cart is closed\nPay first\n"
    assert plain_text("2026-03-01T10:11:12Z Cart is closed") == "Cart is closed"
    assert parse_query(log).terms == ("cart", "close", "pay", "first")


@pytest.mark.parametrize(
    "text",
    [
        "10:30:00 is the time of the cart",
        "rate(carts[5m])\nby (pier)",
        "Makefile:12: a\nMakefile:13: b",
        "> a\nb",
        "[ERROR] a\n[INFO] b",
    ],
)
def test_text_that_only_looks_like_a_prefix_stays(text: str) -> None:
    assert plain_text(text) == text


def test_faults_come_before_warnings() -> None:
    log = "\n".join(f"src/w{line}.c:{line}:5: warning: unused" for line in range(1, 500))
    log += "\nsrc/cart.c:12:5: error: no price\nsrc/cart.h:3:1: note: declared here\nsrc/shop.c:9:1: error: no shop"
    trace = read_trace(log)
    assert [frame.place for frame in trace.frames[:3]] == ["src/cart.c:12", "src/shop.c:9", "src/w1.c:1"]
    assert trace.messages[:2] == ("no price", "no shop")


def test_tests_that_pass_are_no_frames() -> None:
    passing = [f"tests/test_cart.py::test_{number} PASSED [ {number}%]" for number in range(20, 40)]
    log = "\n".join([*passing, "tests/test_cart.py::test_total FAILED", "[gw1] [ 50%] SKIPPED tests/a.py::test_a"])
    assert [frame.function.name for frame in read_trace(log).frames] == ["test_total"]
    assert len(read_trace("\n".join(passing)).frames) == 20  # nothing else


@pytest.mark.parametrize(
    ("printed", "form", "name", "qualifier"),
    [
        ("main.(*Server).Handle.func1", "go", "Handle", "Server"),
        ("<shop::Cart as core::iter::Iterator>::next::h0123456789abcdef", "native", "next", ""),
        ("com.acme.Cart$Line.price", "java", "price", "Line"),
        ("Object.<anonymous>", "javascript", "", ""),
        ("async Cart.total [as sum]", "javascript", "total", "Cart"),
        ("std::vector<int, std::allocator<int> >::push_back(int const&)", "native", "push_back", ""),
        ("Cart#total", "ruby", "total", "Cart"),
        ("Cart#empty?", "ruby", "empty?", "Cart"),
        ("price=", "ruby", "price=", ""),
        ("?", "lua", "", ""),
        ("<module>", "python", "", ""),
        ("closure #1 in total(_:)", "native", "total", ""),
    ],
)
def test_a_function_s_name_is_that_of_its_definition(printed: str, form: str, name: str, qualifier: str) -> None:
    found = function_of(printed, form)
    assert found.name == name
    if qualifier:
        assert found.qualifier == qualifier


@pytest.fixture
def shop_index(shop: Path, tmp_path: Path) -> Index:
    return open_index(shop, home=tmp_path / "home", model="embedded")


def named(index: Index, query: str, **filters: object) -> list[str]:
    """The lines that the hits are about, in order."""
    hits = index.search(query, top_k=20, filters=Filters(**filters))  # type: ignore[arg-type]
    return [f"{index.chunk(hit.chunk).file}:{start}" for hit in hits for start, _ in hit.lines]


INSTALLED = """Traceback (most recent call last):
  File "/srv/run.py", line 90, in serve
  File "/usr/lib/python3/dist-packages/shop/cart.py", line 14, in total
    return self.sum_up()
  File "/usr/lib/python3/dist-packages/werkzeug/cart.py", line 17, in handle
  File "/usr/lib/python3/dist-packages/shop/cart.py", line 17, in sum_up
  File "/usr/lib/python3/dist-packages/shop/money.py", line 8, in __init__
TypeError: type str doesn't define __round__ method
"""


def test_own_frames_come_first_and_other_code_is_counted(shop_index: Index) -> None:
    assert named(shop_index, INSTALLED) == ["shop/money.py:8", "shop/cart.py:17", "shop/cart.py:14"]
    reading = shop_index.trace(INSTALLED)
    assert reading is not None
    assert (reading.own, reading.foreign, reading.filtered, reading.elsewhere) == (3, 2, 0, ())


def test_filters_hide_frames_and_say_so(shop_index: Index) -> None:
    assert named(shop_index, INSTALLED, exclude=("shop/money.py",)) == ["shop/cart.py:17", "shop/cart.py:14"]
    reading = shop_index.trace(INSTALLED, filters=Filters(exclude=("shop/money.py",)))
    assert reading is not None and (reading.own, reading.filtered) == (2, 1)


def test_frames_without_a_file_are_found_by_the_type_of_their_function(write_tree: WriteTree, tmp_path: Path) -> None:
    def source(name: str, methods: str) -> str:
        return f"namespace Acme.Shop;\n\npublic class {name}\n{{\n{methods}}}\n"

    total = "    public int Total() { return 1; }\n\n    public int Total(int rate) { return rate; }\n"
    rent = "    public Rent(int rate) { Rate = rate; }\n"
    root = write_tree({
        "src/Cart.cs": source("Cart", total),
        "src/Bill.cs": source("Bill", total),
        "src/Tax.cs": source("Tax", total),
        "src/Rent.cs": source("Rent", rent),
    })  # fmt: skip
    index = open_index(root, home=tmp_path / "home", model="embedded")
    text = (
        "System.InvalidOperationException: Sequence contains no elements\n"
        "   at System.Linq.ThrowHelper.ThrowNoElementsException()\n"
        "   at Acme.Shop.Cart.Total()\n   at Acme.Shop.Bill.Total(Int32 rate)\n   at Other.Shelf.Total()\n"
    )
    assert named(index, text) == ["src/Cart.cs:5", "src/Bill.cs:5"]
    reading = index.trace(text)
    assert reading is not None and (reading.own, reading.foreign, reading.elsewhere) == (2, 2, ())
    assert named(index, "  at Acme.Shop.Tax.Total()") == ["src/Tax.cs:5"]  # alone, without a message
    assert named(index, "  at Acme.Shop.Rent..ctor(Int32 rate)") == ["src/Rent.cs:5"]


def test_what_the_runtime_says_of_a_panic_names_no_code(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree(
        {"src/cart.rs": "pub fn total() {}\n", "src/size.rs": "pub enum Size {\n    None,\n    Big,\n}\n"}
    )
    index = open_index(root, home=tmp_path / "home", model="embedded")
    text = "thread 'main' panicked at src/cart.rs:1:5:\ncalled `Option::unwrap()` on a `None` value\n"
    assert named(index, text) == ["src/cart.rs:1"]


def test_empty_lines_take_no_time(shop_index: Index) -> None:
    with within(0.5):
        shop_index.trace("the total is wrong" + "\n" * 19_000 + "for carts")


def test_the_port_of_an_address_is_no_line() -> None:
    assert read_trace("curl http://localhost:8096/carts/5 says 500").frames == ()


def test_a_trace_without_own_frames_is_searched_by_its_message(shop_index: Index) -> None:
    text = 'Traceback (most recent call last):\n  File "/x/y.py", line 3, in f\nValueError: cart has no money\n'
    reading = shop_index.trace(text)
    assert reading is not None and (reading.own, reading.foreign) == (0, 1)
    assert "shop/cart.py" in [shop_index.chunk(hit.chunk).file for hit in shop_index.search(text)]


def test_a_moved_function_is_found_by_its_name(shop_index: Index) -> None:
    moved = 'Traceback (most recent call last):\n  File "/app/shop/cart.py", line 400, in sum_up\nKeyError: 1\n'
    assert named(shop_index, moved) == ["shop/cart.py:16"]
    reading = shop_index.trace(moved)
    assert reading is not None
    assert reading.elsewhere == ("/app/shop/cart.py:400 (Cart.sum_up, now shop/cart.py:16)",)


def test_a_function_in_another_file_now_is_found_by_its_name(shop_index: Index) -> None:
    moved = 'Traceback (most recent call last):\n  File "/app/shop/cart.py", line 4, in parse_money\nKeyError: 1\n'
    assert named(shop_index, moved) == ["shop/money.py:11"]


def test_a_function_may_move_to_any_file_of_its_languages_family(write_tree: WriteTree, tmp_path: Path) -> None:
    """The families are those of the table of languages, whose endings are many: `.ipp`, `.rake`, `.exs`."""
    root = write_tree({
        "src/cart.cpp": "int main() { return 0; }\n", "src/cart.ipp": "int add_lines(int a)\n{\n    return a;\n}\n",
        "lib/shop.rb": "VERSION = 1\n", "lib/shop.rake": "def add_prices(a)\n  a\nend\n",
    })  # fmt: skip
    index = open_index(root, home=tmp_path / "index")
    assert named(index, "#0 0x1 in add_lines (a=1) at /app/src/cart.cpp:80\n") == ["src/cart.ipp:1"]
    assert named(index, "/app/lib/shop.rb:90:in `add_prices': no price (KeyError)\n") == ["lib/shop.rake:1"]


def test_a_function_of_the_same_file_at_another_line_has_moved(shop_index: Index) -> None:
    moved = 'Traceback (most recent call last):\n  File "/app/shop/cart.py", line 7, in sum_up\nKeyError: 1\n'
    assert named(shop_index, moved) == ["shop/cart.py:16"]


def test_a_frame_that_no_longer_exists_is_reported(shop_index: Index) -> None:
    gone = 'Traceback (most recent call last):\n  File "/app/shop/cart.py", line 400, in vanished\nKeyError: 1\n'
    reading = shop_index.trace(gone)
    assert reading is not None and reading.lost == ("/app/shop/cart.py:400",) and not reading.own


@pytest.mark.parametrize(
    "folder", ["/usr/lib/python3/dist-packages/other", "/app/node_modules/other", "/usr/lib/python3.12"]
)
def test_a_file_of_another_package_is_not_this_repository(shop_index: Index, folder: str) -> None:
    gone = f'Traceback (most recent call last):\n  File "{folder}/shop/cart.py", line 17, in vanished\nKeyError: 1\n'
    reading = shop_index.trace(gone)
    assert reading is not None and reading.foreign and not reading.elsewhere


@pytest.mark.parametrize("folder", ["/app", "/usr/lib/python3/dist-packages"])
def test_a_frame_whose_function_is_gone_is_shown_at_its_line_and_reported(shop_index: Index, folder: str) -> None:
    gone = f'Traceback (most recent call last):\n  File "{folder}/shop/cart.py", line 17, in vanished\nKeyError: 1\n'
    assert named(shop_index, gone) == ["shop/cart.py:17"]
    reading = shop_index.trace(gone)
    assert reading is not None and not reading.foreign
    assert reading.elsewhere == (f"{folder}/shop/cart.py:17 (vanished, no longer in this file)",)


def test_vendored_code_in_the_tree_counts_as_own(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"vendor/acme/cookie/split.py": "def split(text):\n    return text.split()\n", "a.py": "A = 1\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    assert named(index, "vendor/acme/cookie/split.py:2: error: broken") == ["vendor/acme/cookie/split.py:2"]
    assert named(index, "/app/vendor/acme/cookie/split.py:2: error: broken") == ["vendor/acme/cookie/split.py:2"]
    assert named(index, "/app/vendor/other/cookie/split.py:9: error: broken") == []


def test_the_program_of_a_user_is_none_of_the_examples(write_tree: WriteTree, tmp_path: Path) -> None:
    program = "use shop::close;\n\nfn main() {\n    close();\n}\n"
    trace = (
        "thread 'main' panicked at src/main.rs:4:5:\nthe till is open\nstack backtrace:\n   1: shop::close\n"
        "             at /root/.cargo/registry/src/index.crates.io-1/shop-1.0.0/src/lib.rs:2:5\n"
        "   2: app::main\n             at ./src/main.rs:4:5\n"
    )
    examples = {f"examples/{name}/src/main.rs": program for name in ("cart", "till")}
    files = {"src/lib.rs": "pub fn close() {\n    panic!();\n}\n", **examples}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert named(index, trace) == ["src/lib.rs:2"]
    assert "examples/till/src/main.rs:4" in named(index, trace.replace("src/main.rs", "examples/till/src/main.rs"))


def test_a_moved_method_in_a_file_at_the_root_of_its_module_is_found(write_tree: WriteTree, tmp_path: Path) -> None:
    text = "package till\n\ntype Till struct{}\n\nfunc (t *Till) Close() {\n\tpanic(1)\n}\n\nfunc Open() {\n}\n"
    index = open_index(write_tree({"till.go": text}), home=tmp_path / "home", model="embedded")
    head = "panic: 1\n\ngoroutine 1 [running]:\n"
    place = "(0xc0000b6000)\n\t/go/pkg/mod/example.com/{}@v1.5.0/till.go:70 +0x4a5\n"
    assert named(index, f"{head}example.com/till.(*Till).Close{place.format('till')}") == ["till.go:5"]
    assert named(index, f"{head}example.com/shop.(*Shop).Close{place.format('shop')}") == []
    assert (
        named(
            index,
            f"{head}example.com/other/shop.(*Till).Close{place.format('other').replace('till.go', 'shop/till.go')}",
        )
        == []
    )


def test_the_overloads_of_one_example_are_one_place(write_tree: WriteTree, tmp_path: Path) -> None:
    overloads = "".join(f"int total_of({kind} value) {{\n  return 0;\n}}\n\n" for kind in ("int", "float"))
    index = open_index(write_tree({"examples/cart.cpp": overloads}), home=tmp_path / "home", model="embedded")
    frames = "#0  0x00000001 in total_of ()\n#1  0x00000002 in main ()\n"
    assert named(index, frames) == ["examples/cart.cpp:1"]


@pytest.mark.parametrize("folder", [".cargo/registry/src/index.crates.io-1/{}-0.3.1", "node_modules/@acme/{}"])
def test_an_installed_package_is_that_of_its_folder(write_tree: WriteTree, tmp_path: Path, folder: str) -> None:
    files = {f"packages/{name}/src/list.rs": "fn add() {}\n" * 9 for name in ("shop", "shop-core", "till")}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for name in ("shop", "shop-core", "till"):
        found = named(index, f"panicked at /root/{folder.format(name)}/src/list.rs:7:5:\nno price\n")
        assert found == [f"packages/{name}/src/list.rs:7"]


CRASHES = {
    "csharp": "System.Exception: no price\n   at Shop.Cart`1.Total(Rate rate)\n"
    "   at System.Linq.Enumerable.Sum(IList x)\n   at System.Sales.Till.Sum(IList`1 x)\n"
    "   at Shop.Till.Close()\n",
    "trimmed": "at Shop.Cart`1.Total(Rate rate)\n   at Shop.Till.Close()",
    "glibc": "Backtrace:\n/usr/bin/till(total+0x12)[0x401136]\n/usr/bin/till(printf+0x2)[0x40113a]\n"
    "/usr/bin/till(close+0x3)[0x401139]\n",
    "asan": "==1==ERROR\n    #0 0x55d1 in total (/usr/bin/till+0x55d1)\n    #1 0x55e1 in run (/usr/bin/till+0x55e1)\n"
    "    #2 0x55f1 in close (/usr/bin/till+0x55f1)\n",
}


@pytest.mark.parametrize("name", CRASHES)
def test_a_frame_without_a_file_means_the_only_function_of_its_name(
    name: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    root = write_tree({
        "Cart.cs": "namespace Shop;\n\nclass Cart<T> {\n    int Total(int rate) {\n        return rate;\n    }\n\n"
        "    int Total() {\n        return 1;\n    }\n}\n",
        "Till.cs": "namespace Shop;\n\nclass Till {\n    void Close() {}\n\n    int Sum(int[] x) { return 1; }\n}\n",
        "cart.c": "int total(int rate) {\n    return rate;\n}\n\nint run(void) {\n    return 1;\n}\n",
        "till.c": "void close(void) {\n}\n\nint run(int x) {\n    return x;\n}\n",
    })  # fmt: skip
    index = open_index(root, home=tmp_path / "home", model="embedded")
    expected = ["Cart.cs:4", "Till.cs:4"] if name in ("csharp", "trimmed") else ["cart.c:1", "till.c:1"]
    assert named(index, CRASHES[name]) == expected


def test_java_s_files_are_distinguished_by_their_package(write_tree: WriteTree, tmp_path: Path) -> None:
    def source(package: str, name: str = "Cart") -> str:
        return f"package {package};\n\npublic class {name} {{\n    int total() {{\n        return 1;\n    }}\n}}\n"

    root = write_tree({
        "a/src/com/acme/one/Cart.java": source("com.acme.one"),
        "b/src/com/acme/two/Cart.java": source("com.acme.two"),
        "c/src/Arrays.java": source("com.acme", "Arrays"),
    })  # fmt: skip
    index = open_index(root, home=tmp_path / "home", model="embedded")
    text = (
        "java.lang.Error: x\n\tat java.base/java.util.Arrays.sort(Arrays.java:5)\n"
        "\tat com.acme.two.Cart.total(Cart.java:5)\n\tat com.acme.one.Cart.total(Cart.java:5)\n"
    )
    assert named(index, text) == ["b/src/com/acme/two/Cart.java:5", "a/src/com/acme/one/Cart.java:5"]


def test_a_swift_file_is_found_by_its_module(write_tree: WriteTree, tmp_path: Path) -> None:
    """`#fileID` prints the module: a folder in packages, the program's name in applications."""
    source = "struct Cart {\n    func total() -> Int {\n        return 1\n    }\n}\n"
    root = write_tree({
        "Sources/One/Model/Cart.swift": source,
        "Sources/Two/Model/Cart.swift": source,
        "app/Till.swift": source.replace("Cart", "Till"),
    })  # fmt: skip
    index = open_index(root, home=tmp_path / "home", model="embedded")
    assert named(index, "Two/Cart.swift:3: Fatal error: no price") == ["Sources/Two/Model/Cart.swift:3"]
    assert named(index, "12:01 [Shop/Till.swift:3] total(): no price") == ["app/Till.swift:3"]
    assert named(index, "Shop/Till.swift:3") == ["app/Till.swift:3"]


TEMPLATES = {
    "limits.py": "def check(n):\n    if n > most:\n        raise ValueError(f'limit must be {most}, but is {n}')\n",
    "limits.go": 'package a\n\nfunc Check() error {\n\treturn fmt.Errorf("quota must be %d, but is %v", 9, 1)\n}\n',
    "limits.js": "function check(n) {\n  throw new Error('share must be ' + most + ', but is ' + n);\n}\n",
    "limits.rs": 'fn check(n: u8) {\n    panic!("weight must be {}, but is {:?}", MOST, n);\n}\n',
    "ships.rs": 'fn check(n: u8) {\n    panic!(\n        "{} cannot carry more than {n} boxes. \\\n         '
    'Put `{n}` of them on another ship", NAME);\n}\n',
    "zone/find.c": "int find(char *path) {\n    fail(\"could not find ship at '%s'\", path);\n}\n\n"
    'int pier(char *name) { fail("invalid pier %s", name); }\n',
    "tests/test_limits.py": "def test_limit():\n    assert error == 'limit must be 5, but is 7'\n",
    "docs.md": "# Limits\n\nIt says `limit must be 5, but is 7`.\n",
    "other.py": "def other(n, most):\n    limit = most\n    return 'must', n, 'be', limit\n",
}


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("ValueError: limit must be 5, but is 7", "limits.py:3"),
        ("panic: quota must be 5, but is 7", "limits.go:4"),
        ("Error: share must be 5, but is 7", "limits.js:2"),
        ("thread 'main' panicked at 'weight must be 5, but is 7', src/x.rs:1:1", "limits.rs:2"),
        ("tool: error (at <stdin>:1): limit must be 5, but is 7", "limits.py:3"),
        ("2024-01-02 10:00:01,123 WARNING [shop.cart] limit must be 5, but is 7", "limits.py:3"),
        ("INFO:     share must be 5, but is 7", "limits.js:2"),
        ("[warn]: quota must be 5, but is 7", "limits.go:4"),
        ("error: weight must be", "limits.rs:2"),
        ("error: Ships cannot carry more than 7 boxes", "ships.rs:3"),
        ('{"level": "ERROR", "pier": "north", "message": "quota must be 5, but is 7"}', "limits.go:4"),
        ("invalid pier docks/north", "zone/find.c:5"),
        ('10:00:00Z ERR share must be 5, but is 7 error="connection refused" pier=north', "limits.js:2"),
    ],
)
def test_the_place_that_builds_a_message_is_found(
    write_tree: WriteTree, tmp_path: Path, message: str, place: str
) -> None:
    index = open_index(write_tree(TEMPLATES), home=tmp_path / "home", model="embedded")
    assert named(index, message)[0] == place


def test_a_message_behind_the_error_that_code_puts_before_it_leads_to_both(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    """`Discovery error: ` is no label of a tool."""
    files = {
        "src/keys.php": "<?php\nfunction keys($url) {\n    throw new E('No keys for the cart found');\n}\n",
        "src/login.php": "<?php\nfunction login($e) {\n    throw new E('Cart discovery error: ' . $e->text());\n}\n",
        "src/other.php": "<?php\nfunction discovery($cart) {\n    return cart_errors($cart);\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = index.search("Cart discovery error: No keys for the cart found")[:2]
    assert [(index.chunk(hit.chunk).file, hit.lines) for hit in hits] == [
        ("src/keys.php", ((3, 3),)),
        ("src/login.php", ((3, 3),)),
    ]


@pytest.mark.parametrize(("label", "times"), [("error: ", 1), ("RuntimeError: ", 1), ("Cart discovery error: ", 2)])
def test_a_message_behind_a_label_of_one_word_is_looked_for_once(
    label: str, times: int, write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from index.search.places import messages

    asked: list[str] = []
    builders = messages.builders
    monkeypatch.setattr(
        messages, "builders", lambda scope, text, *rest: asked.append(text) or builders(scope, text, *rest)
    )
    files = {"src/keys.php": "<?php\nfunction keys($url) {\n    throw new E('No keys for the cart found');\n}\n"}
    open_index(write_tree(files), home=tmp_path / "home", model="embedded").search(f"{label}No keys for the cart found")
    assert len(asked) == times


def test_each_place_that_builds_a_message_counts_once(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        f"{name}.go": f'package {name}\n\nfunc Sell() {{\n\tfail("The last pear was sold.")\n}}\n' for name in "abc"
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert {*named(index, '{"code": 400, "message": "The last pear was sold."}')} == {"a.go:4", "b.go:4", "c.go:4"}


def test_a_message_of_one_common_word_is_found_by_its_other_words(
    write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "MAX_SCANNED", 20)
    ships = {f"ship_{number}.c": f"int ship_{number}(void) {{\n  return {number};\n}}\n" for number in range(70)}
    index = open_index(write_tree({**TEMPLATES, **ships}), home=tmp_path / "home", model="embedded")
    assert named(index, "could not find ship at '/docks/7'") == ["zone/find.c:2"]


def test_a_message_that_no_literal_gives_names_no_line(write_tree: WriteTree, tmp_path: Path) -> None:
    index = open_index(write_tree(TEMPLATES), home=tmp_path / "home", model="embedded")
    assert named(index, "ValueError: the limit of most others must be n") == []


HOSTILE = [
    "a\t" * 10_000, "[" * 20_000, "10:11:12" * 2_500, "\x1b[" * 10_000 + "[0m", "::error file=" * 1_500, "> \n" * 6_000,
    "a" * 20_000, "a:" * 10_000, ":1" * 10_000, "a.b:1 " * 3_300, "at " * 6_600, "\tat a.b(" * 2_500, "(" * 20_000,
    'File "' * 3_300, "A.A.A." * 3_300, "#0 0x1 in " * 2_000, "x in " * 4_000, "/pkg/mod/@" * 2_000, "<" * 20_000,
    "error: " * 2_800, "\\n at " * 3_300, "a, line " * 2_500, "at a (" * 3_300, "'%s" * 6_600, "1:1 " * 5_000,
    "    at " + "x" * 900 + "\n", ("    at f (" + "a" * 950 + "\n") * 20, ("E " + "A." * 480 + "\n") * 20,
    ("thread '" + "x" * 900 + "\n") * 20, (": " * 499 + "\n") * 20, ("from function `" * 60 + "\n") * 20,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:12])
def test_hostile_text_costs_a_bounded_number_of_steps(text: str) -> None:
    """Steps are counted as executed lines of Python; the length of a line bounds patterns."""
    steps = 0

    def count(*_: object) -> object:
        nonlocal steps
        steps += 1
        assert steps < 3_000_000
        return count

    sys.settrace(count)  # type: ignore[arg-type]
    try:
        read_trace(plain_text(text))
    finally:
        sys.settrace(None)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.sampled_from([line for text, _, _ in TRACES.values() for line in text.splitlines()]),
        ),
        max_size=30,
    )
)
def test_no_mixture_of_lines_breaks_the_reader(lines: list[str]) -> None:
    found = read_trace("\n".join(lines))
    assert len({(frame.place, frame.function.name) for frame in found.frames}) == len(found.frames)
    assert read_trace("\n".join(lines)) == found


@pytest.mark.parametrize(
    "message",
    [
        'main.py:4: error: Argument "amount" to "closing" has incompatible type "tuple[str, str]"  [arg-type]',
        "src/main.ts(4,17): error TS2345: Argument of type 'string' is not assignable to parameter of type 'closing'.",
        "Main.cs(4,17): error CS1501: No overload for method 'closing' takes 2 arguments",
    ],
)
def test_the_names_that_a_compiler_quotes_lead_to_their_definitions(
    message: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    code = "def closing(amount):\n    return amount\n"
    tree = write_tree({"shop/till.py": code, "shop/pairs.py": "def pairs(a) -> tuple[str, str]:\n    return a, a\n"})
    index = open_index(tree, home=tmp_path / "home", model="embedded")
    assert named(index, message)[:1] == ["shop/till.py:1"]


@pytest.mark.parametrize("message", ["KeyError: 'closing'", "ValueError: 'closing' is no amount"])
def test_data_that_an_error_quotes_is_no_name(message: str, write_tree: WriteTree, tmp_path: Path) -> None:
    code = 'def closing(rows):\n    return rows\n\n\ndef total(rows):\n    return rows["closing"] * 2\n'
    index = open_index(write_tree({"shop/till.py": code}), home=tmp_path / "home", model="embedded")
    assert "shop/till.py:1" not in named(index, message)


def test_an_ordinary_question_is_no_trace(shop_index: Index) -> None:
    for question in ("how is the total of a cart summed up", "Cart.total", "round amounts at 2 digits", "cart"):
        assert shop_index.trace(question) is None
    assert "index.search.traces.frames" not in _modules_of_a_question()


def _modules_of_a_question() -> str:
    import subprocess

    code = (
        "import sys; from index.search.query import parse_query; from index.search.places import locations; "
        "assert locations._MAY_POINT.search('how are carts summed up') is None; print(sorted(sys.modules))"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="session")
def lasting_shop(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("shop")
    for path, content in SHOP.items():
        (folder / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / path).write_text(content)
    return open_index(folder / "tree", home=folder / "home", model="embedded")


@settings(max_examples=60, deadline=None)
@given(text=st.lists(st.one_of(st.text(max_size=40), st.sampled_from(INSTALLED.splitlines())), max_size=12))
def test_no_pasted_text_breaks_a_search(lasting_shop: Index, text: list[str]) -> None:
    for hit in lasting_shop.search("\n".join(text), top_k=20):
        row = lasting_shop.chunk(hit.chunk)
        assert all(row.start_line <= start <= end <= row.end_line for start, end in hit.lines)
