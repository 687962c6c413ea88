"""A question about the ties of a name is answered from the code graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from context_pack import api
from context_pack.kinds.code.question_forms import _FORMS, name_of, relation_in
from context_pack.kinds.code.ties import users
from context_pack.kinds.code.ties.relation import relation
from context_pack.kinds.code.ties.usages import uses
from contracts.errors import Ambiguous, BudgetTooSmall, NotFound
from tests.clock import within

FILES = {
    "store.py": "class Store:\n    def load(self, key):\n        return key\n",
    "text.py": "def clean(key):\n    return key.strip()\n",
    "disk.py": "from store import Store\nfrom text import clean\n\n\nclass DiskStore(Store):\n"
    "    def load(self, key):\n        return open(clean(key)).read()\n",
    "shop.py": "from disk import DiskStore\nfrom text import clean\n\n\ndef show(key):\n    label = clean(key)\n"
    "    return DiskStore().load(label)\n",
    "tests/test_store.py": "from text import clean\n\n\ndef test_blanks_go():\n    assert clean(' a ') == 'a'\n",
    "words.py": "# the callers of a store, its tests, and where it is used\ndef callers():\n    return 'store'\n",
}
DISK, SHOW, TEST = "DiskStore", "show", "test_blanks_go"


@pytest.mark.parametrize(
    ("question", "first", "tied"),
    [
        ("who calls clean?", "clean", {DISK, SHOW, TEST}),
        ("callers of `clean`", "clean", {DISK, SHOW, TEST}),
        ("what breaks if I change the function clean", "clean", {DISK, SHOW, TEST}),
        ("Where is text.clean used?", "clean", {DISK, SHOW, TEST}),
        ("callers of the module `clean`", "clean", {DISK, SHOW, TEST}),
        ("who calls the clean function", "clean", {DISK, SHOW, TEST}),
        ("what uses this function clean", "clean", {DISK, SHOW, TEST}),
        ("where is the DiskStore class used?", DISK, {SHOW}),
        ("dependents of DiskStore", DISK, {SHOW}),
        ("which tests cover clean?", "clean", {TEST}),
        ("unit tests for clean()", "clean", {TEST}),
        ("subclasses of Store", "Store", {DISK}),
        ("DiskStore usages", DISK, {SHOW}),
        ("where is DiskStore instantiated?", DISK, {SHOW}),
        ("which implementations of Store are there?", "Store", {DISK}),
        ("what subclasses does Store have", "Store", {DISK}),
        ("what functions call DiskStore", DISK, {SHOW}),
        ("everything that uses DiskStore", DISK, {SHOW}),
        ("is there a test for clean", "clean", {TEST}),
        ("what does show call?", "show", {"clean", DISK}),
        ("callees of DiskStore", DISK, {"clean"}),
        ("what is called by show", "show", {"clean", DISK}),
        ("when is clean called", "clean", {DISK, SHOW, TEST}),
        ("what is calling clean", "clean", {DISK, SHOW, TEST}),
        ("how do I use DiskStore", DISK, {SHOW}),
        ("an example of using DiskStore", DISK, {SHOW}),
        ("is DiskStore used anywhere?", DISK, {SHOW}),
        ("can we safely remove DiskStore", DISK, {SHOW}),
        ("rename DiskStore to FileStore", DISK, {SHOW}),
        ("add a parameter to DiskStore", DISK, {SHOW}),
        ("classes that inherit from Store", "Store", {DISK}),
        ("all Store implementations", "Store", {DISK}),
        ("children of Store", "Store", {DISK}),
        ("base class of DiskStore", DISK, {"Store"}),
        ("what does DiskStore extend", DISK, {"Store"}),
        ("class hierarchy of DiskStore", DISK, {"Store"}),
        ("Store hierarchy", "Store", {DISK}),
        ("is clean tested", "clean", {TEST}),
        ("test cases for clean", "clean", {TEST}),
        ("tests that call clean", "clean", {TEST}),
    ],
)
def test_the_definition_comes_first_then_what_is_tied(tree: Path, question: str, first: str, tied: set[str]) -> None:
    pack = api.query(question, repo=tree, max_chars=6000)
    assert pack.items[0].symbol == first
    names = {name for item in pack.items for name in (item.symbol or "").split(", ")}
    assert tied <= names <= {first, *tied}


@pytest.mark.parametrize("question", ["is show tested", "children of clean"])
def test_a_plain_word_without_such_ties_is_none(tree: Path, question: str) -> None:
    (tree / "tests/test_show.md").write_text("How the show is tested by hand.\n")
    answer = api.open(tree).query(question)
    assert not any("The code graph has no" in hint.text for hint in answer.hints)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("where is class Store defined?", "Store"),
        ("class DiskStore", "DiskStore"),
        ("DiskStore implementation", "DiskStore"),
        ("where is DiskStore", "DiskStore"),
        ("where does DiskStore live?", "DiskStore"),
        ("members of DiskStore", "DiskStore"),
        ("what methods does DiskStore have", "DiskStore"),
        ("what happens in DiskStore.load", "DiskStore.load"),
        ("what does DiskStore.load return", "DiskStore.load"),
        ("show me the code of `clean`", "clean"),
        ("def show", "show"),
        ("from disk import DiskStore", "DiskStore"),
        ("import { DiskStore } from './disk'", "DiskStore"),
        ("use disk::DiskStore;", "disk::DiskStore"),
        ("use text::clean;", "text::clean"),
        ("class DiskStore method load", "DiskStore.load"),
        ("the load method of DiskStore", "DiskStore.load"),
        ("DiskStore load", "DiskStore.load"),
        ("what does clean do?", "clean"),
        ("how does show work", "show"),
        ("how is clean implemented?", "clean"),
        ("explain the DiskStore", "DiskStore"),
        ("clean function", "clean"),
        ("what is a store?", "Store"),
        ("what are stores?", "Store"),
        ("method load in class DiskStore", "DiskStore.load"),
        ("all places where key.strip is called", "key.strip"),
        ("find usages of key.strip", "key.strip"),
    ],
)
def test_a_name_with_words_around_it_is_asked_for(tree: Path, question: str, name: str) -> None:
    session = api.open(tree)
    assert name_of(session.corpus, question, session.settings) == name
    pack = session.query(question).data
    assert (pack.query, pack.items) == (question, session.query(name).data.items)


def test_a_task_is_shown_where_data_declares_it(tree: Path) -> None:
    (tree / "package.json").write_text('{\n  "name": "shop",\n  "scripts": {"check:prices": "node check.js"}\n}\n')
    (tree / "ci.yml").write_text("jobs:\n  - run: npm ci\n  - run: npm run check:prices\n")
    for question in ("npm run check:prices", "check:prices", "yarn check:prices"):
        assert api.query(question, repo=tree).items[0].file == "package.json"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("SHELF_LIMIT setting", "SHELF_LIMIT"),
        ("the environment variable SHELF_LIMIT", "SHELF_LIMIT"),
        ("what does SHELF_LIMIT mean?", "SHELF_LIMIT"),
        ("/shelves/full route", "/shelves/full"),
        ("bundle exec rake shelf:fill", "shelf:fill"),
        ("python manage.py fill_shelf", "fill_shelf"),
    ],
)
def test_a_key_with_its_kind_or_its_command_is_asked_for(tree: Path, question: str, name: str) -> None:
    full = "@app.get('/shelves/full')\ndef full(shelf):\n    return len(shelf) > os.environ['SHELF_LIMIT']\n"
    (tree / "shelf.py").write_text(f"import os\n\nCOMMANDS = ['shelf:fill', 'fill_shelf']\n\n\n{full}")
    (tree / "README.md").write_text("# Shelves\n\n## SHELF_LIMIT\n\nWhat fits on a shelf. Run `rake shelf:fill`.\n")
    session = api.open(tree)
    assert name_of(session.corpus, question, session.settings) == name
    pack = session.query(question).data
    assert (pack.query, pack.items) == (question, session.query(name).data.items)
    assert pack.items[0].file == "shelf.py"


def test_a_misspelt_name_is_replaced_by_the_nearest_one(tree: Path) -> None:
    parse = "def parse_query(text):\n    return text\n\n\n"
    (tree / "web.py").write_text(f"{parse}def get(url):\n    return parse_query(url)\n")
    answer = api.open(tree).query("who calls parse_qery?")
    assert answer.data.items == api.query("who calls parse_query?", repo=tree).items
    texts = [hint.text for hint in answer.hints]
    assert "Nothing is named parse_qery here: showing parse_query, the nearest name." in texts


def test_a_name_of_many_definitions_that_only_code_spells_so_means_all_of_them(tree: Path) -> None:
    types = "".join(f"class Cart{n}:\n    def clean_up(self): ...\n\n    def close(self): ...\n\n\n" for n in range(8))
    (tree / "carts.py").write_text(types)
    for n in range(8):
        use = f"from carts import Cart{n}\n\n\ndef use_{n}(cart: Cart{n}):\n    cart.clean_up()\n    cart.close()\n"
        (tree / f"use{n}.py").write_text(use)
    session = api.open(tree)
    users = [item.symbol for item in session.query("who calls clean_up?").data.items if item.relationship]
    assert sorted(users) == [f"use_{n}" for n in range(8)]
    items = session.query("who calls close?").data.items  # a word
    assert not any("called_by" in item.relationship for item in items[:1])


def test_a_name_from_elsewhere_is_not_misspelt(tree: Path) -> None:
    (tree / "web.py").write_text("import lib\n\n\ndef parse_query(text):\n    return lib.parse_queries(text)\n")
    texts = [hint.text for hint in api.open(tree).query("tests for parse_queries").hints]
    assert not any("nearest" in text for text in texts)


IMPLICIT = {
    "forge/forge.go": "package forge\n\ntype Forge interface {\n\tName() string\n"
    "\tLogin(ctx Context, user string) error\n}\n",
    "model/forge.go": "package model\n\ntype Forge struct {\n\tid int\n\turl string\n\tname string\n\tkind string\n}\n",
    "forge/tea/tea.go": "package tea\n\ntype client struct {\n\turl string\n}\n",
    "forge/tea/calls.go": 'package tea\n\nfunc (c *client) Name() string {\n\treturn "tea"\n}\n\n'
    "func (c *client) Login(ctx Context, name string) error {\n\treturn nil\n}\n",
    "forge/hub/hub.go": 'package hub\n\ntype Hub struct{}\n\nfunc (h Hub) Name() string {\n\treturn "hub"\n}\n\n'
    "func (h Hub) Login(\n\tctx Context,\n\tuser string,\n) error {\n\treturn nil\n}\n",
    "forge/rpc/server.go": 'package rpc\n\ntype Server struct{}\n\nfunc (s *Server) Name() string {\n\treturn ""\n}\n\n'
    "func (s *Server) Login(args []byte) error {\n\treturn nil\n}\n",  # another method of that name
    "forge/half.go": 'package forge\n\ntype half struct{}\n\nfunc (h half) Name() string {\n\treturn "half"\n}\n',
    "text/reader.py": "class Reader(Protocol):\n    def read(self, path: str) -> bytes: ...\n\n"
    "    def close(self): ...\n",
    "text/zip.py": "class ZipReader:\n    def read(self, path, level=1):\n        return b''\n\n    def close(self):\n"
    "        pass\n",
    "forge/option.go": "package forge\n\ntype Option interface {\n\tapply(o *options)\n}\n",
    "forge/size.go": "package forge\n\ntype sizeOption int\n\nfunc (s sizeOption) apply(o *options) {\n"
    "\to.size = int(s)\n}\n",
    "forge/call.go": "package forge\n\ntype callOption int\n\nfunc (c callOption) apply(o *calls) {\n"
    "\to.size = int(c)\n}\n",
    "forge/hub/option.go": "package hub\n\ntype lineOption int\n\nfunc (l lineOption) apply(o *options) {\n"
    "\to.line = int(l)\n}\n",  # no other package can define a hidden method
    "text/any.py": "class AnyReader:\n    def read(self, *names):\n        return b''\n\n    def close(self):\n"
    "        pass\n",
    "text/pipe.py": "class Pipe:\n    def read(self):\n        return b''\n\n    def close(self):\n        pass\n",
}


@pytest.mark.parametrize(
    ("name", "base", "types"),
    [
        ("Forge", "forge/forge.go", {"client", "Hub"}),
        ("Reader", "text/reader.py", {"ZipReader"}),
        ("Option", "forge/option.go", {"sizeOption"}),
    ],
)
def test_a_type_implements_an_interface_that_it_does_not_name_by_defining_its_methods(
    name: str, base: str, types: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    for path, text in IMPLICIT.items():
        (tmp_path / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / path).write_text(text, encoding="utf-8")
    pack = api.query(f"who implements {name}?", repo=tmp_path / "tree", max_chars=6000)
    assert pack.items[0].file == base
    tied = [item for item in pack.items if item.relationship == ("implemented_by",)]
    assert {item.symbol for item in tied} == types
    related = api.related(f"{base}:{1 if name == 'Reader' else 3}", repo=tmp_path / "tree")
    assert {one.symbol for one in related.hits if one.relationship == ("implemented_by",)} == types


def test_a_type_that_only_names_an_interface_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`struct{ value interface{} }` and `asyncio.Protocol`: what has the same methods implements neither."""
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    files = {
        "box/box.go": "package box\n\ntype Box struct{ value interface{} }\n\nfunc (b *Box) Open() {\n\tshut()\n}\n",
        "box/door.go": "package box\n\ntype Door struct {\n\twood int\n}\n\nfunc (d *Door) Open() {\n\tlift()\n}\n",
        "net/echo.py": "class Echo(asyncio.Protocol):\n    def data_received(self, data):\n        send(data)\n",
        "net/quiet.py": "class Quiet:\n    def data_received(self, data):\n        pass\n",
    }
    for path, text in files.items():
        (tmp_path / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / path).write_text(text, encoding="utf-8")
    for place in ("box/box.go:3", "net/echo.py:1"):
        related = api.related(place, repo=tmp_path / "tree")
        assert not [one for one in related.hits if one.relationship == ("implemented_by",)]


def test_what_implements_an_interface_breaks_if_nothing_else_names_it(tree: Path) -> None:
    (tree / "room.ts").write_text(
        "export interface RoomProxy {\n  id: string\n}\n\nexport class Invited implements RoomProxy {\n  id = 'a'\n}\n"
    )
    answer = api.open(tree).query("what breaks if I change RoomProxy")
    assert [item.symbol for item in answer.data.items] == ["RoomProxy, Invited"]
    assert not any("no such relation" in hint.text for hint in answer.hints)


def test_tests_inside_the_file_that_they_test_are_tests(tree: Path) -> None:
    (tree / "src").mkdir()
    (tree / "src/host.rs").write_text(
        "pub fn host_of(url: &str) -> &str {\n    url\n}\n\npub fn open(url: &str) {\n    host_of(url);\n}\n\n"
        "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn short_hosts() {\n"
        '        assert_eq!(host_of("a"), "a");\n    }\n}\n'
    )
    pack = api.query("tests for host_of", repo=tree)
    assert [item.symbol for item in pack.items] == ["host_of", "tests.short_hosts"]


def test_words_that_name_nothing_stay_words(tree: Path) -> None:
    (tree / "host.py").write_text("HOST = 'GitHub'\n\n\ndef login(host=GitHub):\n    return GitHub.login(host)\n")
    (tree / "tests/helper.py").write_text("class Helper:\n    pass\n\n\ndef size():\n    return 1\n")
    for name in "abcdef":
        (tree / f"{name}.py").write_text(f"class State:\n    {name} = 1\n\n\ndef start():\n    return {name!r}\n")
    session = api.open(tree)
    for text in (
        "who calls the clean?",
        "tests for the type clean",
        "what uses the component show.",
        "parent of clean",
        "consumers of clean",
    ):
        assert relation_in(session.corpus, text)[0] == ""
    for text in (
        "where is the type clean defined",
        "class of service",
        "the definition of done",
        "key definition",
        "def of it",
        "where is a key kept",
        "read-only setting",
        "make it",
        "make clean",  # which no Makefile declares
        "Store users",
        "use Store",
        "GitHub users",
        "what is GitHub",
        "what is clean",  # no type
        "how does key work",  # no routine
        "what is a helper",  # a type of tests
        "what is a state",  # one of too many
        "how does start work",
        "Tests size",  # no type
        "Store key",
        "DiskStore config",  # asks for more than the type
        "missing_one setting",
    ):
        assert name_of(session.corpus, text, session.settings) == text


def test_every_form_is_a_pattern() -> None:
    """They are compiled when a text needs them."""
    assert len([form.fullmatch("Cart") for _, _, form in _FORMS]) > 50


def test_a_small_budget_goes_to_tied_places(tree: Path) -> None:
    steps = "".join(f"    def step_{number}(self):\n        return {number}\n" for number in range(99))
    (tree / "store.py").write_text(f"class Store:\n{steps}", encoding="utf-8")
    pack = api.query("subclasses of Store", repo=tree, max_chars=1500)
    assert [item.role for item in pack.items] == ["primary", "related"]


@pytest.mark.parametrize(
    "question", ["who calls clear?", "where is clean", "who calls the store to load a key", "callers of it"]
)
def test_other_questions_are_no_questions_about_a_name(tree: Path, question: str) -> None:
    session = api.open(tree)
    assert relation(session.corpus, question, session.settings) is None


def test_an_answer_without_ties_says_so(tree: Path) -> None:
    hints = api.open(tree).query("who calls show?").hints
    assert any("no such relation for show" in hint.text for hint in hints)


@pytest.mark.parametrize(
    ("question", "unknown"),
    [("subclasses of DiskStore", "no implementation or subclass of"), ("tests for DiskStore", "no test for")],
)
def test_without_ties_the_definition_is_shown(tree: Path, question: str, unknown: str) -> None:
    (tree / "words.py").write_text("# the subclasses of a store, of a disk; tests for a disk store\ndef words(): ...\n")
    answer = api.open(tree).query(question)
    assert answer.data.items[0].symbol == "DiskStore"
    assert any(f"{unknown} DiskStore" in hint.text for hint in answer.hints)


@pytest.mark.parametrize(
    "question", ["who calls can_flag?", "who calls can_flag??", "callers of `can_flag?`", "where is can_flag? called"]
)
def test_a_question_mark_may_be_part_of_the_name(tree: Path, question: str) -> None:
    (tree / "flag.rb").write_text("class User\n  def can_flag?(story)\n    story.new?\n  end\nend\n")
    (tree / "vote.rb").write_text(
        "require_relative 'flag'\n\nclass Vote\n  def down(story)\n    User.new.can_flag?(story)\n  end\nend\n"
    )
    assert [item.file for item in api.query(question, repo=tree).items] == ["flag.rb", "vote.rb"]


def test_who_uses_a_constant_is_answered_from_the_text(tree: Path) -> None:
    (tree / "limits.py").write_text("MAX_ROUNDS = 3\n\n\ndef rounds_of(text):\n    return text.count(';')\n")
    lines = "".join(f"    rounds.append({number})  # a round of the game\n" for number in range(40))
    (tree / "game.py").write_text(
        f"import limits\n\n\ndef play(rounds):\n{lines}    return rounds[: limits.MAX_ROUNDS]\n"
    )
    answer = api.open(tree).query("who uses MAX_ROUNDS?", max_chars=1200)
    assert [item.file for item in answer.data.items][:2] == ["limits.py", "game.py"]
    assert "limits.MAX_ROUNDS]" in answer.data.items[1].content
    assert answer.data.query == "who uses MAX_ROUNDS?"
    assert any("no such relation for MAX_ROUNDS; these places" in hint.text for hint in answer.hints)


def test_a_long_caller_is_shown_around_its_call_and_code_comes_before_tests(tree: Path) -> None:
    steps = "".join(
        f"    step_{number} = prepare({number}, 'a long line that fills the budget')\n" for number in range(80)
    )
    (tree / "long.py").write_text(f"from text import clean\n\n\ndef run(key):\n{steps}    value = clean(key)\n{steps}")
    pack = api.query("callers of clean", repo=tree, max_chars=2500)
    names = [item.symbol for item in pack.items]
    long = next(item for item in pack.items if item.symbol == "run")
    assert "value = clean(key)" in long.content
    assert names.index("run") < names.index(TEST)
    assert pack.budget.used_chars <= 2500


def test_code_that_may_call_a_method_comes_before_hundreds_of_tests_that_do(tree: Path) -> None:
    cases = "".join(
        f"def test_{number}():\n    cart = Cart()\n    assert cart.add({number})\n\n\n" for number in range(500)
    )
    for name, text in {
        "cart.py": "class Cart:\n    def add(self, item):\n        return item\n",
        "desk.py": "class Desk:\n    def pay(self, cart):\n        return cart.add(self)\n",
        "tests/test_cart.py": f"from cart import Cart\n\n\n{cases}",
    }.items():
        (tree / name).write_text(text, encoding="utf-8")
    items = api.query("who calls Cart.add", repo=tree, max_chars=2000, explain=True).items
    assert [item.symbol for item in items[:2]] == ["Cart", "Desk"] and len(items) > 2
    for item in items[1:]:
        points = sum(why.points for why in item.why if why.name != "merged")
        assert points == pytest.approx(item.score, abs=1e-3)
        assert item.score <= items[1].score
    assert "behind_code" in {why.name for why in items[2].why}


def test_without_tests_in_the_graph_tests_with_the_words_follow_the_definition(tree: Path) -> None:
    (tree / "folders.py").write_text("def rescan(folders):\n    return folders\n", encoding="utf-8")
    (tree / "rescan_notes.py").write_text("# tests for a rescan of all\ndef both(): ...\n", encoding="utf-8")
    (tree / "tests/test_cli.py").write_text("def test_it():\n    run('a rescan')\n    assert all\n", encoding="utf-8")
    answer = api.open(tree).query("tests for rescan")
    assert [item.file for item in answer.data.items][:2] == ["folders.py", "tests/test_cli.py"]
    assert any("no test for rescan" in hint.text for hint in answer.hints)


@pytest.mark.parametrize("question", ["who calls clean?", "tests for Store", "what does show call?"])
def test_the_smallest_budget_that_an_error_names_is_enough(tree: Path, question: str) -> None:
    for max_chars in range(100, 400, 20):
        try:
            api.query(question, repo=tree, max_chars=max_chars)
        except BudgetTooSmall as error:
            assert api.query(question, repo=tree, max_chars=error.details["smallest"]).items


@pytest.mark.parametrize("limit", [{"max_chars": 200}, {"max_tokens": 9}])
def test_a_small_item_after_the_lines_that_are_asked_for_makes_no_budget_possible(
    tree: Path, limit: dict[str, int]
) -> None:
    use = "setTheLayoutOfThisFragmentToTheOneThatIsNamedHere(inflater, R.layout.search, container, false, theme);"
    for name, text in {
        "app/src/main/res/layout/search.xml": "<LinearLayout>\n" + "  <TextView />\n" * 90 + "</LinearLayout>\n",
        "app/src/main/java/Search.java": f"class Search {{\n  void show() {{\n    {use}\n  }}\n}}\n",
        "search.py": "def search():\n    return 1\n",
    }.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    with pytest.raises(BudgetTooSmall) as refusal:
        api.query("R.layout.search", repo=tree, **limit)
    enough = {name: refusal.value.details["smallest"] for name in limit}
    assert api.query("R.layout.search", repo=tree, **enough).items


def test_a_head_of_a_class_that_is_not_shown_hides_no_smaller_item(tree: Path) -> None:
    name = "SigningKeyOfTheServerThatSignsEveryTokenOfEveryUserAndOfEveryClient"
    load = "        $this->loadFromTheDiskOfTheServer(static::class, 'a long text that takes room');\n"
    members = "".join(f"    public function part{n}(): string\n    {{\n{load}    }}\n\n" for n in range(40))
    constructor = f"    public function __construct(string $place)\n    {{\n{load * 6}    }}\n\n"
    head = f"<?php\n\nclass {name}\n{{\n    /**\n     * @var PublicKey\n     */\n    protected $key;\n\n"
    (tree / "Key.php").write_text(f"{head}{constructor}{members}}}\n")
    (tree / "Use.php").write_text(f"<?php\nfunction f() {{ new {name}(); }}\n")
    with pytest.raises(BudgetTooSmall) as refusal:
        api.query(name, repo=tree, max_chars=100, fit="whole")
    assert api.query(name, repo=tree, max_chars=refusal.value.details["smallest"], fit="whole").items


def test_who_calls_another_member_of_the_same_chunk_is_no_caller(tree: Path) -> None:
    (tree / "Tasks.cs").write_text("public interface ITasks\n{\n    void Clean();\n    void Scan();\n}\n")
    for name, called in (("Night", "Scan"), ("Day", "Clean")):
        (tree / f"{name}.cs").write_text(
            f"public class {name}\n{{\n    private readonly ITasks _tasks;\n\n"
            f"    public void Run()\n    {{\n        _tasks.{called}();\n    }}\n}}\n"
        )
    files = [item.file for item in api.query("who calls ITasks.Clean", repo=tree).items]
    assert files == ["Tasks.cs", "Day.cs"]


def test_callers_are_shown_at_the_line_of_the_call(tree: Path) -> None:
    steps = "".join(f"            step_{number} = 'who calls it, callers of many {number}'\n" for number in range(12))
    for number in range(4):
        (tree / f"night_{number}.py").write_text(
            f"from text import clean\n\n\ndef night_{number}(keys):\n    for key in keys:\n        if key:\n{steps * 4}"
            f"            return clean(key)\n{steps * 3}"
        )
    items = api.query("who calls clean?", repo=tree, max_chars=1800).items
    callers = [item for item in items if item.file.startswith("night")]
    assert callers and all("return clean(key)" in item.content for item in callers)


def test_members_that_share_a_chunk_name_it_and_a_line_means_its_member(tree: Path) -> None:
    members = "".join(
        f"    void {name}();\n" for name in ("Clean", "Scan", "Stop", "Start", *(f"Op{n}" for n in range(99)))
    )
    (tree / "Tasks.cs").write_text(f"public interface ITasks\n{{\n{members}}}\n")
    for name, called in (("Night", "Scan"), ("Day", "Clean")):
        (tree / f"{name}.cs").write_text(
            f"public class {name}\n{{\n    private readonly ITasks _tasks;\n\n"
            f"    public void Run()\n    {{\n        _tasks.{called}();\n    }}\n}}\n"
        )
    item = api.query("Tasks.cs:3", repo=tree, max_chars=1000).items[0]
    assert (item.symbol or "").startswith("ITasks.Clean, ITasks.Scan, ITasks.Stop and")
    for line, user in ((3, "Day.cs"), (4, "Night.cs")):
        ties = api.related(f"Tasks.cs:{line}", repo=tree)
        assert [hit.file for hit in ties.hits if hit.relationship == ("called_by",)] == [user]
        assert (ties.of[0].symbol or "").startswith("ITasks.Clean, ITasks.Scan, ITasks.Stop and")


def test_the_names_of_joined_groups_are_counted_once(tree: Path) -> None:
    groups = ("".join(f"{name}_{n} = {n}\n" for n in range(5)) for name in ("LEAST", "MOST"))
    (tree / "limits.py").write_text("\n\n".join(groups))
    (item,) = api.query("limits.py", repo=tree, related=0).items
    assert item.symbol == "LEAST_0, LEAST_1, LEAST_2 and 7 more"


def test_who_asks_about_a_type_does_not_mean_a_field_of_its_name(tree: Path) -> None:
    (tree / "Limit.cs").write_text("public class Limit\n{\n    public bool Allows() => true;\n}\n")
    (tree / "Sync.cs").write_text("public class Sync\n{\n    public const int Limit = 3;\n}\n")
    test = "    [Fact]\n    public void Allowed()\n    {\n        new Limit().Allows();\n    }\n"
    (tree / "tests" / "LimitTests.cs").write_text(f"public class LimitTests\n{{\n{test}}}\n")
    files = [item.file for item in api.query("which tests cover Limit", repo=tree).items]
    assert files == ["Limit.cs", "tests/LimitTests.cs"]


def test_one_tied_place_has_the_room_of_all(tree: Path) -> None:
    steps = "".join(f"    value_{number} = prepare({number})\n" for number in range(150))
    test = "".join(f"    check({number}, 'as it was before')\n" for number in range(40))
    (tree / "path.py").write_text(f"def trace(key):\n{steps}    return key\n")
    (tree / "tests" / "test_path.py").write_text(f"from path import trace\n\n\ndef test_trace():\n    trace(1)\n{test}")
    assert "check(39" in api.query("which tests cover trace", repo=tree, max_chars=3000).items[-1].content


def test_a_class_of_tests_is_outlined_not_dropped_as_an_opening_line(tree: Path) -> None:
    (tree / "Cart.cs").write_text("public class Cart\n{\n    public int Total() => 1;\n}\n")
    test = "    [Fact]\n    public void Total_{n}()\n    {{\n        Assert.Equal(1, _cart.Total());\n    }}\n\n"
    body = "".join(test.format(n=n) for n in range(80))
    (tree / "tests" / "CartTests.cs").write_text(
        f"public class CartTests\n{{\n    private readonly Cart _cart = new Cart();\n\n{body}}}\n"
    )
    pack = api.query("tests for Cart", repo=tree, max_chars=4000)
    tests = next(item for item in pack.items if item.symbol == "CartTests")
    assert tests.role == "related"
    assert "Total_1" in tests.content


def test_users_of_a_field_are_found_however_many_places_have_its_name_or_that_of_its_type(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(users, "MAX_READ", 3)
    (tree / "cart.py").write_text("class Cart:\n    item_total: int = 1\n    rate_rare: int = 2\n")
    (tree / "other.py").write_text("class Other:\n    item_total: int = 1\n    rate_rare: int = 2\n")
    for n in range(9):
        (tree / f"a{n}.py").write_text(f"def a{n}(other):\n    return other.item_total\n")
        (tree / f"b{n}.py").write_text(f"class B{n}:\n    many: Other\n")
    (tree / "z.py").write_text("def z(cart: Cart):\n    return cart.item_total\n")
    (tree / "y.py").write_text("def y(other: Other):\n    return other.rate_rare\n")
    for place, user in (("cart.py:2", "z.py"), ("other.py:3", "y.py")):
        hits = api.related(place, repo=tree).hits
        assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == [user]


def test_users_of_another_member_in_the_same_chunk_are_not_tied(tree: Path) -> None:
    (tree / "bin.py").write_text("class Bin:\n    def restore(self, one):\n        return one\n\n"
                                 "    def destroy(self, one):\n        return None\n")  # fmt: skip
    (tree / "web.py").write_text("from bin import Bin\n\n\ndef undo(one):\n    return Bin().restore(one)\n")
    (tree / "cron.py").write_text("from bin import Bin\n\n\ndef purge(one):\n    return Bin().destroy(one)\n")
    for member, user in (("restore", "undo"), ("destroy", "purge")):
        ties = api.related(f"Bin.{member}", repo=tree).hits
        assert [hit.symbol for hit in ties if hit.relationship == ("called_by",)] == [user], ties


def test_a_name_behind_its_file_is_found_in_one_of_several_repositories(tree: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "text.py").write_text("def clean(key):\n    return key\n\n\ndef wash(key):\n    return clean(key)\n")
    hits = api.open([tree, other]).related("other/text.py:clean").data.hits
    assert [hit.symbol for hit in hits if hit.relationship == ("called_by",)] == ["wash"]


def test_the_row_of_several_values_leads_to_what_reads_each(tree: Path) -> None:
    text = "MAX_ROUNDS = 3\nMIN_ROUNDS = 1\n\n\ndef fits(rounds):\n    return rounds < MAX_ROUNDS\n\n\n"
    (tree / "limits.py").write_text(text + "def few(rounds):\n    return rounds < MIN_ROUNDS\n")
    hits = api.related("limits.py:1-2  const MAX_ROUNDS, MIN_ROUNDS", repo=tree).hits
    assert {name for hit in hits if hit.relationship == ("used_by",) for name in (hit.symbol or "").split(", ")} == {
        "few",
        "fits",
    }


@pytest.mark.parametrize("target", ["MAX_ROUNDS", "clean"])
def test_namesakes_are_looked_up_and_not_searched_for(tree: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """A search compares all names of a tree: 0.2 s with 200,000 of them."""
    (tree / "limits.py").write_text("MAX_ROUNDS = 3\n\n\ndef fits(rounds):\n    return rounds < MAX_ROUNDS\n")
    session = api.open(tree)

    def search(*_: object) -> None:
        raise AssertionError("all names are compared")

    monkeypatch.setattr("index.search.names.matching_symbols", search)
    assert [hit.symbol for hit in session.related(target).data.hits if hit.relationship[0].endswith("_by")]


@pytest.mark.parametrize("target", ["MAX_ITEMS", "limits.py:4", "Limits.MIN_ITEMS", "limits.py:9", "limits.py:15"])
def test_a_value_is_related_to_the_code_that_reads_it(tree: Path, target: str) -> None:
    (tree / "limits.py").write_text(
        '"""Limits."""\n\n\nMAX_ITEMS = 5\n\n\nclass Limits:\n    NAME = "limits"\n    MIN_ITEMS = 1\n\n'
        "    def all(self):\n        return []\n\nRATES_BY_DAY = {\n    'mon': 1,\n}\n",
        encoding="utf-8",
    )
    names = {"MAX_ITEMS": "fits", "limits.py:4": "fits", "limits.py:15": "rate"}
    (tree / "cart.py").write_text(
        "import limits\n\n\ndef fits(cart):\n    return len(cart) < limits.MAX_ITEMS\n\n\n"
        "def is_empty(cart):\n    return len(cart) < limits.Limits.MIN_ITEMS\n\n\n"
        "def rate(day):\n    return limits.RATES_BY_DAY[day]\n",
        encoding="utf-8",
    )
    hits = api.related(target, repo=tree).hits
    users = [hit.symbol for hit in hits if hit.relationship == ("used_by",)]
    assert users == [names.get(target, "is_empty")]
    assert not any(hit.relationship == ("used_by",) for hit in api.related(target, repo=tree, edges=["calls"]).hits)


def test_a_procedure_is_related_to_the_code_that_names_it(tree: Path) -> None:
    procedure = "CREATE PROCEDURE [dbo].[Cart_Read] @Id INT\nAS\n    EXEC [dbo].[Line_Read] @Id\n"
    (tree / "Cart_Read.sql").write_text(procedure, encoding="utf-8")
    (tree / "old.sql").write_text(procedure.replace("Line", "Row"), encoding="utf-8")
    (tree / "store.py").write_text("def read(run):\n    return run('[dbo].[Cart_Read]')\n", encoding="utf-8")
    hits = api.related("Cart_Read.sql:Cart_Read", repo=tree).hits
    assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == ["store.py"]


SCHEMA = {
    "cart.proto": "service CartService {\n  rpc PayCart(PayRequest) returns (Cart);\n}\n\n"
    "message PayRequest {\n  string coupon_code = 1;\n}\n",
    "gen/cart_pb.ts": "// @generated by protoc-gen-es\n/* eslint-disable */\nexport const service = { payCart: 1 };\n",
    "server/cart.go": "package server\n\nfunc (s *Shop) PayCart(code string) {\n\ts.pay(code)\n}\n",
    "web/cart.ts": "export function checkOut(code: string) {\n  return client.payCart({ couponCode: code });\n}\n",
    "web/cart.test.ts": "test('pays', () => client.payCart({}));\n",
}


@pytest.mark.parametrize("target", ["cart.proto:2", "CartService.PayCart"])
def test_a_name_of_a_schema_is_related_to_code_in_any_case_and_to_generated_code_last(tree: Path, target: str) -> None:
    for name, text in SCHEMA.items():
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(text)
    hits = api.related(target, repo=tree).hits
    users = [hit.file for hit in hits if hit.relationship == ("used_by",)]
    assert users == ["server/cart.go", "web/cart.ts", "web/cart.test.ts", "gen/cart_pb.ts"]


def test_what_is_no_symbol_but_a_text_of_the_code_is_asked_for(tree: Path) -> None:
    (tree / "urls.py").write_text("urls = [path('pay/', show, name='cart-pay')]\n")
    with pytest.raises(NotFound) as raised:
        api.related("cart-pay", repo=tree)
    assert raised.value.details == {"nearest": [], "question": "cart-pay"}


def test_a_field_of_a_message_is_related_to_the_code_that_reads_it(tree: Path) -> None:
    for name, text in SCHEMA.items():
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(text)
    hits = api.related("PayRequest.coupon_code", repo=tree).hits
    assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == ["web/cart.ts"]


def test_a_package_is_related_to_what_it_offers(tree: Path) -> None:
    package = tree / "cart"
    package.mkdir()
    (package / "price.py").write_text("def gross(net):\n    return net * 2\n", encoding="utf-8")
    text = 'from .price import gross\n\n__all__ = [\n    "gross",\n    "missing",\n]\n'
    (package / "__init__.py").write_text(text, encoding="utf-8")
    (hit,) = (hit for hit in api.related("cart/__init__.py", repo=tree).hits if hit.relationship == ("uses",))
    assert hit.symbol == "gross"
    users = [hit.file for hit in api.related("gross", repo=tree).hits if hit.relationship == ("used_by",)]
    assert users == ["cart/__init__.py"]


MODELS = (
    "from dataclasses import dataclass\n\n\n@dataclass\nclass Account:\n    login_attempts: int = 0\n"
    "    total: float = 0.0\n\n\nclass Basket:\n    def __init__(self):\n        self.items = []\n"
)
WEB = (
    "from models import Account, Basket\n\n\ndef is_locked(account: Account):\n    return account.login_attempts > 3"
    "\n\n\ndef worth(account):\n    return account.total\n\n\ndef count(basket: Basket):\n    total = len(basket.items)"
    "\n    return total\n"
)


@pytest.fixture
def models(tree: Path) -> Path:
    (tree / "models.py").write_text(MODELS)
    (tree / "web.py").write_text(WEB.replace("\n\n\n", "\n" + "    # of an account or a basket\n" * 30 + "\n"))
    (tree / "plot.py").write_text("def axis(plot):\n    return plot.total + plot.items\n")
    return tree


@pytest.mark.parametrize(
    ("target", "reader"),
    [
        ("Account.login_attempts", "is_locked"),
        ("login_attempts", "is_locked"),
        ("models.py:Account.login_attempts", "is_locked"),
        ("models.py:6", "is_locked"),
        ("Account.total", "worth"),
        ("Basket.items", "count"),
        ("items", "count"),
    ],
)
def test_a_field_is_related_to_the_code_that_reads_it(models: Path, target: str, reader: str) -> None:
    """`total` is a word of prose and `plot.total` belongs to another type: its readers name the type."""
    related = api.related(target, repo=models)
    assert [place.file for place in related.of] == ["models.py"]
    users = [hit for hit in related.hits if hit.relationship == ("used_by",)]
    assert [(hit.file, hit.symbol) for hit in users] == [("web.py", reader)]


INJECTED = {
    "IMail.cs": "namespace Shop;\n\npublic interface IMail\n{\n    void SendNow(string text);\n}\n",
    "Mail.cs": "namespace Shop;\n\npublic class Mail : IMail\n{\n    public void SendNow(string text)\n    {\n"
    "        Log(text);\n    }\n}\n",
    "Page.cs": "namespace Shop;\n\npublic class Page\n{\n    private readonly IMail _mail;\n\n"
    '    public void Order()\n    {\n        _mail.SendNow("thanks");\n    }\n}\n',
    "tests/MailTests.cs": "namespace Shop.Tests;\n\npublic class MailTests\n{\n    [Fact]\n    public void Sends()\n"
    '    {\n        Fixture<Mail>.Sut.SendNow("x");\n    }\n}\n',
}


CALLERS = ["Mail.cs", "IMail.cs", "Page.cs", "tests/MailTests.cs"]


@pytest.mark.parametrize(
    ("question", "files"),
    [
        ("who calls Mail.SendNow?", CALLERS),
        ("what breaks if I change Mail.SendNow?", CALLERS),
        ("what will be affected if we rename Mail.SendNow?", CALLERS),
        ("impact of renaming Mail.SendNow", CALLERS),
        ("tests for Mail.SendNow", ["Mail.cs", "tests/MailTests.cs"]),
    ],
)
def test_code_that_calls_the_interface_calls_what_implements_it(tree: Path, question: str, files: list[str]) -> None:
    for name, text in INJECTED.items():
        (tree / name).write_text(text)
    assert [item.file for item in api.query(question, repo=tree).items] == files


def test_a_call_of_super_in_a_sibling_is_no_call(tree: Path) -> None:
    (tree / "form.py").write_text("class Form:\n    def clean_all(self):\n        return []\n")
    for name in ("Login", "Order"):
        (tree / f"{name}.py").write_text(
            f"from form import Form\n\n\nclass {name}(Form):\n    def clean_all(self):\n"
            f"        return [*super().clean_all(), '{name}']\n"
        )
    (tree / "send.py").write_text("from form import Form\n\n\ndef send(form: Form):\n    return form.clean_all()\n")
    files = [item.file for item in api.query("who calls Order.clean_all", repo=tree).items]
    assert files == ["Order.py", "form.py", "send.py"]


@pytest.fixture
def shapes(tmp_path: Path) -> Path:
    """Twenty types override a method, some of which call that of their base; one place calls it without saying more."""
    (tmp_path / "Shape.java").write_text("class Shape {\n    int cornerCount() {\n        return 0;\n    }\n}\n")
    for number in range(20):
        (tmp_path / f"Shape{number}.java").write_text(
            f"class Shape{number} extends Shape {{\n    @Override\n    int cornerCount() {{\n"
            f"        return super.cornerCount() + {number};\n    }}\n}}\n"
        )
    (tmp_path / "Painter.java").write_text(
        "class Painter {\n    Shape[] shapes;\n\n    int paint(int at) {\n"
        "        return pick(at).cornerCount();\n    }\n}\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("who calls cornerCount", ["Shape", "Painter"]),
        ("who calls Shape.cornerCount", ["Shape", "Painter"]),
        ("callers Shape3.cornerCount", ["Shape3", "Shape", "Painter"]),
    ],
)
def test_what_calls_a_method_that_many_types_define_comes_before_those_that_wrap_it(
    shapes: Path, question: str, first: list[str]
) -> None:
    names = [item.symbol for item in api.query(question, repo=shapes, max_chars=8000).items]
    assert names[: len(first)] == first


def test_who_overrides_a_method_that_many_types_define(shapes: Path) -> None:
    names = [item.symbol for item in api.query("where is cornerCount overridden", repo=shapes, max_chars=8000).items]
    assert names[0] == "Shape"
    assert len([name for name in names[1:] if name and name.startswith("Shape")]) > 9


def test_of_several_definitions_those_that_others_override_are_shown_and_those_that_wrap_another_one(
    shapes: Path,
) -> None:
    for number in range(8, 20):
        (shapes / f"Shape{number}.java").unlink()
    (shapes / "Shape1.java").write_text(
        "class Shape1 extends Shape {\n    Shape inner;\n\n    @Override\n    int cornerCount() {\n"
        "        return inner.cornerCount();\n    }\n}\n"
    )
    items = api.query("who calls cornerCount", repo=shapes, max_chars=8000).items
    assert [item.symbol for item in items if item.role == "primary"] == ["Shape"]
    assert {"Painter", "Shape1"} <= {item.symbol for item in items}


def test_calls_of_a_method_that_many_types_define_and_nothing_declares(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"kind_{number}.go").write_text(
            f"package kinds\n\ntype Kind{number} struct{{}}\n\nfunc (k Kind{number}) MarshalKind() int "
            f"{{\n\treturn {number}\n}}\n"
        )
    (tmp_path / "write.go").write_text(
        "package kinds\n\nfunc write(all []any) int {\n\treturn of(all).MarshalKind()\n}\n"
    )
    assert api.query("who calls MarshalKind", repo=tmp_path).items[0].symbol == "write"


def test_a_method_with_the_name_of_many_is_called_where_its_type_is_named(tmp_path: Path) -> None:
    for name in ("Planner", "Shelf"):
        (tmp_path / f"{name.lower()}.py").write_text(
            f"class {name}:\n    def __init__(self):\n        self.all = []\n\n"
            "    def add(self, one):\n        self.all = [*self.all, one]\n"
        )
    (tmp_path / "work.py").write_text(
        "from planner import Planner\n\nSEEN = set()\n\n\ndef seen(task):\n    SEEN.add(task)\n\n\n"
        "def plan(shop, task):\n    shop.planner.add(task)\n\n\nclass Late(Planner):\n    def __init__(self):\n"
        "        super().__init__()\n"
    )
    items = api.query("who calls Planner.add", repo=tmp_path).items
    assert [item.symbol for item in items if item.role == "related"] == ["plan"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (
            "late.php",
            "<?php\nclass Late extends Plan\n{\n  function startAll()\n  {\n    parent::startAll();\n  }\n}\n",
        ),
        ("late.py", "class Late(Plan):\n    def startAll(self):\n        super().startAll()\n"),
    ],
)
def test_what_calls_the_method_of_its_base_is_no_caller_of_others(tree: Path, file: str, text: str) -> None:
    (tree / file).write_text(text)
    assert uses(api.open(tree).corpus, "startAll", "called") == {}


def test_a_sibling_that_wraps_another_calls_it(tree: Path) -> None:
    (tree / "form.py").write_text("class Form:\n    def clean_all(self):\n        return []\n")
    (tree / "order.py").write_text(
        "from form import Form\n\n\nclass Order(Form):\n    def clean_all(self):\n        return ['order']\n"
    )
    (tree / "wrap.py").write_text(
        "from form import Form\n\n\nclass Wrapper(Form):\n    def __init__(self, parent: Form):\n"
        "        self.parent = parent\n\n    def clean_all(self):\n        return self.parent.clean_all()\n"
    )
    files = [item.file for item in api.query("who calls Order.clean_all", repo=tree).items]
    assert files == ["order.py", "form.py", "wrap.py"]


@pytest.mark.parametrize("question", ["who calls Store.__init__", "tests for Store.__init__"])
def test_code_that_calls_a_type_calls_its_constructor(tree: Path, question: str) -> None:
    (tree / "base.py").write_text("class Base:\n    def __init__(self, path):\n        self.path = path\n")
    body = "    def __init__(self, path):\n        super().__init__(path)\n        self.open = path is not None\n"
    for name in ("Store", "Queue"):
        (tree / f"{name.lower()}.py").write_text(f"from base import Base\n\n\nclass {name}(Base):\n{body}")
    (tree / "tests").mkdir(exist_ok=True)
    (tree / "tests/test_store.py").write_text(
        "from store import Store\n\n\ndef test_open():\n    store = Store('a')\n    assert store.open\n\n\n"
        "def name(store: Store) -> str:\n    return 'a'\n"
    )
    items = api.query(question, repo=tree).items
    assert [(item.file, item.symbol) for item in items][-1] == ("tests/test_store.py", "test_open")
    assert {item.file for item in items} == {"store.py", "tests/test_store.py"}


def test_code_that_registers_a_type_comes_for_callers_of_its_constructor(tree: Path) -> None:
    (tree / "Mailer.cs").write_text(
        "namespace Shop;\n\npublic class Mailer\n{\n    public Mailer(string host)\n    {\n    }\n}\n"
    )
    (tree / "Services.cs").write_text(
        "namespace Shop;\n\npublic class Services\n{\n    public void Register(IServices services)\n    {\n"
        "        services.AddSingleton<Mailer>();\n    }\n}\n"
    )
    items = api.query("who calls Mailer.Mailer", repo=tree).items
    assert [item.file for item in items] == ["Mailer.cs", "Services.cs"]


@pytest.mark.parametrize("question", ["who uses Account.total", "what would break if we removed Account.total?"])
def test_who_uses_a_field_is_answered_with_what_reads_it(models: Path, question: str) -> None:
    answer = api.open(models).query(question)
    assert [(item.file, item.symbol) for item in answer.data.items][1:] == [("web.py", "worth")]
    assert not any("code graph" in hint.text for hint in answer.hints)


@pytest.mark.parametrize(
    ("target", "nearest"),
    [
        ("login_atemps", ["login_attempts"]),
        ("Account.login_atemps", ["Account.login_attempts"]),
        ("Basket.itms", ["Basket.items"]),
        ("Basket.login_attempts", ["Basket"]),
        ("itms", []),  # a plain word is near too many others
    ],
)
def test_a_misspelt_field_means_the_nearest_one(models: Path, target: str, nearest: list[str]) -> None:
    with pytest.raises(NotFound) as error:
        api.related(target, repo=models)
    assert error.value.details["nearest"] == nearest


def test_a_field_of_several_types_needs_its_type(models: Path) -> None:
    (models / "orders.py").write_text("class Order:\n    login_attempts: int = 0\n")
    with pytest.raises(Ambiguous, match="login_attempts is defined in 2 places"):
        api.related("login_attempts", repo=models)
    for number in range(12):
        (models / f"order{number}.py").write_text(f"class Order{number}:\n    late_orders: int = 0\n")
    with pytest.raises(Ambiguous, match="late_orders is defined in at least 10 places"):
        api.related("late_orders", repo=models)
    related = api.open([models]).related("Order.login_attempts").data
    assert [place.file for place in related.of] == ["orders.py"]
    assert not any(hit.relationship == ("used_by",) for hit in related.hits), "web.py reads that of Account"


def test_a_field_that_nothing_reads_has_the_ties_of_its_type(models: Path) -> None:
    (models / "base.py").write_text("class Base:\n    name: str\n\n\nclass Owner(Base):\n    pass\n")
    hits = api.related("base.py:2", repo=models).hits
    assert [hit.symbol for hit in hits if hit.relationship == ("extended_by",)] == ["Owner"]


@pytest.mark.parametrize("target", ["Post.parcelArrived", "Post.h:4", "Post.sort"])
def test_a_method_that_is_only_declared_is_related_to_the_code_that_names_it(tree: Path, target: str) -> None:
    (tree / "Post.h").write_text(
        "class Post : public QObject {\npublic:\nsignals:\n    void parcelArrived(int count);\npublic:\n"
        "    virtual void sort(int count) = 0;\n};\n"
    )
    (tree / "Post.cpp").write_text('#include "Post.h"\n\nvoid Post::open()\n{\n    emit parcelArrived(2);\n}\n')
    (tree / "Hall.cpp").write_text(
        '#include "Post.h"\n\nvoid Hall::wire(Post* post)\n{\n'
        "    connect(post, &Post::parcelArrived, this, &Hall::ring);\n    post->sort(1);\n}\n"
    )
    hits = api.related(target, repo=tree).hits  # a method that is `= 0` has callers, like one with a body
    users = [hit.symbol for hit in hits if hit.relationship in [("used_by",), ("called_by",)]]
    assert users[:2] == (["Hall.wire"] if target == "Post.sort" else ["Hall.wire", "Post.open"])


def test_a_declared_virtual_method_is_related_to_those_that_override_it(tree: Path) -> None:
    (tree / "Post.h").write_text("class Post {\npublic:\n    virtual void sort(int count);\n};\n")
    for name, base in (("Town", "Post"), ("Port", "Town"), ("Card", "Deck")):
        (tree / f"{name}.h").write_text(
            f'#include "{base}.h"\nclass {name} : public {base} {{\n    void sort(int count);\n}};\n'
        )
        (tree / f"{name}.cpp").write_text(f'#include "{name}.h"\nvoid {name}::sort(int count)\n{{\n    count++;\n}}\n')

    def overriders(**options: Any) -> list[str | None]:
        hits = api.related("Post.sort", repo=tree, **options).hits
        return sorted(hit.symbol for hit in hits if hit.relationship == ("overridden_by",))

    assert overriders() == overriders(edges="overrides") == ["Port.sort", "Town.sort"]
    assert overriders(include="Town.*") == ["Town.sort"]
    assert overriders(edges="uses") == []


def test_the_users_of_a_member_are_found_among_hundreds_of_texts_with_its_name(tree: Path) -> None:
    (tree / "Post.h").write_text("class Post {\npublic:\n    virtual void sort(int count);\n};\n")
    (tree / "texts").mkdir()
    for number in range(500):
        (tree / "texts" / f"{number}.txt").write_text(f"To sort {number} letters, a Post needs a day.\n")
    (tree / "zoo.cpp").write_text('#include "Post.h"\nvoid Zoo::open(Post* post)\n{\n    post->sort(1);\n}\n')
    hits = api.related("Post.sort", repo=tree).hits
    assert [hit.symbol for hit in hits if hit.relationship == ("used_by",)] == ["Zoo.open"]


def test_a_declared_method_that_is_defined_elsewhere_has_the_callers_of_its_definition(tree: Path) -> None:
    (tree / "Post.h").write_text("class Post {\npublic:\n    int sortParcels(int count);\n};\n")
    (tree / "Post.cpp").write_text('#include "Post.h"\n\nint Post::sortParcels(int count)\n{\n    return count;\n}\n')
    hits = api.related("Post.h:3", repo=tree).hits
    assert not [hit for hit in hits if hit.relationship == ("used_by",)]


def test_readers_that_name_the_type_of_a_field_come_first(tree: Path) -> None:
    (tree / "models.py").write_text("class Factor:\n    kind: int = 0\n\n\nclass Device:\n    kind: int = 0\n")
    others = "".join(f"def push_{number}(device):\n    return device.kind\n\n\n" for number in range(20))
    (tree / "api.py").write_text(
        f"from models import Factor\n\n\n{others}def check(one: Factor):\n    return one.kind\n"
    )
    hits = api.related("Factor.kind", repo=tree).hits
    assert next(hit.symbol for hit in hits if hit.relationship == ("used_by",)).endswith("check")


def test_a_file_with_a_value_of_the_same_name_does_not_read_the_other(tree: Path) -> None:
    for name, call in (("Parser", ""), ("Worker", "new Parser().run(); ")):
        (tree / f"{name}.java").write_text(
            f'class {name} {{\n    private static final String TAG = "{name}";\n\n'
            f"    void run() {{\n        {call}Log.d(TAG);\n    }}\n}}\n"
        )
    (tree / "Tags.java").write_text("class Tags {\n    String of() {\n        return Parser.TAG;\n    }\n}\n")
    users = {hit.file for hit in api.related("Parser.java:2", repo=tree).hits if "used_by" in hit.relationship}
    assert "Tags.java" in users and "Worker.java" not in users


def test_fields_rank_nothing(models: Path) -> None:
    pack = api.query("login_attempts", repo=models)
    assert "is_locked" in (pack.items[0].symbol or "")
    assert api.symbols("login_attempts", repo=models).symbols == ()


SETTINGS = {
    "roles/node/defaults/main.yml": "---\npods_subnet: 10.2.0.0/16\n# pods_subnet: fd00::/8\nother: 1\n",
    "roles/node/templates/kubelet.conf.j2": "subnet = {{ pods_subnet }}\n",
    "roles/node/tasks/main.yml": "- name: Check\n  assert:\n    that: pods_subnet is defined\n",
    "inventory/local.yml": "pods_subnet: 10.3.0.0/16\n",
    "scripts/subnet.py": "def subnet(settings):\n    return settings['pods_subnet']\n",
}


@pytest.mark.parametrize("target", ["roles/node/defaults/main.yml:2", "main.yml:pods_subnet"])
def test_a_key_of_data_is_related_to_all_that_uses_it(tree: Path, target: str) -> None:
    for path, text in SETTINGS.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    related = api.related(target, repo=tree)
    assert [place.file for place in related.of] == ["roles/node/defaults/main.yml"]
    users = [hit.file for hit in related.hits if hit.relationship == ("used_by",)]
    assert users == ["roles/node/templates/kubelet.conf.j2", "scripts/subnet.py", "roles/node/tasks/main.yml"]
    with pytest.raises(NotFound) as error:
        api.related("pods_subnt", repo=tree)
    assert error.value.details["nearest"] == ["pods_subnet"]


@pytest.mark.parametrize("target", ["app.properties:1", "server.port", "app.properties:server.port"])
def test_a_key_with_dots_is_related_to_the_code_that_reads_it(target: str, tree: Path) -> None:
    (tree / "app.properties").write_text("server.port=80\n")
    (tree / "App.java").write_text('class App {\n    @Value("${server.port}")\n    int port;\n}\n')
    hits = api.related(target, repo=tree).hits
    assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == ["App.java"]


def test_a_key_of_the_environment_is_related_to_scripts_that_expand_it(tree: Path) -> None:
    (tree / ".env").write_text("SHOP_PORT=80\n")
    (tree / "run.sh").write_text("#!/bin/sh\nserve --port $SHOP_PORT\n")
    hits = api.related(".env:1", repo=tree).hits
    assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == ["run.sh"]


def test_the_keys_of_a_format_have_no_users(tree: Path) -> None:
    for number in range(8):
        (tree / f"job{number}.yml").write_text("apiVersion: v1\nspec: 1\n")
    (tree / "deploy.py").write_text("def version(job):\n    return job['apiVersion']\n")
    assert not any(hit.relationship == ("used_by",) for hit in api.related("job3.yml:1", repo=tree).hits)


CHARTS = {
    "charts/shop/values.yaml": "image:\n  tag: 1\nresources:\n  limits:\n    cpu: 2\nserver:\n  enabled: true\n",
    "charts/shop/templates/pod.yaml": "image: {{ .Values.image.tag }}\nresources: {{ toYaml .Values.resources }}\n",
    "charts/shop/ci/small-values.yaml": "resources:\n  limits:\n    cpu: 1\n",
    "charts/mail/values.yaml": "image:\n  tag: 2\n",
    "charts/mail/templates/pod.yaml": "image: {{ .Values.image.tag }}\n",
}


def test_a_value_of_helm_is_related_to_the_templates_of_its_chart(tree: Path) -> None:
    for path, text in CHARTS.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    for target, user in {
        "charts/shop/values.yaml:2": "charts/shop/templates/pod.yaml",
        "charts/mail/values.yaml:2": "charts/mail/templates/pod.yaml",
        "charts/shop/values.yaml:5": "charts/shop/templates/pod.yaml",  # read as a whole
        ".Values.resources.limits.cpu": "charts/shop/templates/pod.yaml",
        "resources.limits.cpu": "charts/shop/templates/pod.yaml",
    }.items():
        hits = api.related(target, repo=tree).hits
        assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == [user], target
    hits = api.related("charts/shop/values.yaml:7", repo=tree).hits
    assert not any(hit.relationship == ("used_by",) for hit in hits)
    with pytest.raises(Ambiguous):
        api.related("image.tag", repo=tree)
    hits = api.related("charts/mail/templates/pod.yaml:1", repo=tree).hits
    assert [hit.file for hit in hits if hit.relationship == ("uses",)] == ["charts/mail/values.yaml"]
    items = api.query(".Values.resources.limits", repo=tree).items
    assert items[0].file == "charts/shop/values.yaml"


def test_a_value_of_one_of_many_charts_is_related_to_its_own_templates(tree: Path) -> None:
    for at in range(450):
        (tree / f"charts/c{at}/templates").mkdir(parents=True)
        (tree / f"charts/c{at}/values.yaml").write_text("image:\n  tag: 1\n")
        (tree / f"charts/c{at}/templates/pod.yaml").write_text("image: {{ .Values.image.tag }}\n" * 20)
    for at in range(60):
        (tree / f"data{at}.yaml").write_text("a:\n  b:\n" + "".join(f"    t{at}: {at}\n" for at in range(2_000)))
    labels = "".join(f'x{at}: {{{{ include "a.b.t{at}" . }}}}\n' for at in range(200))
    (tree / "charts/c99/templates/labels.yaml").write_text(labels)
    with within(5):
        hits = api.related("charts/c99/values.yaml:2", repo=tree).hits
        assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == ["charts/c99/templates/pod.yaml"]
        api.related("charts/c99/templates/pod.yaml", repo=tree)
        api.related("charts/c99/templates/labels.yaml", repo=tree)


def test_a_named_template_is_related_to_what_includes_it(tree: Path) -> None:
    (tree / "templates").mkdir()
    (tree / "templates/_helpers.tpl").write_text('{{- define "my-shop.labels" -}}\napp: shop\n{{- end }}\n')
    (tree / "templates/pod.yaml").write_text('kind: Pod\nlabels: {{ include "my-shop.labels" . }}\n')
    for target in ("my-shop.labels", "templates/_helpers.tpl:1"):
        hits = api.related(target, repo=tree).hits
        assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == ["templates/pod.yaml"]
    hits = api.related("templates/pod.yaml:2", repo=tree).hits
    assert [hit.file for hit in hits if hit.relationship == ("uses",)] == ["templates/_helpers.tpl"]
    for query in ("my-shop.labels", "where is my-shop.labels used"):
        items = api.query(query, repo=tree).items
        assert [item.file for item in items][:2] == ["templates/_helpers.tpl", "templates/pod.yaml"]


def test_a_key_below_others_is_related_to_the_code_that_reads_its_path(tree: Path) -> None:
    (tree / "shop.conf").write_text("shop.web {\n  cookie {\n    name = a\n  }\n}\n")
    (tree / "Cookie.scala").write_text("package web\n\nclass Cookie {\n  def name = 1\n}\n")
    (tree / "Web.scala").write_text('class Web {\n  def show(c: Config) = c.get("shop.web").get("cookie.name")\n}\n')
    (tree / "README.md").write_text("# Settings\n\nSet `shop.web.cookie.name`.\n")
    (tree / "test").mkdir()
    (tree / "test/WebTest.scala").write_text('class WebTest {\n  def test = show("shop.web.cookie.name")\n}\n')
    for target in ("shop.web.cookie.name", "shop.conf:3"):
        related = api.related(target, repo=tree)
        assert [place.file for place in related.of] == ["shop.conf"]
        assert [hit.file for hit in related.hits if hit.relationship == ("used_by",)] == [
            "Web.scala",
            "test/WebTest.scala",
        ]
    items = api.query("shop.web.cookie.name", repo=tree).items
    assert [item.file for item in items][:2] == ["Web.scala", "shop.conf"]


NAMED_FILES = {
    "roles/etcd/tasks/main.yml": "- include_tasks: join.yml\n- template:\n    src: etcd.env.j2\n",
    "roles/etcd/tasks/join.yml": "- name: Join\n  command: etcdctl member add\n",
    "roles/node/tasks/join.yml": "- name: Join a node\n  command: kubeadm join\n",
    "roles/proxy/tasks/join.yml": "- name: Join a proxy\n  command: proxy join\n",
    "roles/etcd/templates/etcd.env.j2": "NAME={{ name }}\n",
    "ci.yml": "steps:\n  - run: ./tools/release --now && python tools/notes.py\n",
    "tools/release": "#!/bin/bash\nset -e\ntools/notes.py\n",
    "tools/notes.py": "def notes():\n    return 1\n",
    "docs/notes.md": "# Notes\n\nSee tools/notes.py and release.\n",
    "more/notes.py": "# like notes.py\ndef more():\n    return 2\n",
}


@pytest.mark.parametrize(
    ("file", "users"),
    [
        ("roles/etcd/tasks/join.yml", ["roles/etcd/tasks/main.yml"]),
        ("roles/node/tasks/join.yml", []),
        ("roles/etcd/templates/etcd.env.j2", ["roles/etcd/tasks/main.yml"]),
        ("tools/release", ["ci.yml"]),
        ("tools/notes.py", ["ci.yml", "tools/release"]),
        ("more/notes.py", []),
    ],
)
def test_a_file_is_related_to_what_names_it(tmp_path: Path, file: str, users: list[str]) -> None:
    for path, text in NAMED_FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    related = api.related(file, repo=tmp_path)
    assert [hit.file for hit in related.hits if hit.relationship == ("used_by",)] == users
    several = api.open([tmp_path]).related(f"{tmp_path.name}/{file}").data
    assert len([hit for hit in several.hits if hit.relationship == ("used_by",)]) == len(users)


def test_a_layout_is_related_to_the_code_that_shows_it(tree: Path) -> None:
    layout, land = tree / "res/layout/cart_view.xml", tree / "res/layout-land/cart_view.xml"
    for path in (layout, land):
        path.parent.mkdir(parents=True)
        path.write_text('<Layout>\n  <Text android:id="@+id/total" />\n</Layout>\n')
    (tree / "Cart.java").write_text("class Cart {\n  void show() { setContentView(R.layout.cart_view); }\n}\n")
    (tree / "Bar.kt").write_text("class Bar(val binding: CartViewBinding)\n")
    hits = api.related("res/layout/cart_view.xml", repo=tree).hits
    assert {hit.file for hit in hits if hit.relationship == ("used_by",)} == {"Cart.java", "Bar.kt"}


def test_a_function_that_nothing_calls_is_related_to_the_code_that_contains_its_name(tree: Path) -> None:
    (tree / "tags.py").write_text("@register.filter\ndef cart_total(cart):\n    return sum(cart)\n")
    (tree / "hooks.toml").write_text('filters = ["cart_total"]\n')
    for name in ("bar", "view"):
        (tree / f"{name}.py").write_text(
            f"class {name.title()}(Widget):\n    def on_show(self):\n        self.{name}()\n"
        )
    hits = api.related("tags.py:2", repo=tree).hits
    assert [hit.file for hit in hits if hit.relationship == ("used_by",)] == ["hooks.toml"]
    assert not [hit for hit in api.related("Bar.on_show", repo=tree).hits if hit.relationship == ("used_by",)]


def test_a_type_that_a_macro_defines_is_related_to_the_code_that_contains_its_name(tree: Path) -> None:
    (tree / "kind.rs").write_text(
        "#[derive(EnumDiscriminants)]\n#[strum_discriminants(name(CartKind))]\npub enum Cart {\n  Full,\n}\n\n"
        "impl CartKind {\n  pub fn is_full(self) -> bool {\n    true\n  }\n}\n"
    )
    (tree / "shop.rs").write_text("pub fn pay(kind: CartKind) -> bool {\n  kind == CartKind::Full\n}\n")
    hits = api.related("CartKind", repo=tree).hits
    users = [(hit.file, hit.symbol) for hit in hits if hit.relationship == ("used_by",)]
    assert users == [("kind.rs", "Cart"), ("shop.rs", "pay")]
    items = api.query("where is CartKind used", repo=tree).items
    assert ("shop.rs", "pay") in {(item.file, item.symbol) for item in items}


def test_what_is_tied_to_a_name_comes_before_code_that_only_shares_a_word_with_it(tmp_path: Path) -> None:
    texts = "".join(f"def common_text_{at}():\n    return {at}\n\n\n" for at in range(40))
    (tmp_path / "texts.py").write_text(texts)
    (tmp_path / "empty.py").write_text(
        "from lines import pull\n\n\ndef common_no_results():\n    return pull('none')\n"
    )
    (tmp_path / "lines.py").write_text("def pull(key):\n    return TABLE[key]\n")
    items = api.open(tmp_path).query("common_no_results", max_chars=600).data.items
    assert [item.symbol for item in items if item.file != "texts.py"] == ["common_no_results", "pull"]


def test_the_parts_of_a_test_that_do_not_repeat_the_name_are_shown_with_those_that_do(tmp_path: Path) -> None:
    steps = "".join(
        f"  it('weighs box {at}', async () => {{\n    assert.equal(await this.scale.weigh({at}), {at});\n"
        + "    // the box is put on the scale and taken off again\n" * 5
        + "  });\n\n"
        for at in range(60)
    )
    files = {
        "BoxScale.sol": "contract BoxScale {\n    function weigh(uint a) public {\n        a;\n    }\n}\n",
        "test/BoxScale.test.js": f"describe('BoxScale', () => {{\n{steps}}});\n",
        "test/Box.test.js": steps.replace("scale", "box"),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    items = api.open(tmp_path).query("tests for BoxScale", max_chars=8000).data.items
    shown = "".join(item.content for item in items if item.file == "test/BoxScale.test.js")
    assert shown.count(".weigh(") > 4 and not any("Box.test" in item.file for item in items)


def test_a_pattern_below_the_root_of_several_repositories_keeps_what_a_name_leads_to(tmp_path: Path) -> None:
    texts = {
        "shop/limits.yaml": "shop:\n  maxBoxesShown: 5\n",
        "shop/src/page.py": "def page(limits):\n    return limits['maxBoxesShown']\n",
        "other/src/a.py": "def unrelated():\n    return 1\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    session = api.open([tmp_path / "shop", tmp_path / "other"], index_dir=tmp_path / "home")
    for glob in ("/src", "shop/src"):
        hits = session.related("shop/limits.yaml:2", include=glob).data.hits
        assert [(hit.file, hit.relationship) for hit in hits] == [("shop/src/page.py", ("used_by",))], glob


def test_a_pack_for_a_name_shows_its_users_and_callees_before_code_that_shares_a_word_with_it(tmp_path: Path) -> None:
    """A caller is cut around the call. A long function has several chunks, and calls from each of them. A stand-in in
    tests takes what is left."""
    steps = "\n".join(f"    total_{step} = order.amount_{step} + {step}" for step in range(60))
    lines = "\n".join(f"    order.line_{line} = {line}" for line in range(60))
    files = {
        "orders.py": f"from taxes import add_taxes\n\n\ndef settle_order(order):\n{steps}\n    add_taxes(order)\n",
        "taxes.py": "def add_taxes(order):\n    order.taxes = 7\n",
        "desk.py": f"from orders import settle_order\n\n\ndef close(order):\n{lines}\n    settle_order(order)\n{lines}",
        "tests/test_orders.py": "from orders import settle_order\n\n\ndef test_it(order):\n    settle_order(order)\n",
        "tests/fakes.py": f"def settle_order(order):\n{lines}\n{lines}\n",
    }
    other = "def settle_{n}_order(order):\n    " + "order = settle(order)\n    " * 12 + "return order\n"
    files |= {f"settle_order_{n}.py": other.format(n=n) for n in range(9)}
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    pack = api.query("settle_order", repo=tmp_path / "tree", max_chars=4000, index_dir=tmp_path / "index")
    shown = [item.symbol for item in pack.items]
    assert shown[0] == "settle_order"
    assert {"close", "add_taxes"} <= set(shown), shown
    (caller,) = (item for item in pack.items if item.symbol == "close")
    assert "    settle_order(order)\n" in caller.content
    assert caller.elided


def test_of_a_class_in_one_chunk_the_users_of_the_method_that_is_asked_for_come_first(tmp_path: Path) -> None:
    caller = "from drawers import Drawer\n\n\ndef {name}(drawer):\n    {call}\n" + "    drawer.coins += 1\n" * 40
    files = {
        "drawers.py": "class Drawer:\n    def open_drawer(self): ...\n\n    def lock_drawer(self): ...\n",
        **{f"day{n}.py": caller.format(name=f"day{n}", call="Drawer().open_drawer()") for n in range(6)},
        "night.py": caller.format(name="night", call="Drawer().lock_drawer()"),
        **{f"lock_drawer_{n}.py": f"def lock_drawer_{n}(lock):\n" + "    lock.drawer()\n" * 20 for n in range(9)},
    }
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    pack = api.query("Drawer.lock_drawer", repo=tmp_path / "tree", max_chars=1500, index_dir=tmp_path / "index")
    assert [item.symbol for item in pack.items if item.relationship] == ["night"]


def test_copies_of_a_user_of_the_name_that_is_asked_for_are_shown_once(tmp_path: Path) -> None:
    steps = "".join(f"    till.step_{number}()\n" for number in range(12))
    caller = f"from core import lock_till\n\n\ndef close(till):\n{steps}    lock_till(till)\n"
    for name, text in {"core": "def lock_till(till):\n    pass\n", **dict.fromkeys("abcde", caller)}.items():
        (tmp_path / f"{name}.py").write_text(text)
    pack = api.query("lock_till", repo=tmp_path, max_chars=1200, index_dir=tmp_path / ".index")
    assert [(item.symbol, len(item.alike)) for item in pack.items] == [("lock_till", 0), ("close", 4)]


GO_STORE = {
    "api.go": "package shop\n\ntype Shelf interface {\n\tLoadCart(id string) (string, error)\n}\n",
    "memory.go": "package shop\n\ntype Memory struct{}\n\n"
    "func (m *Memory) LoadCart(id string) (string, error) {\n\treturn id, nil\n}\n",
    "disk.go": "package shop\n\ntype Disk struct{}\n\n"
    'func (d *Disk) LoadCart(id string) (string, error) {\n\treturn "", nil\n}\n',
    "pay.go": "package shop\n\ntype Desk struct{ shelf Shelf }\n\n"
    "func (d *Desk) Pay(id string) {\n\td.shelf.LoadCart(id)\n}\n",
    "note.go": 'package shop\n\n// Note says what LoadCart does.\nfunc Note() string {\n\treturn "note"\n}\n',
    "memory_test.go": 'package shop\n\nimport "testing"\n\n'
    'func TestLoad(t *testing.T) {\n\tm := &Memory{}\n\tm.LoadCart("1")\n}\n',
}
TS_STORE = {
    "api.ts": "export interface Shelf {\n  loadCart(id: string): string;\n}\n",
    "memory.ts": "import { Shelf } from './api';\n\nexport class Memory implements Shelf {\n"
    "  loadCart(id: string): string {\n    return id;\n  }\n}\n",
    "disk.ts": "import { Shelf } from './api';\n\nexport class Disk implements Shelf {\n"
    "  loadCart(id: string): string {\n    return 'disk';\n  }\n}\n",
    "pay.ts": "import { Shelf } from './api';\n\nexport function pay(shelf: Shelf, id: string) {\n"
    "  return shelf.loadCart(id);\n}\n",
    "note.ts": "/** Says what loadCart does. */\nexport function note() {\n  return 'note';\n}\n",
    "memory.test.ts": "import { Memory } from './memory';\n\ntest('loads', () => {\n"
    "  new Memory().loadCart('1');\n});\n",
}


@pytest.mark.parametrize(
    ("files", "question", "callers"),
    [
        (GO_STORE, "who calls Memory.LoadCart", ["pay.go", "memory_test.go"]),
        (TS_STORE, "who calls Memory.loadCart", ["pay.ts", "memory.test.ts"]),
    ],
)
def test_callers_by_an_interface_come_before_tests_of_the_type(
    tree: Path, files: dict[str, str], question: str, callers: list[str]
) -> None:
    for name, text in files.items():
        (tree / name).write_text(text)
    assert [item.file for item in api.query(question, repo=tree).items if item.role == "related"] == callers


def test_a_call_on_another_type_is_no_call_of_the_interface(tree: Path) -> None:
    other = "package shop\n\ntype Truck struct{}\n\nfunc (t Truck) LoadCart(id string, more int) {}\n\n"
    drive = 'func drive(t Truck) {\n\tt.LoadCart("1", 2)\n}\n'
    for name, text in {**GO_STORE, "truck.go": other + drive}.items():
        (tree / name).write_text(text)
    files = [item.file for item in api.query("who calls Memory.LoadCart", repo=tree).items]
    assert files == ["memory.go", "pay.go", "memory_test.go"]


def test_a_method_that_many_interfaces_declare_takes_no_time(tree: Path) -> None:
    """To read the definitions of the name again for each interface takes quadratic time."""
    for number in range(200):
        (tree / f"part{number}.ts").write_text(
            f"export interface Part{number} {{\n  renderItem(id: string): string;\n}}\n\n"
            f"export class Item{number} implements Part{number} {{\n  renderItem(id: string): string {{\n"
            f"    return id;\n  }}\n}}\n"
        )
        (tree / f"use{number}.ts").write_text(
            f"import {{ Part{number} }} from './part{number}';\n\n"
            f"export function use{number}(part: Part{number}) {{\n  return part.renderItem('x');\n}}\n"
        )
    api.query("Item1", repo=tree)  # builds the index
    with within(5):
        pack = api.query("who calls Item7.renderItem", repo=tree)
    assert next(item.symbol for item in pack.items if item.role == "related") == "use7"


def test_code_is_parsed_for_the_callers_of_a_declaration_only_if_there_are_calls(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "mark.ts": "export function addMark() {\n    return 1;\n}\n",
        "types.ts": "export interface Marks {\n    addMark(): number;\n}\n",
        "page.ts": "import { addMark } from './mark';\n\nexport function page() {\n    return addMark();\n}\n",
    }
    for name, text in files.items():
        (tree / name).write_text(text)
    session = api.open(tree)
    session.query("page")
    parsed = list[object]()
    monkeypatch.setattr("chunker.api.chunk_file", lambda *args, **_: parsed.append(args))
    users = [item.symbol for item in session.query("who calls addMark?").data.items if item.relationship]
    assert (users, parsed) == (["page"], [])


def test_a_call_with_a_text_comes_before_other_calls_of_its_function(tree: Path) -> None:
    """Also if the graph knows no call of the function, so that all code with its name counts."""
    (tree / "Fail.pm").write_text("package Fail;\n\nsub fail_with {\n    die $_[0];\n}\n\n1;\n")
    for number in range(6):
        steps = "".join(f"    step({step}, {number});\n" for step in range(10))
        (tree / f"Run{number}.pm").write_text(f"sub run_{number} {{\n{steps}    fail_with('tag_{number}');\n}}\n1;\n")
    pack = api.query("fail_with('tag_4')", repo=tree, max_chars=1500)
    assert [item.symbol for item in pack.items[:2]] == ["run_4", "Fail.fail_with"]
    assert "fail_with('tag_4')" in pack.items[0].content


def test_subtypes_and_bases_in_code_come_before_those_in_tests(tree: Path) -> None:
    (tree / "tests/test_subclasses.py").write_text(
        "from store import Store\n\n\nclass StoreSubclasses(Store):\n    pass\n\n\n"
        "class StoreHierarchy(Store):\n    pass\n"
    )
    session = api.open(tree)
    for question in ("subclasses of Store", "Store hierarchy"):
        related = [item for item in session.query(question, max_chars=8_000).data.items if item.role == "related"]
        assert [item.file for item in related] == ["disk.py", "tests/test_subclasses.py"]
