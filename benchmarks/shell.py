"""Run the tools as their users do: from the shell, one process per question."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

MEASURE = Path(__file__).with_name("measure.py")
SHOWN_CHARS = 500


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """The cost of one process; `cpu_s` counts all its threads and children, `peak_mib` is resident memory.

    `after_s` is how long the processes that it left behind went on running.
    """

    wall_s: float
    cpu_s: float
    peak_mib: float
    after_s: float


@dataclass(frozen=True, slots=True)
class Shell:
    """A command line with placeholders for each question: QUERY, ROOT and HOME (the folder of the index)."""

    name: str
    words: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)

    def ask(self, query: str, root: Path, home: Path, *, whole_tree: bool = False) -> ProcessUsage:
        """Answer one question in a process of its own. RuntimeError if it fails."""
        values = {"QUERY": query, "ROOT": str(root), "HOME": str(home)}
        words = [values.get(word, word) for word in self.words]
        variables = {name: values.get(value, value) for name, value in self.variables.items()}
        return measure_command(words, variables, whole_tree=whole_tree)


def measure_command(words: Sequence[str], variables: Mapping[str, str], *, whole_tree: bool = False) -> ProcessUsage:
    """The time and memory of one command. RuntimeError, with its output, if it fails."""
    # Variables that would change how the command runs are removed; the last one would make each start compile again.
    left_out = ("PYTHONPATH", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    with tempfile.NamedTemporaryFile() as output:
        options = [*["--tree"] * whole_tree, "--out", output.name]
        done = subprocess.run(
            [sys.executable, "-S", str(MEASURE), *options, *words],
            env={**environment, **variables}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        figures = json.loads(done.stdout)
        if figures["code"] != 0:
            message = Path(output.name).read_text("utf-8", "replace")[:SHOWN_CHARS]
            raise RuntimeError(f"exit code {figures['code']} from {' '.join(words)}: {message}")
    return ProcessUsage(figures["wall_s"], figures["cpu_s"], figures["peak_mib"], figures["after_s"])


def ctxpack_shell(program: Path) -> Shell:
    return Shell("ctxpack", (str(program), "query", "QUERY", "--repo", "ROOT", "--index-dir", "HOME", "--yes"))


def semble_shell(python: Path, model: Path) -> Shell:
    """`semble search`, next to the peer's interpreter; its own model needs a network, so `model` is a local folder."""
    variables = {"SEMBLE_CACHE_LOCATION": "HOME", "SEMBLE_MODEL_NAME": str(model), "HF_HUB_OFFLINE": "1"}
    return Shell("semble", (str(python.with_name("semble")), "search", "QUERY", "ROOT"), variables)
