"""The keys of data files, each with the keys or the section around it."""

from __future__ import annotations

import pytest

from chunker.keys import read_keys

# (path, text, every key with those around it)
CASES = [
    ("a.yml", "shop:\n  cart:\n    max: 5\n    items:\n    - name: a\n      price: 1\n  open: yes\nother: 1\n",
     "shop shop.cart shop.cart.max shop.cart.items shop.cart.items.name shop.cart.items.price shop.open other"),
    ("task.yml", "when:\n  - max == 5\n", "when"),
    ("charts/shop/values.yaml", "image:\n  tag: 1\nport: 80\n", "Values.image Values.image.tag Values.port"),
    ("ci/values-small.yml", "port: 80\n", "Values.port"),
    ("ci/small-values.yaml", "port: 80\n", "Values.port"),
    ("a.toml", "name = 1\n[tool.shop]\nmax = 5\n[[cart]]\nid = 1\n", "name tool.shop.max cart.id"),
    ("a.ini", "[shop]\nmax = 5\n\n[cart]\nid = 1\n", "shop.max cart.id"),
    ("a.properties", "server.port=80\nname=a\n", "server.port name"),
    ("a.conf", "shop.web {\n  cart {\n    max = 5\n  }\n  open = yes\n}\nshop.name = a\n",
     "shop.web shop.web.cart shop.web.cart.max shop.web.open shop.name"),
    (".env", "export SHOP_PORT=80\nOTHER=1\n", "SHOP_PORT OTHER"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "keys"), CASES, ids=[case[0] for case in CASES])
def test_keys_have_the_keys_around_them(path: str, text: str, keys: str) -> None:
    assert [qualified for _, qualified, _ in read_keys(text.encode(), path)] == keys.split()


def test_long_names_around_keys_are_not_repeated_for_each_key() -> None:
    text = f"[{'a' * 100_000}]\n" + "".join(f"key{at} = 1\n" for at in range(5_000))
    assert sum(len(qualified) for _, qualified, _ in read_keys(text.encode(), "a.toml")) < len(text)
