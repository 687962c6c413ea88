"""Questions about a name in one folder or file, and about values of charts and of Terraform."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_pack import api

FILES = {
    "charts/shop/Chart.yaml": "name: shop\nversion: 1.0.0\n",
    "charts/shop/values.yaml": "service:\n  port: 80\n  type: ClusterIP\n",
    "charts/shop/templates/service.yaml": "kind: Service\nspec:\n  port: {{ .Values.service.port }}\n",
    "charts/mail/Chart.yaml": "name: mail\nversion: 1.0.0\n",
    "charts/mail/values.yaml": "service:\n  port: 25\n",
    "charts/mail/templates/service.yaml": "kind: Service\nspec:\n  port: {{ .Values.service.port }}\n",
    "shop/config.py": "class CartConfig:\n    max_items = 3\n\n\ndef load(path):\n    return path\n",
    "mail/config.py": "class CartConfig:\n    max_items = 9\n\n\ndef load(path):\n    return path + '.mail'\n",
    "page/config.py": "class CartConfig:\n    max_items = 1\n\n\ndef load(path):\n    return path + '.page'\n",
    "page/view.py": "from mail.config import CartConfig\n\n\ndef show():\n    return CartConfig().max_items\n",
    "infra/main.tf": 'module "cart" {\n  source = "./cart"\n}\n\nlocals {\n  name = module.cart.name\n}\n',
    "infra/outputs.tf": 'output "cart" {\n  value = module.cart.name\n}\n',
}


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("CartConfig in mail", "mail/config.py"),
        ("where is CartConfig defined in page?", "page/config.py"),
        ("CartConfig in mail/config.py", "mail/config.py"),
        ("load in the page package", "page/config.py"),
        ("where is max_items set in mail", "mail/config.py"),
        ("service.port in the mail chart", "charts/mail/values.yaml"),
        ("where is service.port set in charts/shop", "charts/shop/values.yaml"),
        (".Values.service.port of the shop chart", "charts/shop/values.yaml"),
        ("service.type", "charts/shop/values.yaml"),
        ("--set service.type=NodePort", "charts/shop/values.yaml"),
        ("helm value service.type", "charts/shop/values.yaml"),
        ("module.cart", "infra/main.tf"),
    ],
)
def test_a_name_in_one_place_is_shown_there_first(tree: Path, question: str, file: str) -> None:
    pack = api.query(question, repo=tree)
    assert (pack.query, pack.items[0].file) == (question, file)


def test_what_uses_the_name_elsewhere_is_still_shown(tree: Path) -> None:
    files = [item.file for item in api.query("CartConfig in mail", repo=tree).items]
    assert files[:2] == ["mail/config.py", "page/view.py"]


@pytest.mark.parametrize("question", ["CartConfig in nowhere", "is the config in mail or in page", "CartError in mail"])
def test_without_such_a_place_or_name_the_question_stays_whole(tree: Path, question: str) -> None:
    assert {item.file for item in api.query(question, repo=tree).items} & {"page/config.py", "shop/config.py"}


@pytest.mark.parametrize(
    "question",
    [
        "where is max_items set",
        "where does the default of max_items come from",
        "what is max_items set to",
        "what does max_items default to",
        "max_items default value",
        "how do I set max_items",
    ],
)
def test_where_a_value_is_set_may_be_asked_in_many_ways(tree: Path, question: str) -> None:
    files = [item.file for item in api.query(question, repo=tree).items[:3]]
    assert sorted(files) == ["mail/config.py", "page/config.py", "shop/config.py"]


def test_a_variable_is_shown_beside_the_field_of_its_name(tree: Path) -> None:
    (tree / "train.py").write_text("max_items = 7\nprint(max_items)\n", encoding="utf-8")
    assert "train.py" in [item.file for item in api.query("where is max_items set", repo=tree).items]
