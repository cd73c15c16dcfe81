"""What a worker does: work that travels to another process, an attempt at it, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from knaster.base.exits import ExitCode
from knaster.base.named_tuples import NamedTuple

if TYPE_CHECKING:
    from knaster.base.limits import Limits

_WORDS = {ExitCode.REFUSED: "REFUSED", ExitCode.USAGE: "ERROR", ExitCode.FAULT: "FAULT"}


class Outcome(NamedTuple):
    """What became of one file: its exit code, its answer in the format asked for, and a message if there is none."""

    file: str
    code: ExitCode
    output: str
    errors: str = ""
    notes: tuple[str, ...] = ()  # lines that are shown below the answer in one line
    warnings: str = ""  # besides the answer: a file that could not be written
    also: tuple[str, ...] = ()  # the answer in further formats, as they were asked for
    reached: tuple[str, ...] = ()  # what goes wrong at the targets that were reached, where a competition asks

    @property
    def line(self) -> str:
        """The answer in one line of text."""
        if not self.errors:
            return self.output.partition("\n")[0]
        return f"{self.file}: {_WORDS.get(self.code, 'UNKNOWN')}. The reason is on standard error."


R_co = TypeVar("R_co", covariant=True)


class Attempt(Protocol[R_co]):
    """Work that is being done: whoever must end it early asks another thread for what is established."""

    def do(self, progress: Callable[[str], None] | None) -> R_co:
        """Do the work; an error becomes an outcome."""

    def stop(self, reason: str) -> R_co:
        """Return what is established; called while `do` is still at work, which then goes nowhere."""


class Errand(Protocol[R_co]):
    """What a worker is sent with: a plain record that any process can do."""

    @property
    def file(self) -> str:
        """The name of the file in messages."""

    @property
    def limits(self) -> Limits:
        """Time and memory for it."""

    def attempt(self) -> Attempt[R_co]:
        """Begin."""

    def give_up(self, reason: str) -> R_co:
        """Return what is said where nothing is known."""

    def fail(self, error: Exception) -> R_co:
        """Return what is said where an error ended it."""


class Work(Errand[Outcome], Protocol):
    """An errand about one file, which may travel to another machine."""

    def carry(self) -> Work:
        """Return the same work with the text of its file, for a machine that does not have the file."""
