"""One question to a fleet, as the command line, the server and an agent's tools ask it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_pack.fleet.corpus import FleetRepositories
from context_pack.options.resolve import Layer, check_query, environment
from context_pack.session import Session
from contracts.errors import InvalidRequest
from contracts.records import Hint

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from index.fleet.fleet import Fleet

COMMANDS = ("query", "search", "related")
# What needs a tree on this machine, or says how one is indexed.
LOCAL = ("diff", "staged", "have_pack", "index_dir", "share", "no_refresh", "model", "max_file_bytes", "memory", "wait")


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a reader by name, one without a name, or the `owner` of the store's keys, who may see everything."""

    reader: str | None = None
    owner: bool = False


OWNER = Asker(owner=True)


def session_for(
    fleet: Fleet, text: str, asker: Asker, globs: Sequence[str], options: Mapping[str, object]
) -> tuple[Session, tuple[Hint, ...]]:
    """A session over the repositories that a text is about, and how many that are.

    One repository is asked as it would be on its own: its paths are its own, and so is its answer.
    """
    refused = next((name for name in LOCAL if options.get(name) not in (None, False, ())), None)
    if refused is not None:
        raise InvalidRequest(refused, f"a fleet takes no {refused}", hint="ask a clone of the repository with --repo")
    if options.get("format") == "html":
        raise InvalidRequest("format", "a fleet prints no page", hint="choose md, text, xml or toon")
    seen = fleet.repositories(asker.reader, globs, owner=asker.owner)
    picked = fleet.choose(text, seen)
    layers = (environment(), Layer({**options, "model": "embedded"}))
    if len(seen) == 1:
        return Session(fleet.index(picked[0]), *layers), ()
    corpus = FleetRepositories(fleet.indexes(picked))
    asked = Hint("info", f"Of {len(seen)} repositories {len(picked)} were searched.")
    return Session(corpus, *layers), (asked,)


def ask(
    fleet: Fleet, command: str, text: str, asker: Asker = OWNER, globs: Sequence[str] = (), **options: Any
) -> tuple[Session, Answer[Any]]:
    """The answer of a command, with the session that gave it."""
    if command not in COMMANDS:
        raise InvalidRequest("command", f"a fleet answers {', '.join(COMMANDS)}, not {command}")
    session, hints = session_for(fleet, check_query(text), asker, globs, options)
    answer: Answer[Any] = getattr(session, command)(text)
    return session, answer.with_hints(hints)


def printed(session: Session, command: str, data: Any) -> str | None:
    """A pack, or what is related, in its format; None where that is JSON."""
    from context_pack import render
    from context_pack.render.text import related_text

    if command == "related":
        return related_text(data) if session.settings.format == "text" else None
    return render.layout(session.settings.format).render(data) if command == "query" else None
