"""Files of pushdown systems and of sets of configurations, whatever their format, and names that nothing else has."""

from __future__ import annotations

import re
from pathlib import Path

from knaster.base.errors import KnasterError, Problem, SourceError, Span, UsageError
from knaster.base.hints import did_you_mean
from knaster.base.records import dataclass
from knaster.pushdown.formats.expressions import parse_set
from knaster.pushdown.formats.instance import Instance, Sets, symbols_of
from knaster.pushdown.formats.pdaaal import read_json, read_rule_list
from knaster.pushdown.formats.wali import read_xml
from knaster.pushdown.system import Symbol

COMMAND_LINE = "<set>"  # the name of a set that is no file
INSIDE = r"""[^\s<>\[\](),|*+?.^#"']"""  # what a name goes on with, in an expression, in JSON and in XML


@dataclass(frozen=True, slots=True)
class GivenSet:
    """A set of configurations that was given beside a file, its text, and the file that it came from."""

    automaton: Sets
    text: str
    file: str

    def error(self, message: str, span: Span, hint: str = "") -> SourceError | UsageError:
        """Return the error of a place in the text: wrong usage if it stood on the command line."""
        return _error(self.file, SourceError(self.file, self.text, [Problem(message, span, hint)]))


def read_instance(path: Path, text: str | None = None) -> Instance:
    """Return the pushdown system of a file, by its content (`text` if it is known): JSON, XML, or a list of rules."""
    text = _read(path) if text is None else text
    found: Instance | Sets
    match text.lstrip()[:1]:
        case "{" | "[":
            found = read_json(text, str(path))
        case "<":
            found = read_xml(text, str(path))
        case _:
            found = read_rule_list(text, str(path))[0]
    if not isinstance(found, Instance):
        raise UsageError(f"{path} holds a set of configurations, not a pushdown system")
    return found


def read_set(given: str, instance: Instance) -> GivenSet:
    """Return a set of configurations: an expression, or a file with one, or with a P-automaton as JSON or XML."""
    text, file = given, COMMAND_LINE
    if not given.lstrip().startswith("<"):
        text, file = _read(Path(given)), given
    try:
        found = _parse(text, file, instance)
    except SourceError as error:
        raise _error(file, error) from None
    if isinstance(found, Instance):
        raise UsageError(f"{given} holds a pushdown system, not a set of configurations")
    return GivenSet(found, text, file)


def _parse(text: str, file: str, instance: Instance) -> Instance | Sets:
    if text.lstrip().startswith("{"):
        return read_json(text, file, instance)
    if text.lstrip().startswith(("<WFA", "<?xml", "<!--")):
        return read_xml(text, file, instance)
    return parse_set(text, {str(state): state for state in instance.states}.get, file)


def _error(file: str, error: SourceError) -> SourceError | UsageError:
    return UsageError(str(error)) if file == COMMAND_LINE else error


def require_known_symbols(instance: Instance, *given: GivenSet) -> None:
    """Refuse a symbol of a given set that neither the file nor another given set names: it is most likely misspelt.

    Where a rule fires on every symbol, all are known.
    """
    if instance.fires_on_any_symbol():
        return
    alphabet = frozenset(instance.alphabet())
    for each in given:
        others = {symbol for other in given if other is not each for symbol in _named_symbols(other.automaton)}
        for symbol in _named_symbols(each.automaton):
            if symbol not in alphabet and symbol not in others:
                hint = did_you_mean(str(symbol), [str(name) for name in alphabet | others])
                raise each.error(f"there is no stack symbol `{symbol}`", _place(each.text, str(symbol)), hint)


def _named_symbols(automaton: Sets) -> list[Symbol]:
    return list(dict.fromkeys(symbol for edge in automaton.edges for symbol in symbols_of(edge)))


def _place(text: str, name: str) -> Span:
    """Return where a name first stands in a text, alone; the beginning where it is written in some other way."""
    found = re.search(rf"(?<!{INSIDE}){re.escape(name)}(?!{INSIDE})", text)
    offset = found.start() if found else 0
    return Span(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset), len(name) if found else 1)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise KnasterError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SourceError(str(path), "", [Problem("this is no UTF-8 text", Span(1, 1))]) from None
