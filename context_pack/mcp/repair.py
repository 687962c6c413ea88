"""Lines that the SDK cannot read: it drops them without a word, and whoever sent one would wait for ever."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from contracts.validation import MAX_DEPTH, is_too_deep

Message = SessionMessage | Exception
_ID = re.compile(r'"id"\s*:\s*(?:(?P<number>-?\d{1,18})|"(?P<text>[^"\\]{0,200})")(?=\s*[,}])')


class Sink(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...


@asynccontextmanager
async def repaired(read: AsyncIterable[Message], write: Sink) -> AsyncIterator[MemoryObjectReceiveStream[Message]]:
    """The messages of a stream. One with half a surrogate pair is read with U+FFFD in its place, as bytes that are no
    UTF-8 are; any other one that is none gets an error as its reply."""
    sender: MemoryObjectSendStream[Message]
    receiver: MemoryObjectReceiveStream[Message]
    sender, receiver = anyio.create_memory_object_stream(0)

    async def forward() -> None:
        async with sender:
            async for message in read:
                fixed = _fixed(message) if isinstance(message, Exception) else message
                if isinstance(fixed, types.JSONRPCError):
                    await write.send(SessionMessage(fixed))
                else:
                    await sender.send(fixed)

    async with anyio.create_task_group() as group:
        group.start_soon(forward)
        yield receiver
        group.cancel_scope.cancel()


def _fixed(error: Exception) -> Message | types.JSONRPCError:
    """The message after all, or the reply to the line that an error is about."""
    if not isinstance(error, ValidationError):
        return error
    first = error.errors(include_url=False, include_context=False)[0]
    if first["type"] != "json_invalid":  # JSON, and no message
        return _refusal(error.errors()[0]["input"], types.INVALID_REQUEST, "the line is no JSON-RPC 2.0 message")
    line = str(first["input"])
    try:
        document = json.loads(line)
        if is_too_deep(document):
            raise RecursionError
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(_whole(document), by_name=False))
    except RecursionError:
        said = f"the message is nested too deeply: it has more than {MAX_DEPTH} levels"
        return _refusal(line, types.INVALID_REQUEST, said)
    except ValidationError:
        return _refusal(line, types.INVALID_REQUEST, "the line is no JSON-RPC 2.0 message")
    except ValueError as broken:
        return _refusal(line, types.PARSE_ERROR, f"the line is not valid JSON: {broken}")


def _refusal(message: Any, code: int, said: str) -> types.JSONRPCError:
    """An error reply, to the id that the message has."""
    return types.JSONRPCError(jsonrpc="2.0", id=_id_of(message), error=types.ErrorData(code=code, message=said))


def _id_of(message: Any) -> int | str | None:
    """The id that a message names, if it names one alone."""
    if isinstance(message, dict):
        value = message.get("id")
        return value if isinstance(value, int | str) and not isinstance(value, bool) else None
    found = [*_ID.finditer(message)] if isinstance(message, str) else []
    if len({match[0] for match in found}) != 1:
        return None  # a guess would end another call
    return int(found[0]["number"]) if found[0]["number"] else str(found[0]["text"])


def _whole(value: Any) -> Any:
    """A JSON value with U+FFFD for each half of a surrogate pair."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(key): _whole(part) for key, part in value.items()}
    return [_whole(part) for part in value] if isinstance(value, list) else value
