"""Functions of ctype.h in the locale "C", which say 1 or 0, and the number in a text (atoi)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.library.texts import lower, number_in, text_at
from knaster_check.memory.numbers import wrap
from knaster_check.memory.values import Open
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine


_CAPITALS, _SMALL, _DIGITS = (65, 90), (97, 122), (48, 57)
CLASSES: dict[str, tuple[tuple[int, int], ...]] = {
    "isupper": (_CAPITALS,),
    "islower": (_SMALL,),
    "isdigit": (_DIGITS,),
    "isalpha": (_CAPITALS, _SMALL),
    "isalnum": (_DIGITS, _CAPITALS, _SMALL),
    "isspace": ((9, 13), (32, 32)),
    "isblank": ((9, 9), (32, 32)),
    "isxdigit": (_DIGITS, (65, 70), (97, 102)),
    "isprint": ((32, 126),),
    "isgraph": ((33, 126),),
    "ispunct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "iscntrl": ((0, 31), (127, 127)),
}
"""The codes of the characters that a function says 1 of, from and to; it compares an input and does not pin it."""


def _test(intervals: tuple[tuple[int, int], ...]) -> Function:
    def test(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        code = _character(machine, values[0], place)
        return int(any(_is_between(machine, low, code, high) for low, high in intervals))

    return test


def _character(machine: Machine, value: Any, place: Place) -> Any:
    """Return an argument; undefined unless it is EOF or what an unsigned char can be."""
    code = value if isinstance(value, Open) else number_in(value)
    if not _is_between(machine, -1, code, 255):
        raise Undefined("value", place)
    return code


def _is_between(machine: Machine, low: int, code: Any, high: int) -> bool:
    if not isinstance(code, Open):
        return bool(low <= code <= high)
    return machine.inputs.compare(">=", code, low) and machine.inputs.compare("<=", code, high)


def _to_lower(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return lower(number_in(_character(machine, values[0], place)))


def _to_upper(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    code = number_in(_character(machine, values[0], place))
    return code - 32 if _SMALL[0] <= code <= _SMALL[1] else code


def _atoi(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    codes = text_at(machine, values[0], place)
    while codes and (codes[0] == 32 or 9 <= codes[0] <= 13):
        del codes[0]
    sign = -1 if codes[:1] == [45] else 1
    if codes[:1] in ([45], [43]):
        del codes[0]
    number = 0
    for code in codes:
        if not 48 <= code <= 57:
            break
        number = 10 * number + code - 48
    if sign * number != wrap(sign * number, ("int", 32, True)):
        raise Unsupported("a text is a number that no int is")
    return sign * number


CHARACTERS: dict[str, Function] = {
    **{name: _test(intervals) for name, intervals in CLASSES.items()},
    **{"tolower": _to_lower, "toupper": _to_upper, "atoi": _atoi},
}
