"""A console for a command that runs elsewhere: what it writes is kept, and whoever watches may stop it."""

from __future__ import annotations

from collections.abc import Callable

from knaster.commands.terminal.console import Console, Progress


class Recorder(Console):
    """Keeps what is written to standard output and standard error; nothing is drawn."""

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        super().__init__(names)
        self.written: list[str] = []
        self.complaints: list[str] = []
        self.stopping: Callable[[str], int] | None = None

    @property
    def output(self) -> str:
        """What was written to standard output."""
        return "".join(self.written)

    @property
    def errors(self) -> str:
        """What was written to standard error, without the last line break."""
        return "".join(self.complaints).removesuffix("\n")

    def write_painted(self, text: str) -> None:
        """Keep a text of standard output."""
        self.written.append(text)

    def complain(self, text: str) -> None:
        """Keep a message."""
        self.complaints.append(text if text.endswith("\n") else text + "\n")

    def follow(self, wanted: bool | None, about: str) -> Progress:
        """Return a line that is never drawn."""
        return Progress(False, about, lambda: 0)

    def watches(self, stop: Callable[[str], int]) -> bool:
        """Keep what answers for the work where it must end early; somebody else watches over it."""
        self.stopping = stop
        return True
