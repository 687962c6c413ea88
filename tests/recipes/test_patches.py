"""Packs for patches and for staged changes: from a real git repository, and from hostile strangers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from recipe_shell import ctxpack
from shop_project import CART, PRICES, commit, git, symbols, write

from chunker.languages.detection import detect_language
from context_pack.core.text import lines_naming, whole_word
from context_pack.io import patches
from context_pack.io.changes import changes
from context_pack.kinds.code.change import removed
from context_pack.session import Session
from contracts.errors import InvalidRequest
from contracts.records import as_data
from index.types import ChunkRow
from tests.clock import within

TAXED = PRICES.replace("def gross(net):\n    return net * TAX", "def gross(net, tax=TAX):\n    return net * tax")
STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


def difference(root: Path, *arguments: str) -> str:
    return git(root, "diff", *arguments) + "\n"


def test_removed_lines_are_shown_at_their_place(shop: Path, packed: Any, conforms: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * (1 + TAX)"))
    item = packed(shop, fit="whole").data.items[0]
    assert [as_data(hunk) for hunk in item.hunks] == [{"line": 5, "old": "    return net * TAX"}]
    conforms(as_data(packed(shop).data), "context_pack")
    for form, printed in (
        ("md", b"```diff\n@@ before line 5 @@\n-    return net * TAX\n```\n"),
        ("text", b"\n-    return net * TAX\n"),
    ):
        run = ctxpack("query", "--diff", "--repo", shop, "--format", form, CTXPACK_NO_BACKGROUND="1")
        assert printed in run.out, form


def test_a_secret_in_removed_lines_is_not_shown(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("TAX = 1.19", f'TAX = 1.19\nAPI_KEY = "{STRIPE}"'))
    commit(shop, "careless")
    write(shop, "shop/prices.py", PRICES)
    answer = packed(shop)
    told = [hunk.old for item in answer.data.items for hunk in item.hunks]
    assert any("REDACTED" in text for text in told) and STRIPE not in str(as_data(answer.data))
    assert sum(answer.redactions.values()) == 1


def test_a_changed_key_that_is_a_secret_is_not_shown(shop: Path, packed: Any) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    write(shop, "shop/users.yml", f"users:\n  {key}: 3\n")
    write(shop, "shop/login.py", f"def login(users):\n    return users['{key}']\n")
    commit(shop, "users")
    write(shop, "shop/users.yml", f"users:\n  {key}: 4\n")
    items = packed(shop, explain=True).data.items
    assert [item.why[0].detail for item in items if item.file == "shop/login.py"] == ["reads [REDACTED:github_token]"]


def test_a_changed_value_of_helm_comes_first_then_the_templates_that_read_it(shop: Path, packed: Any) -> None:
    write(shop, "chart/values.yaml", "web:\n  port: 80\nmail:\n  port: 25\n")
    write(shop, "chart/templates/web.yaml", "kind: Service\nport: {{ .Values.web.port }}\n")
    write(shop, "chart/templates/mail.yaml", "kind: Service\nport: {{ .Values.mail.port }}\n")
    commit(shop, "chart")
    write(shop, "chart/values.yaml", "web:\n  port: 81\nmail:\n  port: 25\n")
    files = [item.file for item in packed(shop).data.items]
    assert files[:2] == ["chart/values.yaml", "chart/templates/web.yaml"]


def test_many_removed_keys_do_not_hide_a_removed_function(shop: Path, packed: Any) -> None:
    write(shop, "shop/users.yml", "".join(f"login_limit_{number}: 1\n" for number in range(30)))
    write(shop, "shop/zeta.py", "def zeta_total():\n    return 1\n")
    write(shop, "shop/user.py", "def user():\n    return zeta_total()\n")
    commit(shop, "users")
    (shop / "shop/users.yml").unlink()
    (shop / "shop/zeta.py").unlink()
    items = packed(shop, explain=True).data.items
    reasons = [why.detail for item in items for why in item.why if why.name == "names_removed"]
    assert reasons == ["zeta_total, removed from shop/zeta.py"]


def test_a_removed_resource_of_an_app_is_still_named(shop: Path, packed: Any) -> None:
    texts = '<resources>\n  <string name="cart_title">Cart</string>\n  <string name="sum">Sum</string>\n</resources>\n'
    write(shop, "app/src/main/res/values/strings.xml", texts)
    write(shop, "app/src/main/res/values-de/strings.xml", texts)
    write(shop, "app/src/main/java/Bar.java", "class Bar {\n  String title() { return get(R.string.cart_title); }\n}\n")
    write(shop, "app/src/main/res/layout/cart.xml", '<View android:background="?attr/cart_title"/>\n')
    write(shop, "app/src/main/java/Cart.java", "class Cart {\n  int cart_title = 3;\n}\n")
    commit(shop, "texts")
    write(shop, "app/src/main/res/values/strings.xml", texts.replace("cart_title", "title").replace("Sum", "Total"))
    answer = packed(shop)
    assert "Removed, but still named: cart_title." in [hint.text for hint in answer.hints]
    assert [item.file.rpartition("/")[2] for item in answer.data.items][:3] == ["strings.xml", "Bar.java", "cart.xml"]


def test_callers_of_a_changed_signature_come_before_all_else_that_is_tied(shop: Path, packed: Any) -> None:
    write(
        shop,
        "shop/far.py",
        "from shop.prices import gross\n\n\ndef far(order):\n"
        + "    order.check()\n" * 300
        + "    return gross(order.net)\n",
    )
    commit(shop, "far")
    write(shop, "shop/prices.py", TAXED)
    answer = packed(shop, explain=True, max_chars=4000)
    by_name = {name: item for item in answer.data.items for name in (item.symbol or "").split(", ")}
    assert by_name["gross"].why[0].detail == "modified, 2 lines, signature"
    far = by_name["far"]
    assert (far.role, far.why[0].name, far.why[0].detail) == ("primary", "signature_changed", "calls gross")
    assert "return gross(order.net)" in far.content and far.elided, "the call is shown, whatever else is cut"
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * (1 + TAX)"))
    assert "far" not in symbols(packed(shop), "primary"), "its callers have nothing to follow"


def test_code_that_names_something_removed_comes_before_what_follows_a_signature_and_comments_last(
    shop: Path, packed: Any
) -> None:
    write(shop, "shop/till.py", "from shop.prices import discount_of\n\n\ndef till(rate):\n    discount_of(rate)\n")
    write(shop, "shop/bill.py", "from shop.prices import gross\n\n\ndef bill(net):\n    return gross(net)\n")
    write(shop, "shop/note.py", '# as discount_of\n\n\ndef note(net):\n    """Unlike discount_of."""\n    return 1\n')
    commit(shop, "users")
    write(shop, "shop/prices.py", TAXED[: TAXED.index("def discount_of")])
    why = {item.file: item.why[0] for item in packed(shop, explain=True).data.items if item.role == "primary"}
    assert [why[file].name for file in ("shop/till.py", "shop/bill.py")] == ["names_removed", "signature_changed"]
    order = [file for file in why if file in ("shop/till.py", "shop/bill.py", "shop/note.py")]
    assert order == ["shop/till.py", "shop/bill.py", "shop/note.py"]


def test_a_comment_does_not_read_a_changed_value(shop: Path, packed: Any) -> None:
    write(shop, "shop/rates.py", "LOWEST_RATE = 1\n")
    write(shop, "shop/lowest.py", "from shop.rates import LOWEST_RATE\n\n\ndef lowest():\n    return LOWEST_RATE\n")
    write(shop, "shop/note.py", "def note(net):\n    # as LOWEST_RATE\n    return net\n")
    product = "def product(net):\n    return (\n        net\n        * LOWEST_RATE\n    )\n"
    write(shop, "shop/product.py", f"from shop.rates import LOWEST_RATE\n\n\n{product}")
    commit(shop, "rates")
    write(shop, "shop/rates.py", "LOWEST_RATE = 2\n")
    items = packed(shop, explain=True).data.items
    readers = {item.file for item in items if item.why[0].name == "value_changed"}
    assert readers == {"shop/lowest.py", "shop/product.py"}


@pytest.mark.parametrize(
    ("path", "text", "uses"),
    [
        ("cart.py", "net\n* RATE\n# RATE\n", {2}),
        ("cart.py", 'find("""\nselect RATE\n""")\n', {2}),
        ("cart.ts", "/* one\nRATE\n * RATE */\nRATE\n", {4}),
        ("cart.ts", "const all = 'src/*'\nRATE\n", {2}),
        ("cart.md", "* RATE\nRATE\n", {1, 2}),
        ("cart.html", "<!-- RATE\nRATE -->\n<i>RATE</i>\n", {3}),
        ("cart.sql", "-- RATE\nselect RATE\n", {2}),
    ],
)
def test_lines_of_comments(path: str, text: str, uses: set[int]) -> None:
    row = ChunkRow(0, path, detect_language(path), 1, text.count("\n"), "block", None, text)
    assert lines_naming(row, whole_word("RATE")) == tuple((line, line) for line in sorted(uses))


def test_code_that_may_call_a_changed_method_comes_before_many_tests_that_do(shop: Path, packed: Any) -> None:
    steps = "        item = self.step(item, 'one of the many steps of a cart')\n" * 30  # so that a method is a chunk
    cart = f"class Cart:\n    def add(self, item):\n{steps}        return item\n\n    def step(self, item):\n{steps}"
    write(shop, "shop/cart.py", cart)
    write(shop, "shop/desk.py", "def pay(cart):\n    return cart.add(1)\n")
    for number in range(60):
        case = f"from shop.cart import Cart\n\n\ndef test_{number}():\n    assert Cart().add({number})\n"
        write(shop, f"tests/test_cart_{number}.py", case)
    commit(shop, "cart")
    write(shop, "shop/cart.py", cart.replace("self, item", "self, item, silent"))
    items = packed(shop).data.items
    assert [item.file for item in items[:2]] == ["shop/cart.py", "shop/desk.py"]


def test_a_changed_signature_brings_the_declaration_that_it_overrides_with_its_callers(shop: Path, packed: Any) -> None:
    steps = "        net = self.step(net, 'one of the many steps of a rate')\n" * 30  # so that a method is a chunk
    rate = f"class Rate:\n    def of(self, net):\n{steps}        return net\n\n    def step(self, net):\n{steps}"
    flat = f"from shop.rate import Rate\n\n\nclass Flat(Rate):\n    def of(self, net):\n{steps}        return net\n"
    bill = "from shop.rate import Rate\n\n\ndef bill(rate: Rate, net):\n    return rate.of(net)\n"
    for name, text in (("rate", rate), ("flat", flat), ("high", flat.replace("Flat", "High")), ("bill", bill)):
        write(shop, f"shop/{name}.py", text)
    commit(shop, "rates")
    write(shop, "shop/flat.py", flat.replace("self, net", "self, net, day"))
    items = packed(shop, explain=True).data.items
    why = {item.file: item.why[0].detail for item in items if item.why[0].name == "signature_changed"}
    assert why == {"shop/rate.py": "declares of", "shop/bill.py": "calls of", "shop/high.py": "overrides of"}


def test_a_changed_value_brings_the_code_that_reads_it(shop: Path, packed: Any) -> None:
    limits = "from shop.prices import LEAST_NET\n\n\ndef is_low(order):\n    return LEAST_NET > order.net\n"
    rates = "class Rates:\n    STANDARD_RATE = 19\n    LOW_RATE = 7\n"
    bill = "from shop.rates import Rates\n\n\ndef bill(net):\n    return net * Rates.LOW_RATE\n"
    write(shop, "shop/prices.py", f"LEAST_NET = 5\n{PRICES}")
    for name, text in (("limits", limits), ("rates", rates), ("bill", bill)):
        write(shop, f"shop/{name}.py", text)
    commit(shop, "limits")
    write(shop, "shop/prices.py", f"LEAST_NET = 6\n{PRICES}")
    write(shop, "shop/rates.py", rates.replace("7", "8"))
    items = packed(shop, explain=True).data.items
    why = {item.file: item.why[0].detail for item in items if item.why[0].name == "value_changed"}
    assert why == {"shop/limits.py": "reads LEAST_NET", "shop/bill.py": "reads LOW_RATE"}
    write(shop, "shop/rates.py", rates.replace("LOW", "LEAST"))
    assert "Removed, but still named: LOW_RATE." in [hint.text for hint in packed(shop).hints]


@pytest.mark.parametrize(
    ("file", "text", "old", "name"),
    [
        ("config.yml", "timeout: 30\n", "30", "timeout"),
        ("config.yml", "carts:\n  depth: 30\n", "30", "depth"),
        ("config.yml", "carts:\n  Settings: 30\n  depth: 30\n", "30", "depth"),  # a class has the name of the other
        ("cart.properties", "shop.max_carts=30\n", "30", "shop.max_carts"),
        ("Dockerfile", "FROM python\nENV SHOP_CARTS=30\n", "30", "SHOP_CARTS"),
        ("Dockerfile", 'FROM python\nCMD ["shop", "--batch-size", "30"]\n', "30", "--batch-size"),
        ("run.sh", "export SHOP_CARTS=30\n", "30", "SHOP_CARTS"),
    ],
)
def test_a_changed_setting_brings_the_code_that_reads_it(
    shop: Path, packed: Any, file: str, text: str, old: str, name: str
) -> None:
    read = (
        "import os\n\n\nclass Settings:\n    pass\n\n\n"
        "def read(config, parser):\n    parser.add_argument('--batch-size')\n"
        "    carts = config['timeout'] + config['carts']['depth'] + config['max_carts']\n"
        "    return carts, os.environ['SHOP_CARTS']\n"
    )
    write(shop, "shop/settings.py", read)
    write(shop, file, text)
    commit(shop, "settings")
    write(shop, file, text.replace(old, "40"))
    items = packed(shop, explain=True).data.items
    readers = {item.file: item.why[0].detail for item in items if item.why[0].name == "value_changed"}
    assert readers == {"shop/settings.py": f"reads {name}"}


def test_the_settings_of_a_tool_are_no_words_of_the_code(shop: Path, packed: Any) -> None:
    write(shop, "shop/settings.py", "def read(config):\n    return config['timeout']\n")
    write(shop, ".linter.yml", "timeout: 30\n")
    commit(shop, "settings")
    write(shop, ".linter.yml", "timeout: 40\n")
    assert "shop/settings.py" not in {item.file for item in packed(shop).data.items if item.role == "primary"}


def test_a_key_that_is_a_word_of_many_places_brings_none(shop: Path, packed: Any) -> None:
    for number in range(8):
        write(shop, f"shop/part_{number}.py", f"def part_{number}(cart):\n    return cart['label'] + {number}\n")
    write(shop, "config.yml", "label: one\n")
    commit(shop, "labels")
    write(shop, "config.yml", "label: two\n")
    assert {item.file for item in packed(shop).data.items if item.role == "primary"} == {"config.yml"}


@pytest.mark.parametrize(
    ("file", "model", "user"),
    [
        (
            "account.py",
            "class Account:\n    login_attempts: int = 0\n    name = ''\n",
            "def f(one):\n    one.login_attempts\n",
        ),
        (
            "account.rs",
            "struct Account {\n    login_attempts: u8,\n    name: u8,\n}\n",
            "fn f() { one.login_attempts }\n",
        ),
        (
            "account.rb",
            "class Account < Base\n  has_many :login_attempts\n  scope :open, -> { all }\nend\n",
            "def f(one)\n  one.login_attempts.size\nend\n",
        ),
        (
            "account.ex",
            "defmodule Account do\n  defstruct login_attempts: 0,\n    name: nil\nend\n",
            "defmodule User do\n  def f(one), do: one.login_attempts\nend\n",
        ),
        ("account.yml", "account:\n  login_attempts: 3\n  name: none\n", "limit: '{{ login_attempts }}'\n"),
    ],
)
def test_a_changed_or_removed_field_brings_the_code_that_reads_it(
    shop: Path, packed: Any, file: str, model: str, user: str
) -> None:
    write(shop, f"shop/{file}", model)
    write(shop, f"shop/user_{file}", user)
    commit(shop, "accounts")
    lines = model.splitlines(keepends=True)
    for changed, reason, detail in (
        ("  ".join(lines[1].rsplit(" ", 1)), "value_changed", "reads login_attempts"),
        ("", "names_removed", f"login_attempts, removed from shop/{file}"),
    ):
        write(shop, f"shop/{file}", "".join([lines[0], changed, *lines[2:]]))
        items = packed(shop, explain=True).data.items
        assert [item.why[0].detail for item in items if item.why[0].name == reason] == [detail]


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [("def f(a):\n    return a\n", "def f(a, b):\n    return a\n", True),
     ("def f(\n    a,\n):\n    return a\n", "def f(\n    a,\n    b,\n):\n    return a\n", True),
     ("def f(\n    a,\n    b,\n):\n    return a\n", "def f(\n    a,\n):\n    return a\n", True),
     ("def f(a):\n    return a\n", "def f(a):\n    return -a\n", False),
     ("def e():\n    pass\n", "def e():\n    pass\n\n\ndef f(a):\n    return a\n", False),
     ("def e(a):\n    return a\n", "def f(a):\n    return a\n", False),
     ("def f(a):\n    return a\n", "# Above.\ndef f(a):\n    return a\n", False),
     ("X = 1\n\n\ndef f(a):\n    return a\n", "def f(a):\n    return a\n", False)],
)  # fmt: skip
def test_a_signature_has_changed_if_its_lines_have(
    before: str, after: str, changed: bool, tmp_path: Path, packed: Any
) -> None:
    write(tmp_path, "m.py", before)
    git(tmp_path, "init", "-q")
    commit(tmp_path, "before")
    write(tmp_path, "m.py", after)
    details = [
        item.why[0].detail for item in packed(tmp_path, explain=True, fit="whole").data.items if item.symbol == "f"
    ]
    assert any(detail.endswith(", signature") for detail in details) is changed


STORE = """\
export interface Store {
  put(id: string): void
  get(id: string): string
}
"""
DISK = """\
import { Options } from "./options"
import { Store } from "./store"

export class Disk implements Store {
  constructor(private options: Options) {}

  put(id: string): void {
    this.write(id)
  }

  get(id: string): string {
    return id
  }
}
"""


def test_the_contract_that_a_change_touches_is_whole(tmp_path: Path, packed: Any) -> None:
    fields = "".join(f"  field{number}: number // {'x' * 40}\n" for number in range(40))
    write(tmp_path, "store.ts", STORE)
    write(tmp_path, "disk.ts", DISK)
    write(tmp_path, "options.ts", f"export interface Options {{\n{fields}  limit: number\n}}\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path, "before")
    write(tmp_path, "disk.ts", DISK.replace("    this.write(id)", "    if (this.options.limit > 0) this.write(id)"))
    write(tmp_path, "options.ts", f"export interface Options {{\n{fields}  limit?: number\n}}\n")
    items = {item.symbol: item for item in packed(tmp_path, max_chars=6000).data.items}
    assert items["Options"].elided == () and "field39" in items["Options"].content, "the contract that changed"
    assert items["Store"].elided == () and "get(id: string)" in items["Store"].content, "the one that is implemented"


def test_staged_means_the_next_commit(shop: Path, packed: Any, conforms: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("* TAX", "* TAX * 1"))
    git(shop, "add", "shop/prices.py")
    write(shop, "shop/prices.py", "# Not staged.\n" + PRICES.replace("* TAX", "* TAX * 1"))
    write(shop, "shop/cart.py", CART.replace("self.total()", "self.total() * 1"))
    answer = packed(shop, staged=True, fit="whole")
    assert symbols(answer, "primary") == ["gross"]
    assert answer.data.items[0].changed == ((6, 6),), "in the lines of the working tree"
    assert (answer.data.diff.base, answer.data.diff.head) == ("HEAD", "index")
    conforms(as_data(answer.data), "context_pack")
    run = ctxpack("query", "--staged", "--repo", shop, "--format", "text", CTXPACK_NO_BACKGROUND="1")
    assert run.code == 0 and b"changes in HEAD..index" in run.out
    with pytest.raises(InvalidRequest) as refusal:
        changes(shop, "HEAD..HEAD", staged=True)
    assert refusal.value.details["field"] == "staged"


def test_a_patch_is_read_whether_it_is_applied_or_not(shop: Path, packed: Any, conforms: Any) -> None:
    write(shop, "shop/prices.py", TAXED)
    write(shop, "shop/new.py", "def brand_new():\n    return 1\n")
    git(shop, "add", "-A")
    patch = difference(shop, "--cached")
    applied = packed(shop, patch, fit="whole")
    assert {"gross", "brand_new"} <= set(symbols(applied, "primary"))
    gross = next(item for item in applied.data.items if item.symbol == "gross")
    assert [hunk.old for hunk in gross.hunks] == ["def gross(net):\n    return net * TAX"] and gross.changed == (
        (4, 5),
    )
    assert as_data(applied.data)["diff"] == {"base": "patch", "files": 2, "added": 4, "removed": 2}
    conforms(as_data(applied.data), "context_pack")
    git(shop, "reset", "-q", "--hard")
    before = packed(shop, patch, fit="whole")
    gross = next(item for item in before.data.items if item.symbol == "gross")
    assert [hunk.new for hunk in gross.hunks] == ["def gross(net, tax=TAX):\n    return net * tax"]
    assert "return net * TAX" in gross.content and gross.changed == ((4, 5),)
    told = " ".join(hint.text for hint in before.hints)
    assert "shown without it: shop/new.py, shop/prices.py" in told and "not indexed" in told


def test_a_patch_finds_its_lines_in_a_later_tree(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", TAXED)
    patch = difference(shop)
    write(shop, "shop/prices.py", "# One.\n" * 7 + TAXED)
    item = packed(shop, patch, fit="whole").data.items[0]
    assert (item.symbol, item.changed) == ("gross", ((11, 12),))
    write(shop, "shop/prices.py", TAXED.replace("net", "price"))
    answer = packed(shop, patch)
    assert "The files contain neither the old nor the new lines of 1 hunk: shop/prices.py." in " ".join(
        hint.text for hint in answer.hints
    )


def test_places_left_out_are_counted_beside_a_hunk_that_matches_nothing(shop: Path, packed: Any) -> None:
    functions = "".join(f"def price_{number}(net):\n    return net * {number}\n\n\n" for number in range(3))
    write(shop, "shop/many.py", functions)
    git(shop, "add", "shop/many.py")
    git(shop, "commit", "-q", "-m", "Many prices")
    write(shop, "shop/many.py", functions.replace("return net", "return 2 * net"))
    lost = "--- a/shop/prices.py\n+++ b/shop/prices.py\n@@ -1 +1 @@\n-nothing like this\n+nor like this\n"
    told = " ".join(hint.text for hint in packed(shop, difference(shop) + lost, limit=1).hints)
    assert (
        "neither the old nor the new lines of 1 hunk" in told and "places changed and the first 1 were selected" in told
    )


def test_a_deleted_file_of_a_patch_brings_whoever_still_imports_or_names_it(shop: Path, packed: Any) -> None:
    git(shop, "rm", "-q", "shop/prices.py")
    answer = packed(shop, difference(shop, "--cached"), explain=True)
    assert "Deleted: shop/prices.py." in [hint.text for hint in answer.hints]
    assert {item.why[0].name for item in answer.data.items if item.symbol == "Cart"} == {"imports_removed"}


def test_a_folder_below_the_top_takes_the_patch_of_its_repository(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", TAXED)
    assert packed(shop / "shop", difference(shop), fit="whole").data.items[0].file == "prices.py"


def test_the_command_line_reads_a_patch_from_stdin_or_a_file(shop: Path, tmp_path: Path) -> None:
    write(shop, "shop/prices.py", TAXED)
    patch = difference(shop).encode()
    (tmp_path / "pull-7.diff").write_bytes(patch.replace(b"\n", b"\r\n"))
    asked = ("--repo", shop, "--index-dir", tmp_path / "index")
    runs = [ctxpack("query", "--diff", "-", *asked, stdin=patch, CTXPACK_NO_BACKGROUND="1"),
            ctxpack("query", "--diff", tmp_path / "pull-7.diff", *asked, CTXPACK_NO_BACKGROUND="1")]  # fmt: skip
    assert [run.code for run in runs] == [0, 0] and runs[0].data == runs[1].data
    assert runs[0].data["items"][0]["changed"] == [[4, 5]]
    both = ctxpack("query", "-", "--diff", "-", *asked, stdin=patch)
    assert both.code == 2 and "stdin" in both.envelope["error"]["message"]
    run = ctxpack("query", "--diff", "-", *asked, stdin=b"no patch at all\n")
    assert (run.code, run.envelope["error"]["details"]["field"]) == (1, "diff")


@pytest.mark.parametrize(
    "before", ["", "commit 0123abc\nAuthor: me\n\n    Tax\n\n", f"From {'0' * 40} Mon\nSubject: Tax\n"]
)
def test_a_query_that_is_a_patch_is_reviewed(shop: Path, tmp_path: Path, before: str) -> None:
    write(shop, "shop/prices.py", TAXED)
    patch = difference(shop)
    long = patch + " # a line that no query has room for\n" * 1_000
    asked = ("--repo", shop, "--index-dir", tmp_path / "index")
    plain = ctxpack("query", "--diff", "-", *asked, stdin=patch.encode(), CTXPACK_NO_BACKGROUND="1").data
    assert ctxpack("query", f"{before}{patch}", *asked, CTXPACK_NO_BACKGROUND="1").data == plain
    run = ctxpack("query", "-", *asked, stdin=f"{before}{long}".encode(), CTXPACK_NO_BACKGROUND="1")
    assert run.data["diff"] == plain["diff"] and not run.err
    for words in (f"what did this break: {patch}", "diff --git what does it mean?\n"):
        assert "diff" not in ctxpack("query", words, *asked, CTXPACK_NO_BACKGROUND="1").data
    for other in (["query", "-", "--diff", "HEAD"], ["query", "-", "--staged"], ["search", "-"], ["symbols", "-"]):
        run = ctxpack(*other, *asked, stdin=f"{before}{long}".encode(), CTXPACK_NO_BACKGROUND="1")
        assert run.code == 0 and "are the query" in run.err, "the end of the text steers the change that is named"


def test_a_patch_as_text_steers_the_staged_changes(shop: Path, tmp_path: Path) -> None:
    write(shop, "shop/prices.py", TAXED)
    session = Session.open(shop, {"index_dir": str(tmp_path / "index")})
    diff = session.query(difference(shop), staged=True).data.diff
    assert diff is not None and diff.head == "index"


def test_a_batch_takes_a_patch_as_text(shop: Path, tmp_path: Path) -> None:
    write(shop, "shop/prices.py", TAXED)
    request = json.dumps({"action": "query", "args": {"diff": difference(shop)}}).encode()
    run = ctxpack("batch", "--repo", shop, "--index-dir", tmp_path / "index", stdin=request, CTXPACK_NO_BACKGROUND="1")
    assert json.loads(run.out)["data"]["diff"]["base"] == "patch"


HUNK = "@@ -1 +1 @@\n-old\n+new\n"
HOSTILE = {
    "out of the root": f"--- a/../../etc/passwd\n+++ b/../../etc/passwd\n{HUNK}",
    "absolute": f"--- /etc/passwd\n+++ /etc/passwd\n{HUNK}",
    "null": f"--- a/x\0y\n+++ b/x\0y\n{HUNK}",
    "control characters": f'--- "a/\\033[2J.py"\n+++ "b/\\033[2J.py"\n{HUNK}',
    "binary": "diff --git a/x.png b/x.png\nGIT binary patch\nliteral 3\nKc${NkU}|\n",
    "lying counts": "--- a/x.py\n+++ b/x.py\n@@ -1,999999999 +1,999999999 @@\n-old\n+new\n",
    "huge numbers": f"--- a/x.py\n+++ b/x.py\n@@ -{'9' * 40} +1 @@\n-old\n",
    "no names": "diff --git \n@@ -1 +1 @@\n-old\n+new\n",
    "empty names": f"--- \n+++ \n{HUNK}",
    "half a quote": f'--- "a/x\n+++ "b/x\n{HUNK}',
    "combined": "diff --cc x.py\n--- a/x.py\n+++ b/x.py\n@@@ -1,1 -1,1 +1,1 @@@\n--old\n++new\n",
    "no Unicode": '--- "a/\\377.py"\n+++ "b/\\377.py"\n@@ -1 +1 @@\n-\udcff\n+new\n'.encode(
        "utf-8", "replace"
    ).decode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_patch_is_a_clean_answer(name: str, shop: Path, packed: Any, conforms: Any) -> None:
    secret = shop.parent / "passwd"
    secret.write_text("root of all\n")
    answer = packed(shop, HOSTILE[name] + "\n")
    conforms(as_data(answer.data), "context_pack")
    assert answer.data.items == () and "root of all" not in str(answer)
    json.dumps([hint.text for hint in answer.hints])


def test_a_link_out_of_the_root_is_not_read(shop: Path, packed: Any) -> None:
    outside = shop.parent / "outside.py"
    outside.write_text("def outside():\n    return 'old'\n")
    (shop / "link.py").symlink_to(outside)
    patch = "--- a/link.py\n+++ b/link.py\n@@ -1,2 +1,2 @@\n def outside():\n-    return 'old'\n+    return 'new'\n"
    found = changes(shop, patch)
    assert (found.files[0].hunks, found.files[0].lost) == ((), 1)
    assert packed(shop, patch).data.items == ()


def test_a_patch_that_is_too_large_is_refused(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("context_pack.io.changes.MAX_DIFF_BYTES", 100)
    with pytest.raises(InvalidRequest, match="larger than 100 bytes"):
        changes(shop, f"--- a/x\n+++ b/x\n{HUNK * 9}")


MAILED = "From 1234 Mon Sep 17\nSubject: [PATCH] x\n\n---\n x.py | 2 +-\n\ndiff --git a/x.py b/x.py\n"
RENAMED = "diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n"


@pytest.mark.parametrize(
    ("patch", "expected"),
    [(RENAMED, ("new.py", "renamed")),
     ('diff --git "a/p\\303\\244th\\tx.py" "b/p\\303\\244th\\tx.py"\nnew file mode 100644\n', ("päth\tx.py", "added")),
     (f"--- x.py\t2024-01-01 00:00:00\n+++ x.py\t2024-01-02 00:00:00\n{HUNK}", ("x.py", "modified")),
     (f"Index: b/x.py\n--- b/x.py\n+++ b/x.py\n{HUNK}", ("b/x.py", "modified")),
     ("--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n", ("x.py", "deleted")),
     (f"{MAILED}--- a/x.py\n+++ b/x.py\n{HUNK}-- \n2.39\n", ("x.py", "modified")),
     ("diff --git a/a b/a b/a b/a\n", ("a b/a", "modified"))],
)  # fmt: skip
def test_the_names_of_a_patch(patch: str, expected: tuple[str, str]) -> None:
    assert [(file.path, file.state) for file in patches.files(patch)] == [expected]


def test_a_line_of_code_that_looks_like_a_header_is_code() -> None:
    patch = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a/comment\n+++ b/comment\n keep\n"
    (file,) = patches.files(patch)
    assert (file.path, [(run.removed, run.added) for run in file.blocks[0].runs]) == (
        "q.sql",
        [(("-- a/comment",), ("++ b/comment",))],
    )


def test_a_long_tag_is_read_in_linear_time() -> None:
    with within(2):
        assert not removed._RESOURCE.findall("<" + "a" * 400_000)


def test_a_changed_method_of_an_interface_brings_the_types_that_define_it(shop: Path, packed: Any) -> None:
    """In Go, they do not name the interface, and the method has no chunk of its own."""
    store = "package shop\n\ntype Store interface {\n\tLoad(key string) string\n\tSave(key string)\n}\n"
    define = "package {0}\n\ntype {1} struct{{}}\n\nfunc (s *{1}) Load(key string) string {{\n\treturn key\n}}\n"
    write(shop, "store.go", store)
    for name in ("disk", "memory"):
        save = f"\nfunc (s *{name.title()}) Save(key string) {{\n}}\n"
        write(shop, f"{name}/{name}.go", define.format(name, name.title()) + save)
    write(shop, "reader/reader.go", define.format("reader", "Reader"))
    commit(shop, "stores")
    write(shop, "store.go", store.replace("Load(key string)", "Load(key string, fresh bool)"))
    items = packed(shop, explain=True, related=1).data.items
    followers = {item.file: item.why[0].detail for item in items if item.why[0].name == "signature_changed"}
    assert followers == {"disk/disk.go": "overrides Load", "memory/memory.go": "overrides Load"}
