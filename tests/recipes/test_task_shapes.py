"""Every known shape of the records gives the same slot; any other shape is an error that names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from task_projects import NOTHING, StandIn, TaskProject

from context_pack.kinds.task import answer
from context_pack.kinds.task.exports import exported
from contracts.errors import InvalidRequest
from contracts.task import packet_data
from index import Index
from index.types import SymbolRow
from tests.clock import within

AUTH = {"path": "src/auth/", "files": ["src/auth/login.ts"], "exports": ["login"]}
PAY = {"path": "src/payments", "owns": ["src/payments/**"]}
LOGIN = {"endpoint": "/api/auth/login", "method": "POST", "owner": "src/auth/login.ts", "consumers": ["src/web/a.ts"]}
CHARGE = {"endpoint": "/api/pay", "method": "POST", "owner": "src/payments/charge.ts", "consumers": []}


@pytest.fixture
def project(tmp_path: Path) -> TaskProject:
    return TaskProject(tmp_path / "project")


AS_TOOLS_WRITE = Path(__file__).parent / "task_records"
FOLDERS = {"modules": "02-architecture", "api_contracts": "02-architecture", "symbols": "03-index",
           "ownership": "03-index", "test_map": "03-index"}  # fmt: skip


def test_every_file_of_records_has_its_second_shape() -> None:
    assert {file.stem for file in AS_TOOLS_WRITE.iterdir()} == set(FOLDERS)


@pytest.mark.parametrize("names", [[name] for name in FOLDERS] + [list(FOLDERS)], ids=" ".join)
def test_the_shape_that_tools_write_fills_the_same_slots(project: TaskProject, names: list[str]) -> None:
    """The example's own files have the documented shape."""
    documented = project.packet()
    for name in names:
        project.nexus(f"{FOLDERS[name]}/{name}.json", (AS_TOOLS_WRITE / f"{name}.json").read_bytes())
    assert project.packet() == documented
    for slot in ("architectureSlice", "contractsSlice", "dependencySymbols", "testsSlice"):
        assert documented[slot]


@pytest.mark.parametrize(
    ("document", "kept"),
    [
        ({"modules": [{"id": "auth", **AUTH}, {"id": "pay", **PAY}], "boundaries": [], "lastAnalyzed": ""},
         [{"id": "auth", **AUTH}]),
        ({"auth": AUTH, "pay": PAY}, [{"name": "auth", **AUTH}]),
        ({"version": "1.0", "lastAnalyzed": "", "auth": AUTH, "pay": PAY}, [{"name": "auth", **AUTH}]),
        ({"modules": [{"id": "a", "owns": "src/*/middleware.ts"}]}, [{"id": "a", "owns": "src/*/middleware.ts"}]),
        ({"modules": [{"id": "a", "owns": ["**/*.test.ts"]}]}, [{"id": "a", "owns": ["**/*.test.ts"]}]),
        ({"modules": [{"id": "a", "path": "."}]}, [{"id": "a", "path": "."}]),
        ({"modules": [{"id": "a", "path": "src/aut"}, {"id": "b", "path": "src/auth/mid"}]}, []),
        ({"modules": [{"id": "a", "owns": ["src/*.ts"]}, {"id": "b", "path": "./src/auth"}]},
         [{"id": "b", "path": "./src/auth"}]),
        ({"modules": []}, []),
        ({}, []),
        ({"files": AUTH, "modules": PAY}, [{"name": "files", **AUTH}]),
    ],
)  # fmt: skip
def test_modules(project: TaskProject, document: Any, kept: list[Any]) -> None:
    project.nexus("02-architecture/modules.json", document)
    assert project.slot("architectureSlice") == {"modules": kept}


def test_the_module_map_of_the_architecture_stands_in_for_missing_modules(project: TaskProject) -> None:
    project.remove("02-architecture/modules.json")
    project.nexus(
        "02-architecture/ARCHITECTURE.md",
        "# Architecture\n\n## Module Map\n\n| Module | Path | Owns | Depends On |\n|---|---|---|---|\n"
        "| auth | `src/auth/` | sessions | - |\n| pay | src/payments/ | src/payments/** | auth |\n"
        "| guards | - | `src/**/middleware.ts`, x | auth |\n\n"
        "## Data Flow\n\n| Module | Path |\n|---|---|\n| a | src/ |\n",
    )
    found = project.slot("architectureSlice")["modules"]
    assert found == [
        {"Module": "auth", "Path": "`src/auth/`", "Owns": "sessions", "Depends On": "-"},
        {"Module": "guards", "Path": "-", "Owns": "`src/**/middleware.ts`, x", "Depends On": "auth"},
    ]


@pytest.mark.parametrize(
    ("module_map", "kept"),
    [
        ("- `src/auth/`: see https://a.b/src/\n- **pay**: src/payments/", "`src/auth/`: see https://a.b/src/"),
        (
            "### auth\n- path: src/auth/\n- exports: a\n\n### pay\n`src/pay/`",
            "### auth\n- path: src/auth/\n- exports: a",
        ),
        ("| Module | Role |\n|---|---|\n| `src/auth/` | used by `src/pay/` |\n| `src/pay/` | x |", "`src/auth/`"),
        ("| Module | Path |\n|---|---|\n| auth | `src/session/`, `src/auth/` |\n| pay | src/pay |", "auth"),
    ],
    ids=["list", "sections", "no column of paths", "two paths"],
)
def test_a_module_map_is_a_table_sections_or_a_list(project: TaskProject, module_map: str, kept: str) -> None:
    project.remove("02-architecture/modules.json")
    project.nexus(
        "02-architecture/ARCHITECTURE.md", f"# A\n\n## Module Map\n\n{module_map}\n\n## Next\n\n- src/auth/\n"
    )
    assert [next(iter(row.values())) for row in project.slot("architectureSlice")["modules"]] == [kept]


def test_a_module_map_without_paths_is_named(project: TaskProject) -> None:
    project.remove("02-architecture/modules.json")
    project.nexus("02-architecture/ARCHITECTURE.md", "## Modules\n\nThere are two of them.\n")
    packet, hints = project.ask()
    assert packet["architectureSlice"] == {"modules": []}
    assert (
        "architectureSlice is empty: the module map of .nexus/02-architecture/ARCHITECTURE.md names no paths" in hints
    )


@pytest.mark.parametrize(
    ("contract", "kept"),
    [
        ({"file": "src/auth/middleware.ts"}, True),
        ({"file": "./src/auth/middleware.ts"}, True),
        ({"path": "src/auth/middleware.ts"}, True),
        ({"path": "src/auth"}, True),
        ({"path": "/src/auth/middleware.ts"}, False),
        ({"path": "https://example.org/src/auth/middleware.ts"}, False),
        ({"path": "POST src/auth/middleware.ts"}, False),
        ({"path": "/api/auth"}, False),
        ({"files": ["src/x.ts", "src/auth/middleware.test.ts"]}, True),
        ({"handler": "src/auth/middleware.ts#validateSession"}, True),
        ({"handler": "src/auth/other.ts:handle"}, True),
        ({"handler": "handleLogin"}, False),
        ({"consumers": ["src/auth/middleware.ts"]}, True),
        ({"consumers": ["src/auth/other.ts"]}, False),
        ({"consumers": ["web", "mobile"]}, False),
        ({"file": "src/auth/other.ts"}, True),
        ({"file": "src/auth/deep/other.ts"}, False),
        ({"file": "src/authentication/middleware.ts"}, False),
        ({"file": "src/other.ts"}, False),
        ({"owner": "auth"}, False),
        ({"owner": "src/auth/login.ts"}, True),
    ],
)
def test_a_contract_overlaps_or_does_not(project: TaskProject, contract: dict[str, Any], kept: bool) -> None:
    record = {"id": "c", "endpoint": "POST /x", **contract}
    project.nexus("02-architecture/api_contracts.json", {"contracts": [record]})
    assert project.slot("contractsSlice") == {"contracts": [record] if kept else []}


@pytest.mark.parametrize(
    "document",
    [
        {"contracts": [{"id": "login", **LOGIN}, {"id": "charge", **CHARGE}]},
        {"login": LOGIN, "charge": CHARGE},
    ],
)
def test_contracts(project: TaskProject, document: Any) -> None:
    project.nexus("02-architecture/api_contracts.json", document)
    assert project.slot("contractsSlice") == {"contracts": [{"id": "login", **LOGIN}]}


SYMBOLS = [
    {"symbols": [{"file": "src/shared/jwt.ts", "exports": ["sign", "verify"]}, {"file": "src/x.ts", "exports": ["x"]}]},
    {"symbols": [{"name": "sign", "exported": True, "file": "src/shared/jwt.ts"},
                 {"name": "hidden", "exported": False, "file": "src/shared/jwt.ts"},
                 {"name": "verify", "exported": True, "file": "src/shared/jwt.ts"}]},
]  # fmt: skip
OWNERSHIP = [
    {"files": [{"path": "src/auth/middleware.ts", "imports": ["src/shared/jwt.ts"]}]},
    {"ownership": [{"path": "src/auth/middleware.ts", "imports": ["../shared/jwt"]}]},
    {"ownership": [{"file": "src/auth/middleware.ts", "imports": ["../shared/jwt.js", "express"]}]},
    {"files": [{"path": "src/auth/middleware.ts", "imports": ["@/shared/jwt", "./middleware.test"]}]},
]


@pytest.mark.parametrize("symbols", SYMBOLS)
@pytest.mark.parametrize("ownership", OWNERSHIP)
def test_symbols_and_ownership(project: TaskProject, symbols: Any, ownership: Any) -> None:
    project.nexus("03-index/symbols.json", symbols)
    project.nexus("03-index/ownership.json", ownership)
    assert project.slot("dependencySymbols") == {"src/shared/jwt.ts": ["sign", "verify"]}


def test_modified_files_are_not_dependencies(project: TaskProject) -> None:
    imports = ["src/auth/middleware.test.ts", "src/db/users.ts"]
    project.nexus("03-index/ownership.json", {"files": [{"path": "src/auth/middleware.ts", "imports": imports}]})
    assert list(project.slot("dependencySymbols")) == ["src/db/users.ts"]


def test_a_dependency_without_symbols_is_reported(project: TaskProject) -> None:
    project.nexus("03-index/symbols.json", {"symbols": [{"file": "src/x.ts", "exports": ["x"]}]})
    data, hints = project.ask()
    assert data["dependencySymbols"]["src/shared/jwt.ts"] == []
    assert any("no entry for src/shared/jwt.ts" in hint for hint in hints)


def test_the_index_adds_symbols_that_old_records_lack(project: TaskProject) -> None:
    project.remove("03-index/ownership.json")
    code = StandIn({"src/auth/middleware.ts": ["src/shared/new.ts"]}, {"src/shared/new.ts": ["fresh"]}, {})
    assert project.slot("dependencySymbols", code=code) == {"src/shared/new.ts": ["fresh"]}


@pytest.mark.parametrize("gone", [("symbols",), ("ownership",), ("symbols", "ownership")])
def test_missing_index_files_are_replaced_by_the_index(project: TaskProject, gone: tuple[str, ...]) -> None:
    for name in gone:
        project.remove(f"03-index/{name}.json")
    code = StandIn(
        {"src/auth/middleware.ts": ["src/auth/middleware.test.ts", "src/shared/jwt.ts"]},
        {path: ["verifyToken"] for path in ("src/shared/jwt.ts", "src/db/users.ts", "src/api/routes.ts")},
        {},
    )
    data, hints = project.ask(code=code)
    names = ["signToken", "verifyToken", "JWTPayload"] if "symbols" not in gone else ["verifyToken"]
    assert data["dependencySymbols"]["src/shared/jwt.ts"] == names
    assert "src/auth/middleware.test.ts" not in data["dependencySymbols"]
    assert all(any(f"{name}.json" in hint for hint in hints) for name in gone)


def test_imports_of_packages_are_replaced_by_the_files_that_the_code_uses(
    project: TaskProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("symbols", "ownership"):
        project.remove(f"03-index/{name}.json")
    cart = "public class Cart {\n  public Money Sum() { return Money.None(); }\n}\n"
    money = "public class Money {\n  public static Money None() { return new Money(); }\n}\n"
    project.write("Shop/Cart.cs", f"using Bank;\nnamespace Shop;\n{cart}")
    project.write("Bank/Money.cs", f"namespace Bank;\n{money}")
    project.write("Bank/Rate.cs", "namespace Bank;\npublic class Rate { public int Of(int day) { return day; } }\n")
    project.write("task.json", {"id": "T1", "filesModified": ["Shop/Cart.cs"]})
    packet = packet_data(answer(str(project.root / "task.json"), project.root).data)
    assert packet["dependencySymbols"] == {"Bank/Money.cs": ["Money"]}


def test_of_a_folder_that_is_imported_as_a_whole_the_files_whose_names_are_used_count(
    project: TaskProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("symbols", "ownership"):
        project.remove(f"03-index/{name}.json")
    project.write("go.mod", "module example.com/shop\n")
    project.write("tax/rate.go", "package tax\n\nfunc Rate() int { return half() }\n")
    project.write("tax/half.go", "package tax\n\nfunc half() int { return 1 }\n")
    project.write("tax/law.go", "package tax\n\nfunc Law() int { return 2 }\n")
    project.write("tax/rate_test.go", 'package tax\n\nimport "testing"\n\nfunc TestRate(t *testing.T) { Rate() }\n')
    project.write("cart/page.go", "package cart\n\nfunc page() int { return 3 }\n\nfunc unused() int { return 4 }\n")
    project.write(
        "cart/cart.go",
        'package cart\n\nimport "example.com/shop/tax"\n\nfunc Sum() int { return tax.Rate() + page() }\n',
    )
    project.write("task.json", {"id": "T1", "filesModified": ["cart/cart.go"]})
    packet = packet_data(answer(str(project.root / "task.json"), project.root).data)
    assert packet["dependencySymbols"] == {"cart/page.go": ["page"], "tax/rate.go": ["Rate"]}


def test_a_file_that_is_imported_by_its_own_name_is_listed_whatever_it_defines(
    project: TaskProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("symbols", "ownership"):
        project.remove(f"03-index/{name}.json")
    project.write("src/limits.h", "#define MAX_ITEMS 20\n\nstruct cart;\n")
    project.write("src/cart.c", '#include "limits.h"\n\nint full(int items) { return items > 20; }\n')
    project.write("task.json", {"id": "T1", "filesModified": ["src/cart.c"]})
    packet = packet_data(answer(str(project.root / "task.json"), project.root).data)
    assert list(packet["dependencySymbols"]) == ["src/limits.h"]


def test_the_index_knows_the_exports_of_a_python_module_and_tests_named_after_its_definitions(
    project: TaskProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("symbols", "ownership", "test_map"):
        project.remove(f"03-index/{name}.json")
    project.write("shop/__init__.py", '__all__ = ["Cart", "price_of"]\nfrom shop.cart import Cart, price_of\n')
    project.write(
        "shop/cart.py", "from shop.tax import vat\n\ndef price_of(x):\n    return vat(x)\n\nclass Cart: ...\n"
    )
    project.write("shop/tax.py", '__all__ = [\n    "vat",\n]\n\ndef vat(x): ...\n\ndef rate(): ...\n')
    project.write("shop/page.py", "from shop import Cart\n")
    project.write("tests/test_checkout.py", "from shop.cart import price_of\n\ndef test_price_of():\n    price_of(1)\n")
    project.write("task.json", {"id": "T1", "filesModified": ["shop/cart.py", "shop/page.py"]})
    packet = packet_data(answer(str(project.root / "task.json"), project.root).data)
    assert packet["dependencySymbols"] == {"shop/__init__.py": ["Cart", "price_of"], "shop/tax.py": ["vat"]}
    assert packet["testsSlice"] == ["tests/test_checkout.py"]


def test_tests_that_import_a_file_are_its_tests_if_none_is_named_after_it(
    project: TaskProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    project.remove("03-index/test_map.json")
    for name in ("registry", "named", "settings"):
        project.write(f"shop/{name}.py", f"def of_{name}(x): ...\n")
        project.write(f"shop/use_{name}.py", f"from shop.{name} import of_{name}\n")
        project.write(
            f"tests/test_all_{name}.py", f"from shop.{name} import of_{name}\n\ndef test_it():\n    of_{name}(1)\n"
        )
    project.write("tests/test_named.py", "def test_it(): ...\n")
    for number in range(12):
        project.write(f"tests/test_page{number}.py", "from shop.settings import of_settings\n")
    for name, tests in (
        ("registry", ["tests/test_all_registry.py"]),
        ("named", ["tests/test_named.py"]),
        ("settings", []),
    ):
        project.write("task.json", {"id": "T1", "filesModified": [f"shop/{name}.py"]})
        assert list(answer(str(project.root / "task.json"), project.root).data.tests_slice) == tests


def test_the_index_knows_the_names_that_a_file_passes_on(
    project: TaskProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("symbols", "ownership"):
        project.remove(f"03-index/{name}.json")
    imports = (
        "from .cart import (  # (of goods)\n    Cart as Cart,\n    price_of,\n)\nfrom shop.tax import vat as VAT, _x\n"
    )
    project.write("shop/__init__.py", f"import os\nfrom json import loads\n{imports}\nversion = 1\n")
    project.write("shop/cart.py", "class Cart: ...\n\ndef price_of(x): ...\n")
    project.write("shop/tax.py", "def vat(x): ...\n")
    project.write("page.py", "from shop import Cart\n")
    project.write(
        "ui/index.ts", "export * from './button';\nexport * from './index';\nexport { a as b } from './list';\n"
    )
    project.write("ui/button.ts", "export * from './index';\nexport const Button = 1;\nconst hidden = 2;\n")
    project.write("ui/list.ts", "export const a = 1;\n")
    project.write("app.ts", "import { Button } from './ui';\nexport const app = Button;\n")
    project.write("task.json", {"id": "T1", "filesModified": ["page.py", "app.ts"]})
    packet = packet_data(answer(str(project.root / "task.json"), project.root).data)
    names = packet["dependencySymbols"]
    assert (names["shop/__init__.py"], names["ui/index.ts"]) == (
        ["version", "Cart", "price_of", "VAT"],
        ["b", "Button"],
    )


def test_the_index_is_made_as_the_projects_own_configuration_says(
    project: TaskProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    project.remove("03-index/symbols.json")
    project.write("ctxpack.toml", "max_file_bytes = 10\n")
    hints = [hint.text for hint in answer("T02", project.root).hints]
    assert any("the index could not be used" in hint and "too_large" in hint for hint in hints), hints


TESTS = [
    {"testMap": [{"sourceFile": "src/auth/middleware.ts", "testFiles": ["b.test.ts", "a.test.ts", "b.test.ts"]},
                 {"sourceFile": "src/auth/login.ts", "testFiles": ["c.test.ts"]}], "lastAnalyzed": "x"},
    {"src/auth/middleware.ts": {"sourceFile": "src/auth/middleware.ts", "testFiles": ["b.test.ts", "a.test.ts"]},
     "src/auth/login.ts": {"sourceFile": "src/auth/login.ts", "testFiles": ["c.test.ts"]}},
]  # fmt: skip


@pytest.mark.parametrize("document", TESTS)
def test_tests_come_in_the_order_in_which_they_are_first_seen(project: TaskProject, document: Any) -> None:
    project.nexus("03-index/test_map.json", document)
    assert project.slot("testsSlice") == ["b.test.ts", "a.test.ts"]


def test_a_missing_test_map_is_made_up_for(project: TaskProject) -> None:
    project.remove("03-index/test_map.json")
    code = StandIn({}, {}, {"src/auth/middleware.ts": ["z.test.ts", "a.test.ts"], "src/auth/middleware.test.ts": []})
    data, hints = project.ask(code=code)
    assert data["testsSlice"] == ["z.test.ts", "a.test.ts"]
    assert any("test_map.json" in hint for hint in hints)


@pytest.mark.parametrize(
    ("place", "slot"),
    [
        ("02-architecture/modules.json", "architectureSlice"),
        ("02-architecture/api_contracts.json", "contractsSlice"),
        ("03-index/symbols.json", "dependencySymbols"),
        ("03-index/ownership.json", "dependencySymbols"),
        ("03-index/test_map.json", "testsSlice"),
    ],
)
@pytest.mark.parametrize(
    "document",
    ["not json", "", '"text"', "7", "null", '["a", "b"]', '{"a": 1, "b": "c"}', '{"weird": {"deep": {}}}',
     b"\xff\xfe\x00", "[" * 100_000],
)  # fmt: skip
def test_a_file_that_is_not_understood_is_an_error_that_names_it(
    project: TaskProject, place: str, slot: str, document: Any
) -> None:
    project.nexus(place, document)
    with pytest.raises(InvalidRequest) as caught:
        project.packet(code=NOTHING)
    assert f".nexus/{place}" in caught.value.message
    assert caught.value.details["field"] == f".nexus/{place}"


@pytest.mark.parametrize(
    ("place", "document"),
    [
        ("02-architecture/modules.json", {"modules": ["auth"]}),
        ("02-architecture/modules.json", {"modules": [{"id": "a", "path": 7}]}),
        ("02-architecture/api_contracts.json", {"contracts": [{"id": "a", "files": {"a": 1}}]}),
        ("03-index/symbols.json", {"symbols": [{"file": "src/shared/jwt.ts", "exports": 3}]}),
        ("03-index/ownership.json", {"files": [{"path": "src/auth/middleware.ts", "imports": [7]}]}),
        ("03-index/test_map.json", {"testMap": [{"sourceFile": "src/auth/middleware.ts", "testFiles": [None]}]}),
        ("01-governance/settings.json", {"boundaries": "none"}),
        ("01-governance/settings.json", {"boundaries": [7]}),
        ("01-governance/settings.json", []),
    ],
)
def test_a_record_that_is_not_understood_is_an_error_that_names_its_file(
    project: TaskProject, place: str, document: Any
) -> None:
    project.nexus(place, document)
    with pytest.raises(InvalidRequest, match=place):
        project.packet()


@pytest.mark.parametrize(
    ("place", "slot"),
    [
        ("02-architecture/modules.json", "architectureSlice"),
        ("02-architecture/api_contracts.json", "contractsSlice"),
        ("01-governance/SCARS.md", "scarsDigest"),
        ("00-mission/ACCEPTANCE_MASTER.md", "acceptanceCriteria"),
        ("01-governance/STATE.md", "stateDigest"),
        ("04-plans/02-auth/PLAN.md", "boundaries"),
        ("01-governance/settings.json", "boundaries"),
    ],
)
def test_a_missing_source_is_named_by_a_hint(project: TaskProject, place: str, slot: str) -> None:
    project.remove(place)
    _, hints = project.ask()
    named = "04-plans" if place.startswith("04") else place
    assert [hint for hint in hints if hint.startswith(slot) and named in hint]


def test_a_project_without_any_records_gives_a_packet_and_says_what_is_missing(project: TaskProject) -> None:
    import shutil

    project.write("task.json", {"id": "T9", "filesModified": ["src/auth/login.ts"], "acceptanceCriteria": ["AC-1"]})
    shutil.rmtree(project.root / ".nexus")
    data, hints = project.ask(str(project.root / "task.json"))
    assert data["filesContent"]["src/auth/login.ts"].startswith("import")
    empty = ("architectureSlice", "contractsSlice", "dependencySymbols", "testsSlice", "scarsDigest",
             "acceptanceCriteria", "stateDigest", "boundaries")  # fmt: skip
    for slot in empty:
        assert not data[slot] or not any(data[slot].values())
        assert [hint for hint in hints if hint.startswith(slot)], slot


def test_an_export_list_renames_and_re_exports() -> None:
    class Barrel(StandIn):
        def file_text(self, file: str) -> str:
            return (
                "const local = 1\nconst kept = 2\nexport { local as shown, kept }\n"
                "export { verify, type Claims as Token } from './jwt'\n"
            )

        def defined_in(self, file: str) -> list[SymbolRow]:
            return [SymbolRow(name, name, "constant", file, line, 0) for line, name in enumerate(("local", "kept"), 1)]

    assert exported(cast(Index, Barrel({}, {}, {})), "src/index.ts") == ["kept", "shown", "verify", "Token"]


class OneFile(StandIn):
    """An index of one file."""

    def __init__(self, file: str, text: str, names: list[str]) -> None:
        super().__init__({}, {file: names}, {})
        self._texts = {file: text}

    def language(self, file: str) -> str:
        found = "python" if file.endswith(".py") else "typescript"
        return found if file in self._texts else cast(str, None)

    def file_text(self, file: str) -> str:
        return self._texts.get(file, "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('__all__ = [\n    "kept",  # "gone" was [here]\n    "added",\n]\n', ["kept", "added"]),
        ("__all__ = ('kept',)\n__all__ += ['added']\n", ["kept", "added"]),
        ("def total(): ...\n__all__ = [name for name in dir() if name[0] != '_']\n", ["total"]),
    ],
)
def test_all_is_a_list_of_names_without_its_comments(text: str, names: list[str]) -> None:
    assert exported(cast(Index, OneFile("shop/cart.py", text, ["total"])), "shop/cart.py") == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("class Cart {}\nexport default Cart;\n", ["Cart"]),
        ("export default async function total(a) {}\n", ["total"]),
        ("export default (a) => a\n", ["default"]),
        ("export default {\n  a: 1,\n}\n", ["default"]),
        ("module.exports = class Cart extends Shop {\n  sum () {}\n}\nmodule.exports.Tax = Tax\n", ["Cart", "Tax"]),
        ("module.exports = (a, b) => {\n  return a\n}\n", ["default"]),
        ("module.exports = total;\nexports.tax = () => 1\nif (module.exports === 1) {}\n", ["total", "tax"]),
        ("// module.exports = old\n * module.exports = older\nmodule.exports = Cart // the only one\n", ["Cart"]),
        ("export default Cart; /* for pages */\n", ["Cart"]),
        ("export default interface Cart {\n  sum: number\n}\n", ["Cart"]),
        ("module.exports = { total, tax: rate, }\n", ["total", "tax"]),
        (
            "module.exports = { total, tax: rate,\n  page, list,\n  // old, older\n  rest: of(all, more),\n}\n",
            ["total", "tax", "page", "list", "rest"],
        ),
        (
            "const cart = module.exports = {\n\n  /**\n   * Total, as text\n   */\n\n  get total () {\n    return 1\n"
            "  },\n  async tax (a) { return a },\n  ...more,\n  page,\n  list: [\n    first,\n  ],\n}\nconst a = 1\n",
            ["total", "tax", "page", "list"],
        ),
        ("module.exports = require('./tax')\n", []),
    ],
)
def test_what_a_script_exports_as_a_whole_has_names(text: str, names: list[str]) -> None:
    assert exported(cast(Index, OneFile("shop/cart.ts", text, [])), "shop/cart.ts") == names


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("shop/__init__.py", "__all__ = [\n" * 50_000),
        ("shop/index.ts", "module.exports = {\n" * 50_000),
        ("shop/index.ts", "module.exports " * 50_000),
        ("shop/index.ts", "\n" * 50_000 + "exports.a"),
        ("shop/__init__.py", "from .a import (\n" * 50_000),
        ("shop/index.ts", "export {\n" * 50_000),
        ("shop/index.ts", "".join(f"export {{ name{number} }}\n" for number in range(50_000))),
        ("shop/index.ts", "".join(f"export * from './{number}.ts'\n" for number in range(50_000))),
    ],
)
def test_exports_of_hostile_files_take_linear_time(file: str, text: str) -> None:
    index = OneFile(file, text, [f"name{number}" for number in range(text.count("\n"))])
    with within(10):
        exported(cast(Index, index), file)


@pytest.mark.parametrize(
    "line", ["# Modules" + " " * 20_000 + "x", "# Modules\n| Module |\n|-" + " " * 200_000 + "x", "*" * 200_000]
)
def test_a_hostile_architecture_takes_linear_time(project: TaskProject, line: str) -> None:
    project.remove("02-architecture/modules.json")
    project.write(".nexus/02-architecture/ARCHITECTURE.md", f"# Module Map\n- {line}\n{line}\n")
    with within(10):
        project.packet()


def test_an_id_may_be_a_number(project: TaskProject) -> None:
    project.task(id=2)
    assert project.packet("2")["taskId"] == "2"
