"""Our validator agrees with a complete one on our schemas."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from contracts import schemas
from contracts.schemas import problem

NAMES = ("turn_request", "turn_pack")
FORMATS = FormatChecker(formats=())


@FORMATS.checks("date-time")
def _is_time(value: Any) -> bool:
    from datetime import datetime
    from re import fullmatch

    if not isinstance(value, str):
        return True
    if not fullmatch(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", value):
        return False
    try:
        return bool(datetime.fromisoformat(value.upper()))
    except ValueError:
        return False


def _from(schema: dict[str, Any], root: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that are mostly valid under a schema, with some faults."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    faults = st.sampled_from([None, 7, "", "x", [], {}, True, 1.5])
    if "enum" in schema:
        return _rarely(st.sampled_from(schema["enum"]), faults)
    kind = schema.get("type")
    if kind == "array":
        return _rarely(st.lists(_from(schema.get("items", {}), root), max_size=2), faults)
    if kind == "object":
        known = {name: _from(part, root) for name, part in schema.get("properties", {}).items()}
        needed = {name: known[name] for name in schema.get("required", ()) if name in known}
        whole = st.fixed_dictionaries(needed, optional={name: one for name, one in known.items() if name not in needed})
        return _rarely(whole, st.builds(lambda value, name: {**value, name: 1}, whole, st.text(max_size=3)) | faults)
    told = {"format": "2026-01-01T00:00:00Z", "pattern": "00000000-0000-5000-8000-000000000000"}
    fine = [told[keyword] for keyword in told if keyword in schema] or ["a"]
    return _rarely(st.sampled_from(fine), st.sampled_from([" ", "2026-01-01", "2026-13-01T00:00:00Z"]) | faults)


def _rarely(fine: st.SearchStrategy[Any], fault: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 24).flatmap(lambda number: fine if number else fault)


@pytest.mark.parametrize("name", NAMES)
def test_the_validator_agrees_with_a_full_one(name: str) -> None:
    schema = schemas.schema(name)
    Draft202012Validator.check_schema(schema)
    full = Draft202012Validator(schema, format_checker=FORMATS)
    verdicts = set()

    @settings(max_examples=400, deadline=None)
    @given(_from(schema, schema))
    def agree(value: Any) -> None:
        found = problem(value, schema)
        verdicts.add(found is None)
        assert (found is None) == full.is_valid(value), found

    agree()
    assert verdicts == {True, False}


def test_every_keyword_of_the_schemas_is_known_to_it() -> None:
    known = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "enum", "required", "properties",
             "additionalProperties", "items", "minLength", "pattern", "format"}  # fmt: skip

    def keywords(schema: Any) -> set[str]:
        if not isinstance(schema, dict):
            return set()
        inner = [schema.get("items"), schema.get("additionalProperties"), *schema.get("properties", {}).values(),
                 *schema.get("$defs", {}).values()]  # fmt: skip
        return set(schema).union(*map(keywords, inner))

    for name in NAMES:
        assert keywords(schemas.schema(name)) <= known
