"""A `@frozen` class behaves like one with `dataclass(frozen=True, slots=True)`."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, Generic, TypeVar

import pytest

from contracts.frozen import frozen

T = TypeVar("T")


@frozen
class Place(Generic[T]):
    """A place."""

    file: str
    line: int = 1
    marks: list[str] = field(default_factory=list)
    why: Callable[[], T] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Standard:
    """The same class with the decorator of the standard library."""

    file: str
    line: int = 1
    marks: tuple[str, ...] = ()


@frozen
class Same:
    """The same class with our decorator."""

    file: str
    line: int = 1
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Further(Same):
    """A class that inherits from one with our decorator."""

    column: int = 1


@frozen
class Wide:
    file: str
    line: int = 1
    column: int = 1
    marks: tuple[str, ...] = ()
    texts: list[str] = field(default_factory=list)


@frozen
class Positive:
    number: int

    def __post_init__(self) -> None:
        if self.number < 1:
            raise ValueError("too small")


def test_it_behaves_like_a_standard_dataclass() -> None:
    for kind in (Standard, Same):
        one: Any = kind("a.py", marks=("x",))
        assert (one, hash(one)) == (kind("a.py", 1, ("x",)), hash(kind("a.py", 1, ("x",))))
        assert one != kind("a.py") and one != ("a.py", 1, ("x",))
        assert repr(one) == f"{kind.__name__}(file='a.py', line=1, marks=('x',))"
        assert is_dataclass(one) and [part.name for part in fields(one)] == ["file", "line", "marks"]
        assert asdict(replace(one, line=3)) == {"file": "a.py", "line": 3, "marks": ("x",)}
        assert kind.__match_args__ == ("file", "line", "marks") and not hasattr(one, "__dict__")
        for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert again == one
        for change in (lambda one: setattr(one, "line", 2), lambda one: delattr(one, "line")):
            with pytest.raises(FrozenInstanceError):
                change(one)
        with pytest.raises(TypeError, match=rf"^{kind.__name__}.__init__\(\) missing .*'file'"):
            kind()  # type: ignore[call-arg]
    assert Standard("a.py") != Same("a.py")
    assert repr(Further("a.py", column=2)) == "Further(file='a.py', line=1, marks=(), column=2)"


def test_fields_may_have_factories_and_take_no_part_in_comparing() -> None:
    one, other = Place("a.py", why=lambda: 1), Place("a.py", why=lambda: 2)
    assert one == other and "why" not in repr(one) and one.why is not None and one.why() == 1
    assert one.marks == [] and one.marks is not other.marks


def test_what_follows_the_constructor_is_called_and_a_class_has_a_text() -> None:
    assert Positive(1).number == 1 and Positive.__doc__ == "Positive"
    with pytest.raises(ValueError, match="too small"):
        Positive(0)


def test_a_class_may_be_extended_by_a_plain_one() -> None:
    class Plain(Wide): ...

    one = Plain("a.py", 2)
    assert (type(one), one.file, one.line, one.texts) == (Plain, "a.py", 2, [])
    with pytest.raises(TypeError, match=r"^Wide.__init__\(\) missing .*'file'"):
        Wide()  # type: ignore[call-arg]
