"""The fields of types: no definitions of the index, but what a name like `Cart.items` may refer to."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunker.api import chunk_file

FIXTURES = Path(__file__).parent / "fixtures"

# (path, code, every field with its line)
CASES: list[tuple[str, str, list[str]]] = [
    (
        "a.py",
        "class C:\n    MAX = 1\n    min_items: int = 1\n    max_items: int\n    title = CharField()\n"
        "    def __init__(self):\n        self.attempts = 0\n        self.title = local = 1\n",
        ["C.min_items 3", "C.max_items 4", "C.title 5", "C.attempts 7"],
    ),
    (
        "a.ts",
        "interface C {\n  minItems?: number;\n  run: () => void;\n}\ntype T = { pageSize: number };\nclass D {\n"
        "  count = 1;\n  static MAX_SIZE = 1;\n  constructor(private store: Store, plain: number) {\n"
        "    this.other = 1;\n  }\n}\n",
        ["C.minItems 2", "T.pageSize 5", "D.count 7", "D.store 9", "D.other 10"],
    ),
    ("a.js", "class D {\n  count = 1;\n  go() { this.other = 1; }\n}\nthis.none = 1;\n", ["D.count 2", "D.other 3"]),
    ("a.go", "package a\n\ntype C struct {\n\tMinItems, max int\n\tBase\n}\n", ["C.MinItems 4", "C.max 4"]),
    ("a.rs", "pub struct C {\n    pub min_items: usize,\n}\n", ["C.min_items 2"]),
    (
        "A.java",
        "class C {\n  private int minItems = 1, max;\n  static final int MAX = 1;\n}\nrecord P(int pageSize) {}\n",
        ["C.minItems 2", "C.max 2", "P.pageSize 5"],
    ),
    (
        "A.cs",
        "class C {\n  private int _max;\n  const int MAX = 1;\n  int Size { get; set; }\n}\nrecord P(int PageSize);\n",
        ["C._max 2", "P.PageSize 6"],
    ),
    (
        "a.c",
        "struct c {\n  int min_items, *other;\n  char b[10];\n  int (*f)(int);\n};\ntypedef struct { int size; } T;\n",
        ["c.min_items 2", "c.other 2", "c.b 3", "c.f 4", "T.size 6"],
    ),
    (
        "a.cpp",
        "class C {\n  int min_items = 1;\n  std::vector<int> *items;\n  int &ref;\n  int total() const;\n};\n",
        ["C.min_items 2", "C.items 3", "C.ref 4"],
    ),
    (
        "a.php",
        "<?php\nclass C {\n  private int $items = 1;\n  const A = 1;\n  function __construct(private $to, $x) {}\n}\n",
        ["C.items 3", "C.to 5"],
    ),
    ("a.scala", "case class C(minItems: Int) {\n  val size = 1\n}\n", ["C.minItems 1"]),
    (
        "a.rb",
        "class C < Base\n  belongs_to :shop\n  has_many :items, dependent: :destroy\n"
        "  scope :open, -> { where(open: 1) }\n  validates :name\n  attr_reader :total\n  def run\n    1\n  end\nend\n",
        ["C.shop 2", "C.items 3", "C.open 4"],
    ),
    (
        "a.ex",
        'defmodule Shop.Cart do\n  schema "carts" do\n    field :max_items, :integer\n    belongs_to(:shop, Shop)\n'
        "  end\nend\ndefmodule State do\n  defstruct [:id, :open, count: 1]\nend\n"
        "defmodule Other do\n  defstruct total: 1,\n    name: nil\nend\n",
        [
            "Shop.Cart.max_items 3",
            "Shop.Cart.shop 4",
            "State.id 8",
            "State.open 8",
            "State.count 8",
            "Other.total 11",
            "Other.name 12",
        ],
    ),
]


@pytest.mark.parametrize(("path", "code", "wanted"), CASES, ids=[path for path, _, _ in CASES])
def test_fields_that_are_no_definitions_are_listed(path: str, code: str, wanted: list[str]) -> None:
    file = chunk_file(code.encode(), path, fields=True)
    assert [f"{one.qualified} {one.line}" for one in file.fields] == wanted
    others = {one.qualified for one in (*file.definitions, *file.minor)}
    assert others.isdisjoint(one.qualified for one in file.fields)


def test_in_some_languages_all_fields_are_definitions() -> None:
    for path, code in (
        ("a.kt", "class C(val minItems: Int)\n"),
        ("a.swift", "struct C {\n  var minItems: Int\n}\n"),
        ("a.dart", "class C {\n  int minItems = 1;\n}\n"),
        ("a.rb", "class C\n  attr_reader :minItems\nend\n"),
    ):
        file = chunk_file(code.encode(), path, fields=True)
        assert [one.qualified for one in file.minor] == ["C.minItems"] and not file.fields, path


@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_with_fields_a_file_has_the_same_definitions_and_no_references(path: Path) -> None:
    data = path.read_bytes()
    file, with_fields = chunk_file(data, path.name), chunk_file(data, path.name, fields=True)
    assert with_fields.definitions == file.definitions
    assert {*with_fields.minor} >= {*file.minor}
    assert not with_fields.references
