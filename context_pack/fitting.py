"""A selection within every limit that was given, and what a larger budget would hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from context_pack.recipes import code
from contracts.records import Hint, Pack

if TYPE_CHECKING:
    from context_pack.options.resolve import Settings
    from context_pack.recipes.packing import More
    from context_pack.render import Layout


def fitted(chosen: code.Selection, settings: Settings, model_id: str, layout: Layout) -> tuple[Pack, tuple[Hint, ...]]:
    """The pack, and a hint where something was left out or cut. BudgetTooSmall when nothing fits."""
    if settings.max_tokens is None and settings.tokenizer is None:
        pack = code.pack(chosen, settings, model_id, layout)
        hints = _left_out(pack, lambda: f"--max-chars {code.whole_chars(chosen, pack, layout)}")
        return pack, (*hints, *_next(code.more(chosen, pack, settings, layout) if settings.explain else None))
    return _counted(chosen, settings, model_id, layout)


def _counted(
    chosen: code.Selection, settings: Settings, model_id: str, layout: Layout
) -> tuple[Pack, tuple[Hint, ...]]:
    """The same with tokens counted, and limited where a limit is given."""
    from context_pack.render.tokens import TokenLayout, within_tokens
    from context_pack.tokenizer import token_counter

    counter, name = token_counter(settings.tokenizer)
    counting = TokenLayout(layout, counter, name, settings.max_tokens)

    def pack_at(max_chars: int) -> Pack:
        return code.pack(chosen, replace(settings, max_chars=max_chars), model_id, counting)

    if settings.max_tokens is None:
        pack = pack_at(settings.max_chars)
        return pack, _left_out(pack, lambda: f"--max-chars {code.whole_chars(chosen, pack, counting)}")
    pack = within_tokens(pack_at, counting, settings.max_chars, settings.max_tokens)
    if not pack.budget.truncated:
        return pack, ()
    roomy = replace(counting, max_tokens=max(settings.max_tokens, settings.max_chars))  # as many digits as can come
    whole_chars = code.whole_chars(chosen, pack, roomy)
    whole = code.pack(chosen, replace(settings, max_chars=whole_chars), model_id, roomy)
    return pack, _left_out(pack, lambda: f"--max-chars {whole_chars} --max-tokens {counting.enough(whole)}")


def _left_out(pack: Pack, holding: Callable[[], str]) -> tuple[Hint, ...]:
    """`holding` tells the options with which nothing would be left out."""
    if not pack.budget.truncated:
        return ()
    options, left_out = holding(), pack.budget.dropped_items
    what = f"{left_out} selected item{'s' * (left_out != 1)} left out" if left_out else "an item was cut"
    holds = "holds" if options.count("--") == 1 else "hold"
    return (Hint("action", f"{what}: {options} {holds} everything that was selected"),)


def _next(more: More | None) -> tuple[Hint, ...]:
    """What a little more would buy."""
    if more is None:
        return ()
    named = f" ({more.symbol})" if more.symbol else ""
    return (Hint("info", f"+{more.chars} characters would add {more.id}{named}"),)
