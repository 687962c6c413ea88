"""Import statements of each language: the modules they name, the names they bind, the chunks that use them."""

from __future__ import annotations

import pytest

from chunker.api import chunk_file
from chunker.model import INNER, OWN, SHOWN, Import

WILDCARD = (("*", "*"),)


@pytest.mark.parametrize(
    ("path", "code", "bound"),
    [
        ("a.py", "import os.path, numpy as np\n", [("os.path", (("os", ""),)), ("numpy", (("np", ""),))]),
        ("a.py", "from . import (\n    a as b,  # why\n    c,\n)\n", [(".", (("b", "a"), ("c", "c")))]),
        ("a.py", "from .models import *\n", [(".models", WILDCARD)]),
        ("a.py", "from a import b, \\\n    c\n", [("a", (("b", "b"), ("c", "c")))]),
        ("a.py", "from __future__ import annotations\n", [("__future__", ())]),
        ("a.js", "import 'side-effect';\n", [("side-effect", ())]),
        ("a.js", "import d, { a as b } from './m';\n", [("./m", (("d", "default"), ("b", "a")))]),
        ("a.js", "import * as ns from 'm';\n", [("m", (("ns", ""),))]),
        ("a.js", "export * from './m';\n", [("./m", WILDCARD)]),
        ("a.js", "const { a, b: c } = require('m');\n", [("m", (("a", "a"), ("c", "b")))]),
        ("a.js", "var x = require('m').y, z = require('n');\n", [("m", (("x", "y"),)), ("n", (("z", ""),))]),
        ("a.js", "require('./setup');\n", [("./setup", ())]),
        ("a.ts", "import type { A } from './a';\n", [("./a", (("A", "A"),))]),
        ("a.ts", "import D, { type A as B } from './a';\n", [("./a", (("D", "default"), ("B", "A")))]),
        ("a.ts", "import fs = require('fs');\n", [("fs", (("fs", ""),))]),
        ("a.ml", "open! Shop . Money\n", [("Shop.Money", WILDCARD)]),
        (
            "a.ml",
            "module L = Shop.Line (* lines *)\nopen L.Sum\n",
            [("Shop.Line", (("L", ""),)), ("Shop.Line.Sum", WILDCARD)],
        ),
        (
            "a.ml",
            "include (Cart.Make (A) : S)\ninclude Cart.Pair (A) (B)\n",
            [("Cart.Make", WILDCARD), ("Cart.Pair", WILDCARD)],
        ),
        ("a.ml", "let f x = let open Cart in Line.(price x)\n", []),
        ("a.mli", "include module type of struct include Cart end\n", [("Cart", WILDCARD)]),
        ("a.erl", '-include_lib("shop/include/cart.hrl").\n', [("shop/include/cart.hrl", ())]),
        ("a.erl", "-import(cart, [add/2, % one\n  total/1]).\n", [("cart", (("add", "add"), ("total", "total")))]),
        ("a.erl", "-behaviour('gen_server').\n", [("gen_server", (("gen_server", ""),))]),
        (
            "a.clj",
            "(ns a (:require [b.c-d :as c-d :refer [x y!]] ; why\n [e :refer :all]) (:use [f :only (g)]))\n",
            [("b.c-d", (("c-d", ""), ("x", "x"), ("y!", "y!"))), ("e", WILDCARD), ("f", (("g", "g"),))],
        ),
        ("a.clj", "(require '[b :as c])\n", [("b", (("c", ""),))]),
        ("a.fs", "module A\n\nopen Shop.Money\n", [("Shop.Money", WILDCARD)]),
        ("a.go", 'package a\n\nimport "os"\n', [("os", (("os", ""),))]),
        ("a.go", 'package a\n\nimport . "dsl"\n', [("dsl", WILDCARD)]),
        ("a.go", 'package a\n\nimport "x.org/go-yaml/v3"\n', [("x.org/go-yaml/v3", (("yaml", ""),))]),
        ("a.rs", "use a::b::C;\n", [("a::b", (("C", "C"),))]),
        (
            "a.rs",
            "pub(crate) use a::{self, b::{c as d, e::*}};\n",
            [("a", (("a", ""),)), ("a::b", (("d", "c"),)), ("a::b::e", WILDCARD)],
        ),
        ("a.rs", "extern crate a as b;\n", [("a", (("b", ""),))]),
        ("a.rs", "pub mod codec;\n", [("self::codec", (("codec", ""),))]),
        ("A.java", "import static a.b.C.d;\n", [("a.b.C", (("d", "d"),))]),
        ("A.java", "import a.b.*;\n", [("a.b", WILDCARD)]),
        ("a.c", '#include <sys/types.h>\n#include "own.h"\n', [("sys/types.h", ()), ("own.h", ())]),
        ("A.cs", "using static A.B;\nusing X = A.C;\n", [("A.B", WILDCARD), ("A.C", (("X", ""),))]),
        ("a.kt", "import a.b.c as d\nimport e.*\n", [("a.b", (("d", "c"),)), ("e", WILDCARD)]),
        (
            "a.scala",
            "import a.b.{c => d, e, _}, f.g\n",
            [("a.b", (("d", "c"), ("e", "e"), ("*", "*"))), ("f", (("g", "g"),))],
        ),
        ("a.m", "#import <A/B.h>\n@import UIKit;\n", [("A/B.h", ()), ("UIKit", WILDCARD)]),
        ("a.groovy", "import a.b.*\nimport a.C as D\n", [("a.b", WILDCARD), ("a", (("D", "C"),))]),
        ("a.ps1", "using module ./A.psm1\nusing namespace B\n", [("./A.psm1", ())]),
        ("a.ps1", ". $PSScriptRoot/a.ps1\n. (Join-Path $here 'b/c.ps1')\n", [("a.ps1", ()), ("b/c.ps1", ())]),
        ("a.ps1", 'Import-Module -Name "$PSScriptRoot\\A.psd1" -Force\n& $x\n', [("A.psd1", ())]),
        ("a.swift", "import Foundation\nimport struct A.B\n", [("Foundation", WILDCARD), ("A", (("B", "B"),))]),
        ("a.rb", "require 'json'\nrequire_relative 'a/b'\n", [("json", ()), ("./a/b", ())]),
        ("a.rb", "autoload :Foo, 'foo/foo'\n", [("foo/foo", (("Foo", "Foo"),))]),
        ("a.php", "<?php\nuse A\\{B, C as D};\n", [("A", (("B", "B"), ("D", "C")))]),
        ("a.php", "<?php\nrequire_once __DIR__ . '/x.php';\n", [("x.php", ())]),
        ("a.ex", "alias A.{B, C.D}\n", [("A.B", (("B", ""),)), ("A.C.D", (("D", ""),))]),
        ("a.ex", "import A, only: [f: 1, g: 2]\n", [("A", (("f", "f"), ("g", "g")))]),
        ("a.hs", "import qualified Data.Map as M\n", [("Data.Map", (("M", ""),))]),
        (
            "a.hs",
            "import Data.Map (Map(..), insert)\n",
            [("Data.Map", (("Map", "Map"), ("*", "(..)"), ("insert", "insert")))],
        ),
        ("a.hs", "import A hiding (b)\n", [("A", WILDCARD)]),
        (
            "a.hs",
            "import A (T(..), U(X, y), (<+>))\n",
            [("A", (("T", "T"), ("*", "(..)"), ("U", "U"), ("X", "X"), ("y", "y"), ("<+>", "<+>")))],
        ),
        ("a.lua", "local a = require 'x.y'\nrequire('z')\n", [("x.y", (("a", ""),)), ("z", (("require(z)", ""),))]),
        ("a.ex", "use App.Case, async: true\n", [("App.Case", (("*", "*"),))]),
        ("a.zig", 'const a = @import("a.zig");\n', [("a.zig", (("a", ""),))]),
        ("a.zig", 'pub const b = @import("a.zig").b;\n', [("a.zig", (("b", "b"),))]),
        ("a.sh", '. "${DIR}/lib.sh"\nsource conf\n', [("lib.sh", ()), ("conf", ())]),
    ],
)
def test_what_a_statement_binds(path: str, code: str, bound: list[tuple[str, object]]) -> None:
    found = chunk_file(code.encode(), path).imports
    assert [(statement.module, statement.names) for statement in found] == bound


@pytest.mark.parametrize(
    ("path", "code", "reach"),
    [
        ("a.rs", "use a::b;\npub(crate) use a::*;\n", [OWN, SHOWN]),
        (
            "a.rs",
            "mod m {\n    use super::*;\n    pub use a::b;\n    fn f() {\n        use a::c;\n    }\n}\n",
            [INNER, INNER, INNER],
        ),
        ("a.py", "from a import b, _c\n\n\ndef f():\n    from a import d\n", [SHOWN, OWN, INNER]),
        ("a.ts", "import { b } from './a'\nexport { c, default } from './a'\n", [OWN, SHOWN, OWN]),
        ("A.java", "import a.B;\nclass A {}\n", [OWN]),
    ],
)
def test_how_far_an_imported_name_is_seen(path: str, code: str, reach: list[int]) -> None:
    assert [one for statement in chunk_file(code.encode(), path).imports for one in statement.reach] == reach


def used(path: str, code: str) -> dict[str, list[str]]:
    """Symbol -> the statements that its chunk uses."""
    file = chunk_file(code.encode(), path)
    return {chunk.symbol: [file.imports[at].text for at in chunk.imports] for chunk in file.chunks if chunk.symbol}


def test_a_chunk_lists_the_whole_statements_that_it_uses() -> None:
    code = "use std::path::{\n    Path,\n    PathBuf,\n};\nuse std::io;\n\nstruct Cache {\n    dir: PathBuf,\n}\n"
    assert used("a.rs", code) == {"Cache": ["use std::path::{\n    Path,\n    PathBuf,\n}"]}


def test_a_member_does_not_use_an_imported_name_but_a_spread_does() -> None:
    code = "import { join, rest } from 'm';\n\nfunction f(a) {\n  return a.join(',');\n}\n\n"
    code += "function g() {\n  return [...rest];\n}\n"
    assert used("a.js", code) == {"f": [], "g": ["import { join, rest } from 'm'"]}


def test_an_extension_function_is_used_after_a_dot() -> None:
    assert used("a.kt", "import a.b.shout\n\nfun f(s: String) = s.shout()\n") == {"f": ["import a.b.shout"]}


def test_at_most_five_statements_in_the_order_of_the_file() -> None:
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    code = "".join(f"import {name}\n" for name in names) + f"\n\ndef f():\n    return {', '.join(reversed(names))}\n"
    assert used("a.py", code) == {"f": [f"import {name}" for name in names[:5]]}


def test_an_import_inside_a_function_belongs_only_to_it() -> None:
    code = "def f():\n    import json\n    return json\n\n\ndef g(json):\n    return json\n"
    assert used("a.py", code) == {"f": [], "g": []}
    assert chunk_file(code.encode(), "a.py").imports == (
        Import("import json", "json", (("json", ""),), (INNER,), 2, 2),
    )


def test_a_go_block_gives_each_package_a_statement_of_its_own() -> None:
    code = 'package a\n\nimport (\n\t"fmt"\n\tm "math" // why\n)\n\nfunc f() { fmt.Println(m.Pi) }\n'
    assert used("a.go", code) == {"f": ['import "fmt"', 'import m "math"']}
