"""Fixtures for the tests of all packages."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

# The duration of an example depends on the machine, so no test has a deadline.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
# A shell's background job ignores interrupts, and so would the programs that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

Conforms = Callable[[Any, str], None]


@pytest.fixture(scope="session")
def conforms() -> Conforms:
    """`conforms(data, name)` fails unless the data is valid under the schema of that name."""
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    from contracts import schemas

    loaded = {name: schemas.schema(name) for name in schemas.names()}
    registry: Registry[Any] = Registry().with_resources(
        [(body["$id"], Resource.from_contents(body)) for body in loaded.values()]
    )
    validators = {name: Draft202012Validator(body, registry=registry) for name, body in loaded.items()}

    def check(data: Any, name: str) -> None:
        errors = [f"{error.json_path}: {error.message}" for error in validators[name].iter_errors(data)]
        assert not errors, f"not a valid {name}: {errors}"

    return check
