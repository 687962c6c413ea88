"""Detecting the language of a file."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from chunker.languages import detection
from chunker.languages.detection import detect_language
from chunker.languages.table import FIRST_TIER, LANGUAGES
from chunker.parse.grammars import QUERIES, symbol_query
from contracts.rows import rows
from tests.clock import within


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("src/a.py", b"", "python"),
        ("src/A.PY", b"", "python"),
        ("a.test.tsx", b"", "tsx"),
        ("Makefile", b"", "make"),
        ("Makefile.am", b"", "make"),
        ("deploy/Dockerfile.dev", b"FROM scratch\n", "dockerfile"),
        ("CMakeLists.txt", b"", "cmake"),
        ("requirements.txt", b"", "requirements"),
        ("notes.txt", b"", "text"),
        ("ChangeLog", b"", "text"),
        ("ChangeLog-2013", b"", "text"),
        ("NEWS.old", b"", "text"),
        ("Gemfile.lock", b"", "lockfile"),
        ("mix.lock", b"", "lockfile"),
        ("Pipfile.lock", b"", "json"),
        ("Cargo.lock", b"", "toml"),
        ("a-b", b"", None),
        ("bin/run", b"#!/usr/bin/env -S python3.11 -u\n", "python"),
        ("bin/run", b"#!/bin/sh\n", "bash"),
        ("bin/run", b"#!/usr/bin/node\n", "javascript"),
        ("bin/run", b"no shebang\n", None),
        ("bin/run", b"// -*- C++ -*-\n", "cpp"),
        (".gitignore", b"", "gitignore"),
        (".zzz", b"", None),
        ("web/.env.example", b"", "properties"),
        ("docker/dockerfile", b"", "dockerfile"),
        ("Views/Cart.cshtml", b"", "razor"),
        ("unknown.zzz", b"", None),
        ("a.h", b"#include <stdio.h>\nint f(void);\n", "c"),
        ("a.h", b"#include <string>\n", "cpp"),
        ("a.h", b"/* x */\nnamespace a {\n", "cpp"),
        ("a.h", b"@interface A : NSObject\n", "objc"),
        ("a.m", b"function y = f(x)\n", "matlab"),
        ("a.m", b"@implementation A\n", "objc"),
        ("i18n/a.ts", b'<?xml version="1.0"?><!DOCTYPE TS>', "xml"),
        ("a.ts", b"let x = 1;\n", "typescript"),
        ("a.v", b"module counter(input clk);\n", "verilog"),
        ("a.v", b"fn main() {\n", "v"),
        ("a.scm", b"; Totals\n(define (total lines) 1)\n", "scheme"),
        ("a.scm", b"(module (assignment left: (identifier) @name))\n", "query"),
        ("a.cls", b"public interface Store {\n", "apex"),
        ("a.cls", b"\\ProvidesClass{cart}\n", "latex"),
        ("a.pp", b"type Shop::Id = Integer[1, 9]\n", "puppet"),
        ("a.pp", b"unit Cart;\ninterface\n", "pascal"),
        ("a.t", b"use strict;\nmy $cart = 1;\n", "perl"),
        ("a.t", b"#!/usr/bin/perl\nprint 1;\n", "perl"),
        ("a.t", b"A cart is sold by those who\nuse the shop:\n\n  $ shop sell\n", "text"),
        ("a.t", b"The cart may use my price, ok?\n\n  $ shop total\n  9\n", "text"),
        ("a.h", b"/* Carts. */\n" * 2_000 + b"template <class T> struct A {};\n", "cpp"),
        ("cart.ftl", b"<#list cart as item>\n  ${item.name}\n</#list>\n", "freemarker"),
        ("cart.ftl", b"<#assign\n  total = 0\n>\n", "freemarker"),
        ("i18n/cart.ftl", b"# Shown beside the total\n\ncart-is-empty = Your cart is empty\n", "fluent"),
        ("i18n/brand.ftl", b"### Names\n-brand-name = Shop\n", "fluent"),
    ],
)
def test_language_of_a_file(path: str, head: bytes, language: str | None) -> None:
    assert detect_language(path, head) == language


@pytest.mark.parametrize("piece", [b"\n", b" \n", b"\t\r\n", b"public ", b"use a\n", b"<", b"#", b"a::"])
def test_the_language_of_a_hostile_head_is_found_in_time(piece: bytes) -> None:
    with within(2):
        for extension in {end for end, _, _ in rows(detection.__file__, "heads.tsv")}:
            detect_language(f"a{extension}", piece * (detection.HEAD_BYTES // len(piece)))


def test_no_name_means_two_languages() -> None:
    for names in ("extensions", "filenames", "interpreters"):
        counted = Counter(name for row in LANGUAGES.values() for name in getattr(row, names))
        assert [name for name, count in counted.items() if count > 1] == []


def test_first_tier_is_twenty_six_languages_with_a_query_each() -> None:
    """TypeScript and TSX are one language with two grammars."""
    assert len({row.name.replace("tsx", "typescript") for row in FIRST_TIER}) == 26
    for row in FIRST_TIER:
        assert (QUERIES / f"{row.name}.scm").is_file()
        assert row.grammar is not None and symbol_query(row.name, row.grammar).roles


def test_every_pattern_names_a_known_kind() -> None:
    kinds = "function method class struct enum interface trait impl module type const variable macro namespace package"
    for path in sorted(QUERIES.glob("*.scm")):
        for kind in re.findall(r"@definition\.(\w+)", path.read_text(encoding="utf-8")):
            assert kind in kinds.split(), f"{path.name}: {kind}"
