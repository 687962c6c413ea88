"""Messages as calls, which the graph follows."""

from __future__ import annotations

import pytest

from chunker.api import chunk_file
from chunker.references.messages import as_calls


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[cart total]", "cart.total()"),
        ("[[Cart open] add:item to:[list last]]", "Cart.open().add()"),
        ('[[Cart alloc] initWithName:@"a]"]', "Cart()"),
        ("[self.cart\n    copy].first", "self.cart.first"),
        ("[(Cart *)other total]", "((Cart *)other).total()"),
        ("[[a b]c]", "a.b().c()"),
        ("[carts[0] total]", "carts[0].total()"),
        ("cart.total", "cart.total"),
        ("[1, 2]", "?"),
        ("[" * 30 + "a b" + "]" * 30, "?"),
    ],
)
def test_a_message_is_written_as_a_call(text: str, calls: str) -> None:
    assert as_calls(text.encode()).decode() == calls


def test_receivers_are_fields_variables_and_results() -> None:
    code = (
        b"@implementation Cart\n- (void)run:(id<Priced>)a by:(nullable Item *)b {\n"
        b"    __weak typeof(self) weak = self;\n"
        b"    Item *_own = b;\n    [weak one];\n    [a two];\n    [b three];\n    [_last four];\n    [_own five];\n"
        b"    [self->_last six];\n}\n@end\n"
    )
    calls = {one.name: one.receiver for one in chunk_file(code, "Cart.m").references if one.kind == "call"}
    receivers = ["self", "Priced()", "Item()", "self.last", "Item()", "self.last"]
    assert [calls[name] for name in ("one", "two", "three", "four", "five", "six")] == receivers
