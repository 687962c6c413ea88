"""The task packet: ten slots for one planned task, each cut out of the project's records by its own rule."""

from context_pack.kinds.task.packet import answer

__all__ = ["answer"]
