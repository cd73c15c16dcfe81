"""The tool-info module of BenchExec: how Knaster is called for a task, and what its output means."""

from __future__ import annotations

from typing import Any

from benchexec import result
from benchexec.tools import template

_ERRORS = {1: "ERROR (usage)", 2: "ERROR (refused)", 6: "ERROR (fault)"}


class Tool(template.BaseTool2):  # type: ignore[misc]  # BenchExec has no types
    """Knaster: reachability and termination of recursive programs by summaries and fixed points."""

    def executable(self, tool_locator: Any) -> Any:
        """Return the path of the command."""
        return tool_locator.find_executable("knaster")

    def name(self) -> str:
        """Return the name of the tool."""
        return "Knaster"

    def version(self, executable: Any) -> Any:
        """Return what `knaster --version` says."""
        return self._version_from_tool(executable, line_prefix="knaster ")

    def cmdline(self, executable: Any, options: list[str], task: Any, rlimits: Any) -> list[str]:
        """Return the command for a task: its data model, its property and its limits become options."""
        command = [executable, "check", *options, "--trace", "calls", "--no-progress"]
        if task.property_file:
            command += ["--spec", task.property_file]
        given = task.options if isinstance(task.options, dict) else {}
        if given.get("data_model") in ("ILP32", "LP64"):
            command += ["--data-model", given["data_model"]]
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(max(1, int(rlimits.cputime * 0.95)))]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(max(1, int(rlimits.memory * 0.95) // 1_000_000))]
        return [*command, task.single_input_file]

    def determine_result(self, run: Any) -> str:
        """Return the verdict: the last line of the output where a property was given."""
        for line in reversed(run.output):
            word = line.strip()
            if word in (result.RESULT_TRUE_PROP, result.RESULT_UNKNOWN) or word.startswith("false("):
                return str(word)
            if word:
                break
        if run.was_timeout:
            return "TIMEOUT"
        return _ERRORS.get(run.exit_code.value, str(result.RESULT_ERROR))
