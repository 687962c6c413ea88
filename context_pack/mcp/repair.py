"""Repairs or answers lines that the SDK cannot read; it drops them silently, and the client would wait forever."""

from __future__ import annotations

import json
import re
from typing import Any

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from contracts.schemas import MAX_DEPTH, is_too_deep

_ID = re.compile(r'"id"\s*:\s*(?:(?P<number>-?\d{1,18})|"(?P<text>[^"\\]{0,200})")(?=\s*[,}])')


class MessageStream:
    """The messages of a stream. Half a surrogate pair is read as U+FFFD, like bytes that are not UTF-8; any other
    invalid line is answered with an error."""

    def __init__(self, read: Any, write: Any) -> None:
        self._read, self._write = read, write
        self.aclose = read.aclose

    async def __aenter__(self) -> MessageStream:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    def __aiter__(self) -> MessageStream:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        async for message in self._read:
            reply = _reply_to(message) if isinstance(message, ValidationError) else message
            if not isinstance(reply, types.JSONRPCError):
                return reply
            await self._write.send(SessionMessage(reply))
        raise StopAsyncIteration

    receive = __anext__


def _reply_to(error: ValidationError) -> SessionMessage | types.JSONRPCError:
    """The repaired message, or the error reply to an invalid line."""
    first = error.errors(include_url=False, include_context=False)[0]
    line, code, fault = first["input"], types.INVALID_REQUEST, "the line is not a JSON-RPC 2.0 message"
    if first["type"] == "json_invalid":
        try:
            document = json.loads(line)
            if is_too_deep(document):
                raise RecursionError
            return SessionMessage(types.jsonrpc_message_adapter.validate_python(_whole(document), by_name=False))
        except RecursionError:
            fault = f"the message is nested too deeply: it has more than {MAX_DEPTH} levels"
        except ValidationError:
            pass
        except ValueError as broken:
            code, fault = types.PARSE_ERROR, f"the line is not valid JSON: {broken}"
    return types.JSONRPCError(jsonrpc="2.0", id=_id_of(line), error=types.ErrorData(code=code, message=fault))


def _id_of(message: Any) -> int | str | None:
    """The id in a message, if it contains exactly one."""
    if isinstance(message, dict):
        value = message.get("id")
        return value if isinstance(value, int | str) and not isinstance(value, bool) else None
    ids = [*_ID.finditer(message)] if isinstance(message, str) else []
    if len({match[0] for match in ids}) != 1:
        return None  # a wrong guess would end another call
    return int(ids[0]["number"]) if ids[0]["number"] else str(ids[0]["text"])


def _whole(value: Any) -> Any:
    """A JSON value in which each half of a surrogate pair is replaced by U+FFFD."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
