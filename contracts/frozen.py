"""Frozen, slotted dataclasses whose classes are created four times as fast.

`dataclasses` compiles six methods per class, which takes 0.7 ms. A query from the shell creates seventy classes: that
was a sixth of its time. Here only the constructor is compiled, when it is first called; the other methods are the same
for every class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Like `dataclass(frozen=True, slots=True)`, for a class that inherits from no other dataclass."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # else `dataclass` generates a signature, which is slower than the rest
    new_class: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    new_class.__dataclass_params__.frozen = True  # for subclasses and for code that inspects the class
    key = attrgetter(*(one.name for one in fields(new_class) if one.compare))

    def equal(self: Any, other: Any) -> bool:
        return bool(key(self) == key(other)) if other.__class__ is self.__class__ else NotImplemented

    methods = {
        "__init__": _constructor(new_class), "__eq__": equal, "__hash__": lambda self: hash(key(self)),
        "__repr__": _repr, "__reduce__": _reduce, "__setattr__": _refuse, "__delattr__": _refuse,
    }  # fmt: skip
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(new_class, name, method)
    return new_class


def _constructor(new_class: Any) -> Callable[..., None]:
    """`__init__`, which its first call compiles: a quarter of the classes that a query loads are never used."""

    def first(self: Any, *values: Any, **named: Any) -> None:
        new_class.__init__ = _compiled_constructor(new_class)
        new_class.__init__(self, *values, **named)

    return first


def _compiled_constructor(new_class: Any) -> Callable[..., None]:
    """`__init__`, which sets the slots through their descriptors, as `__setattr__` refuses."""
    names: dict[str, Any] = {"MISSING": MISSING}
    given, lines = ["self"], list[str]()
    for one in fields(new_class):
        name = value = one.name
        names[f"set_{name}"] = new_class.__dict__[name].__set__
        if one.default_factory is not MISSING:
            names[f"new_{name}"] = one.default_factory
            given.append(f"{name}=MISSING")
            value = f"new_{name}() if {name} is MISSING else {name}"
        elif one.default is not MISSING:
            names[f"default_{name}"] = one.default
            given.append(f"{name}=default_{name}")
        else:
            given.append(name)
        lines.append(f"set_{name}(self, {value})")
    lines += ["self.__post_init__()"] if hasattr(new_class, "__post_init__") else []
    exec(f"def __init__({', '.join(given)}):\n " + "\n ".join(lines), names)
    constructor: Callable[..., None] = names["__init__"]
    constructor.__qualname__ = f"{new_class.__qualname__}.__init__"  # shown in error messages
    return constructor


def _repr(self: Any) -> str:
    parts = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({parts})"


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    """For `pickle` and `copy`: the class and the arguments of its constructor."""
    return self.__class__, tuple(getattr(self, one.name) for one in fields(self))


def _refuse(self: Any, name: str, *value: object) -> None:
    raise FrozenInstanceError(f"{type(self).__name__}.{name} is frozen")
