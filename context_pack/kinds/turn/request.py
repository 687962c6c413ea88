"""Requests for a turn pack: read, checked against their schema, and redacted."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from context_pack.io.tree import parsed, read_named
from context_pack.redaction import Redactor
from contracts import schemas
from contracts.errors import InvalidRequest
from contracts.schemas import MAX_DEPTH, is_too_deep, problem

# Fields of a request that the pack contains unchanged.
HEADER = ("runId", "nodeId", "createdAt", "nodeMode", "goal", "definitionOfDone", "globalMode", "docsRoot")
OBJECTS = ("constraints", "toolPolicy", "outputSchemaRef", "workspace", "repoFacts")
MAX_REQUEST_BYTES = 64_000_000


def read_json(name: str) -> Any:
    """A JSON document from a file, or from stdin for `-`. InvalidRequest and IOFailure name it."""
    return parsed(read_named(name, MAX_REQUEST_BYTES), "stdin" if name == "-" else name)


def checked(document: Any, schema: str, name: str) -> Any:
    """The document, checked against a schema. InvalidRequest names the field that is wrong, missing or unknown."""
    if is_too_deep(document):
        raise InvalidRequest("request", f"{name} is nested too deeply: it has more than {MAX_DEPTH} levels")
    wrong = problem(document, schemas.schema(schema))
    if wrong is not None:
        where, what = wrong
        fault = f"{name} is not a valid {schema.replace('_', ' ')}: {where or 'it'} {what}"
        raise InvalidRequest(where or "request", fault, hint=f"see {schema}.schema.json")
    return document


def request_of(document: Any, redactor: Redactor) -> tuple[dict[str, Any], str]:
    """The request in a document, without secrets, and `sha256:<hex>` of the document in canonical form."""
    text = canonical(checked(document, "turn_request", "the document"))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidRequest("request", "the request contains half a surrogate pair, which is invalid") from error
    request = {"docsRoot": "/docs", **redactor.data(document, "request")}
    if ".." in request["docsRoot"].replace("\\", "/").split("/"):
        fault = f"docsRoot {request['docsRoot']} is outside the root"
        raise InvalidRequest("docsRoot", fault, hint="give a path relative to the root")
    return request, f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def canonical(value: Any) -> str:
    """JSON that is the same for the same value: minified, keys sorted, only the necessary escapes."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except ValueError as error:
        raise InvalidRequest("request", f"the document contains a number that JSON does not allow: {error}") from error
