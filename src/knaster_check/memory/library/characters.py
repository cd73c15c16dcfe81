"""Functions of ctype.h in the locale "C", which say 1 or 0, and the number in a text (atoi)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.library.texts import lower, number_in, text_at
from knaster_check.memory.numbers import wrap

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine


def _is_upper(code: int) -> bool:
    return 65 <= code <= 90


def _is_lower(code: int) -> bool:
    return 97 <= code <= 122


def _is_digit(code: int) -> bool:
    return 48 <= code <= 57


def _is_letter(code: int) -> bool:
    return _is_upper(code) or _is_lower(code)


def _is_space(code: int) -> bool:
    return code == 32 or 9 <= code <= 13


_TESTS: dict[str, Callable[[int], bool]] = {
    "isupper": _is_upper,
    "islower": _is_lower,
    "isdigit": _is_digit,
    "isalpha": _is_letter,
    "isalnum": lambda code: _is_letter(code) or _is_digit(code),
    "isspace": _is_space,
    "isblank": lambda code: code in (9, 32),
    "isxdigit": lambda code: _is_digit(code) or 65 <= code <= 70 or 97 <= code <= 102,
    "isprint": lambda code: 32 <= code <= 126,
    "isgraph": lambda code: 33 <= code <= 126,
    "ispunct": lambda code: 33 <= code <= 126 and not (_is_letter(code) or _is_digit(code)),
    "iscntrl": lambda code: 0 <= code <= 31 or code == 127,
}


def _test(holds: Callable[[int], bool]) -> Function:
    def test(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        return int(holds(number_in(values[0])))

    return test


def _to_lower(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return lower(number_in(values[0]))


def _to_upper(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    code = number_in(values[0])
    return code - 32 if _is_lower(code) else code


def _atoi(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    codes = text_at(machine, values[0], place)
    while codes and _is_space(codes[0]):
        del codes[0]
    sign = -1 if codes[:1] == [45] else 1
    if codes[:1] in ([45], [43]):
        del codes[0]
    number = 0
    for code in codes:
        if not _is_digit(code):
            break
        number = 10 * number + code - 48
    return wrap(sign * number, ("int", 32, True))


CHARACTERS: dict[str, Function] = {
    **{name: _test(holds) for name, holds in _TESTS.items()},
    **{"tolower": _to_lower, "toupper": _to_upper, "atoi": _atoi},
}
