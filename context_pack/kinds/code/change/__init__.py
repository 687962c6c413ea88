"""The question for a reviewer of a change: what changed, what the change missed, and what must follow it."""
