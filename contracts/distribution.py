"""What this distribution is called on a package index, where `ctxpack` is another project; the command is `ctxpack`."""

NAME = "ctxpack-code"


def with_extra(extra: str) -> str:
    """The command that adds an extra's packages to this environment."""
    return f"pip install '{NAME}[{extra}]'"
