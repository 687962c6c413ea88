"""Fixtures for the tests of all packages."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# The duration of an example depends on the machine: no test has a deadline, and none fails because drawing is slow.
# Each test has a seed of its own, so that what fails once fails again. For other examples: --hypothesis-profile random
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]}
settings.register_profile("untimed", derandomize=True, **UNTIMED)
settings.register_profile("random", **UNTIMED)
settings.load_profile("untimed")
# A shell's background job ignores interrupts, and so would the programs that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# As the command line does: the second thread of a product of small matrices takes a processor and saves no time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

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
