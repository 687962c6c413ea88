"""What a turn pack is asked for: read, checked against its schema, and freed of secrets."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from context_pack.kinds.task.project import parsed
from context_pack.redaction import Redactor
from contracts import schemas
from contracts.errors import InvalidRequest, IOFailure
from contracts.validation import MAX_DEPTH, is_too_deep, problem

DOCS_ROOT = "/docs"
# Fields that a request hands through to the pack as they are.
IDENTITY = ("runId", "nodeId", "createdAt", "nodeMode")
OBJECTS = ("constraints", "toolPolicy", "outputSchemaRef", "workspace", "repoFacts")
LISTS = {"decisions": "id", "inputs": "payloadId", "artifacts": "ref"}  # field -> the key of its entries
MAX_REQUEST_BYTES = 64_000_000
# A test with another status than these failed; an unknown word is taken for a failure, so that none goes unseen.
PASSED = frozenset(
    "pass passed ok success succeeded successful green skip skipped xfail xfailed pending ignored todo".split()
)


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    status: str
    output: str

    @property
    def failed(self) -> bool:
        return self.status.strip().lower() not in PASSED


@dataclass(frozen=True, slots=True)
class Request:
    """A valid request. `values` is all of it, without secrets; `digest` is `sha256:<hex>` of what was given."""

    values: Mapping[str, Any]
    digest: str

    @property
    def goal(self) -> str:
        return str(self.values["goal"])

    @property
    def base(self) -> str | None:
        return self.values.get("base")

    @property
    def docs_root(self) -> str:
        return str(self.values.get("docsRoot", DOCS_ROOT))

    @property
    def ownership(self) -> Mapping[str, str]:
        return dict(self.values.get("ownership", {}))

    @property
    def entities(self) -> list[str]:
        return list(self.values.get("entities", []))

    @property
    def errors(self) -> list[str]:
        return list(self.values.get("errors", []))

    @property
    def test_results(self) -> list[Outcome]:
        return [
            Outcome(result["name"], result["status"], result.get("output", ""))
            for result in self.values.get("testResults", [])
        ]


def read_json(name: str) -> Any:
    """A JSON document from a file, or from stdin for `-`. InvalidRequest and IOFailure name it."""
    try:
        data = sys.stdin.buffer.read(MAX_REQUEST_BYTES + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise IOFailure(f"{name} cannot be read: {error.strerror}", details={"path": name}) from error
    except ValueError as error:  # a null byte in the name
        raise InvalidRequest("request", f"{name!r} is no path: {error}") from error
    if len(data) > MAX_REQUEST_BYTES:
        raise InvalidRequest("request", f"{name} is larger than {MAX_REQUEST_BYTES:,} bytes")
    return parsed(data, "stdin" if name == "-" else name)


def checked(document: Any, redactor: Redactor) -> Request:
    """The request that a document holds. InvalidRequest names the field that is wrong, missing or unknown."""
    check_depth(document, "the request")
    wrong = problem(document, schemas.schema("turn_request"))
    if wrong is not None:
        where, what = wrong
        field = where or "request"
        raise InvalidRequest(field, f"the request is not valid: {field} {what}", hint="see turn_request.schema.json")
    text = canonical(document)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidRequest("request", "the request holds half a surrogate pair, which is no text") from error
    return Request(redactor.data(document, "request"), f"sha256:{digest}")


def check_depth(document: Any, name: str) -> None:
    """InvalidRequest when a document that no parser of ours has read is nested too deeply."""
    if is_too_deep(document):
        raise InvalidRequest("request", f"{name} is nested too deeply: it has more than {MAX_DEPTH} levels")


def canonical(value: Any) -> str:
    """JSON that is the same for the same value: minified, keys sorted, no escapes but the needed ones."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except ValueError as error:
        raise InvalidRequest("request", f"the document holds a number that JSON has not: {error}") from error
