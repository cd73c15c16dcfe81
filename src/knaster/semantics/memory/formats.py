"""Formats of printf and scanf: texts from values, and inputs that are written where arguments point.

How much `printf` prints is an input where a conversion is not known, but every text that it reads is looked at; `%n` is
`Unclear`.  What `scanf` reads is an input; it may read less than it is asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.memory import Addresses, Floating
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.arguments import untouched_length
from knaster.semantics.memory.failure import VALUE, Fault, Stopped, Unclear
from knaster.semantics.memory.library import Does, malloc
from knaster.semantics.memory.printing import FLOATS, INTEGERS, pad, print_float, print_integer
from knaster.semantics.memory.strings import LONGEST_TEXT, _write, after, characters, note_overlap, text_at
from knaster.semantics.memory.symbolic.symbols import Symbol, compare_symbols, either, quotient
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

_CONVERSION = re.compile(r"%([-+ 0#]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|z|j|t|L)?(.)", re.DOTALL)
_NUMBERS = "diuxXocfFeEgGaAp"  # conversions that read no memory
_BASES = {"x": 16, "X": 16, "o": 8}
_REALS = "fFeEgG"
_UNDEFINED = {**dict.fromkeys("sc", "0#"), **dict.fromkeys("diu", "#")}  # flags of conversions
_LONGEST = 4096  # characters of a word
_WIDTHS = {"hh": 8, "h": 16, "": 32, "ll": 64, "j": 64}  # the others are as wide as a pointer


def formatted(
    machine: Machine, place: Any, values: tuple[Any, ...], span: Span, read: list[tuple[Any, int]] | None = None
) -> list[int]:
    """Return the characters that a format and its values make; add to `read` which texts are read, and how much."""
    found = _shown(machine, place, values, span, read=read)
    if found is None:
        raise Unclear("a format is not read")
    return found


def _shown(
    machine: Machine,
    place: Any,
    values: tuple[Any, ...],
    span: Span,
    counted: bool = True,
    lengths: list[Any] | None = None,
    read: list[tuple[Any, int]] | None = None,
) -> list[int] | None:
    """Return the characters that a format and its values make; None where they are not known, or nobody counts them.

    Texts whose length is known are added to `lengths` instead, where there is such a list.
    """
    text = bytes(text_at(machine, force(place), span)).decode("latin-1")
    if read is not None:
        read.append((force(place), len(text) + 1))
    rest = list(values)
    found: list[int] = []
    at, known = 0, True
    for match in _CONVERSION.finditer(text):
        found += [ord(code) for code in text[at : match.start()]]
        at = match.end()
        if match.group(5) == "%":
            found.append(37)
            continue
        sizes = [_star(rest.pop(0)) if part == "*" and rest else part for part in match.group(2, 3)]
        if not rest:
            raise Fault(VALUE, span, "a format asks for more arguments than there are")
        value = rest.pop(0)
        length = untouched_length(machine, value, span) if lengths is not None and match.group() == "%s" else None
        if lengths is not None and length is not None:
            lengths.append(length)
            continue
        codes = (_convert if counted else _look_at)(machine, match, sizes, value, span)
        known = known and codes is not None
        if read is not None and match.group(5) == "s":
            read.append((value, _bytes_read(machine, value, sizes[1], span)))
        found += codes or []
    return found + [ord(code) for code in text[at:]] if known else None


def _star(value: Any) -> str:
    """Return a width or a precision that is an argument."""
    value = force(value)
    if not isinstance(value, int | Symbol):
        raise Unclear("a format takes its width from a number that was made from a pointer")
    return str(int(value))


def _look_at(machine: Machine, match: re.Match[str], sizes: list[str | None], value: Any, span: Span) -> None:
    """Read what a conversion reads."""
    size, kind, precision = match[4], match[5], sizes[1]
    if kind == "s" and not size:
        _ensure_text(value, span)
        _read_text(machine, force(value), span, **_most(precision))
    elif kind not in _NUMBERS:
        raise Unclear(f"the format '{match.group()}' is not read")


def _bytes_read(machine: Machine, place: Any, precision: str | None, span: Span) -> int:
    """Return how many bytes of a text are read, the 0 at its end among them."""
    most = _most(precision).get("most", LONGEST_TEXT)
    return min(len(list(characters(machine, place, span, most))) + 1, most)


def _ensure_text(value: Any, span: Span) -> None:
    """Refuse a number where a format says that there is a text."""
    if not isinstance(force(value), tuple):
        raise Fault(VALUE, span, "a format says that there is a text, and there is a number")


def _read_text(machine: Machine, place: Any, span: Span, **most: int) -> None:
    """Read a text, or its first characters, whatever they are; nothing can go wrong where its length is known."""
    if untouched_length(machine, place, span) is None:
        for _ in characters(machine, place, span, **most):
            pass


def _most(precision: str | None) -> dict[str, int]:
    """Return how many characters of a text are read; a negative precision is none."""
    return {} if precision is None or precision.startswith("-") else {"most": int(precision or 0)}


def _convert(
    machine: Machine, match: re.Match[str], sizes: list[str | None], value: Any, span: Span
) -> list[int] | None:
    """Return what a conversion prints, with its width and precision; None where that is not known."""
    (flags, _, _, size, kind), (width, precision) = match.groups(), sizes
    if width is not None and width.startswith("-"):
        flags, width = f"{flags}-", width[1:]
    if precision is not None and precision.startswith("-"):
        precision = None
    if isinstance(value, Symbol) and kind in "diu" and precision is None and not set(flags) & set("0+# "):
        codes = _digits(value.converted(Int(_width_of(machine, size), kind != "u")))
        space = [32] * max(0, int(width or 0) - len(codes))
        return codes + space if "-" in flags else space + codes
    if set(flags) & set(_UNDEFINED.get(kind, "")):
        raise Unclear(f"the format '{match.group()}' has a flag that C leaves undefined there")
    value, wide = force(value), int(width or 0)
    if kind == "s" and not size:
        _ensure_text(value, span)
        shown = pad(bytes(characters(machine, value, span, **_most(precision))).decode("latin-1"), flags, wide)
    elif kind == "c" and not size and isinstance(value, int):
        shown = pad(chr(value & 255), flags, wide)
    elif kind in INTEGERS and isinstance(value, int):
        number = Int(_width_of(machine, size), kind in "di").wrap(value)
        shown = print_integer(number, kind, flags, wide, None if precision is None else int(precision or 0))
    elif kind in FLOATS and isinstance(value, float) and size in (None, "l"):
        shown = print_float(value, kind, flags, wide, None if precision is None else int(precision or 0))
    elif kind == "p" or (kind in INTEGERS and not isinstance(value, int | float)):
        return None
    else:
        raise Unclear(f"the format '{match.group()}' is not read")
    return [ord(code) for code in shown]


def _width_of(machine: Machine, size: str | None) -> int:
    """Return how many bits an integer of a conversion has."""
    return _WIDTHS.get(size or "", 8 * machine.layout.pointer)


def _digits(value: Symbol) -> list[Any]:
    """Return the characters of a number; how many there are is decided."""
    if value < 0:
        return [45, *_digits(0 - value)]
    count = 1
    while value >= 10**count:
        count += 1
    return [quotient(value, 10**at) % 10 + 48 for at in reversed(range(count))]


def listed(machine: Machine, place: Any, span: Span) -> tuple[Any, ...]:
    """Return the arguments that are left in a list of arguments without names."""
    at = machine.load(place, Addresses(machine.layout.pointer), span)
    found = machine.objects.get(at.base)
    if found is None or not found.alive:
        raise Fault(VALUE, span, "there is no such list of arguments")
    return tuple(found.cells[number][1] for number in range(at.offset + 1, found.size, 2))


def _with_list(does: Does) -> Does:
    """Return a function that takes its arguments from a list, the last of those that it is given."""

    def call(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        return does(machine, frame, (*given[:-1], *listed(machine, given[-1], span)), span)

    return call


def _asprintf(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    codes = formatted(machine, given[1], given[2:], span)
    place = malloc(machine, frame, (len(codes) + 1,), span)
    _write(machine, place, [*codes, 0], span)
    machine.store(given[0], Addresses(machine.layout.pointer), place, span)
    return len(codes)


def _sprintf(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    read: list[tuple[Any, int]] = []
    codes = formatted(machine, given[1], given[2:], span, read)
    for place, count in read:
        note_overlap(machine, given[0], len(codes) + 1, place, count, span)
    _write(machine, given[0], [*codes, 0], span)
    return len(codes)


def _snprintf(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    read: list[tuple[Any, int]] = []
    codes = formatted(machine, given[2], given[3:], span, read)
    if given[1] > 0:
        for place, count in read:
            note_overlap(machine, given[0], min(len(codes) + 1, given[1]), place, count, span)
        _write(machine, given[0], [*codes[: given[1] - 1], 0], span)
    return len(codes)


def _printf(first: int) -> Does:
    def show(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        lengths: list[Any] = []
        codes = _shown(machine, given[first], given[first + 1 :], span, lengths=lengths)
        return machine.choose(Int(32), "printf()", span) if codes is None else _printed(sum(lengths) + len(codes))

    return show


def _printed(count: Any) -> Any:
    """Return what printf returns after so many characters: more than an int has are a mistake."""
    most = 2**31 - 1
    if not isinstance(count, Symbol):
        return count if count <= most else -1
    return either(compare_symbols(Comparison.GREATER, count, most), -1, count).converted(Int(32))


def _print_unseen(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> None:
    _shown(machine, given[0], given[1:], span, counted=False)


def _puts(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    _puts_unseen(machine, frame, given, span)
    value = machine.choose(Int(32), "puts()", span)
    return value if value >= -1 else -1


def _puts_unseen(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> None:
    _read_text(machine, force(given[0]), span)


def _perror(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> None:
    if given[0] != (0, 0):
        _puts_unseen(machine, frame, given, span)


def _scan_word(machine: Machine, place: Any, most: int, span: Span) -> None:
    """Write a word of inputs: one character at least, and no space."""
    count = 0
    while count < most and (count == 0 or machine.choose(BOOL, "whether scanf reads more of a word", span)):
        code = machine.choose(Int(8, False), "scanf()", span)
        if code == 0 or code == 32 or 9 <= code <= 13:
            raise Stopped
        machine.store(after(place, count), Int(8, False), code, span)
        count += 1
    if count == _LONGEST:
        raise Unclear("a word is too long")
    machine.store(after(place, count), Int(8, False), 0, span)


def _scanf(first: int) -> Does:
    def scan(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        text = bytes(text_at(machine, given[first], span)).decode("latin-1")
        places = list(given[first + 1 :])
        count = 0
        for match in _CONVERSION.finditer(text):
            size, kind = match.group(4) or "", match.group(5)
            odd = match.group(1) or match.group(3) or match.group(2) == "*" or (kind == "c" and match.group(2))
            if kind not in f"diuxXocs{_REALS}" or odd or (kind in _REALS and (match.group(2) or size not in ("", "l"))):
                raise Unclear(f"the format '{match.group()}' of scanf is not read")
            if not places:
                raise Fault(VALUE, span, "a format asks for more arguments than there are")
            if not machine.choose(BOOL, "whether scanf reads more", span):
                return count or _nothing_read(machine, text[: match.start()], kind, span)
            if kind == "s":
                _scan_word(machine, places.pop(0), int(match.group(2) or _LONGEST), span)
                count += 1
                continue
            if kind in _REALS:
                real = Floating(64 if size else 32)
                machine.store(places.pop(0), real, machine.choose(real, "scanf()", span), span)
                count += 1
                continue
            type = Int(8) if kind == "c" else Int(_width_of(machine, size), kind in "di")
            value = machine.choose(type, "scanf()", span)
            if match.group(2) and not _has_room(value, type, int(match.group(2)), _BASES.get(kind, 10)):
                raise Stopped
            machine.store(places.pop(0), type, value, span)
            count += 1
        return count

    return scan


def _nothing_read(machine: Machine, before: str, kind: str, span: Span) -> int:
    """Return what scanf returns that has read nothing: -1 at the end of the input, 0 where something else is there."""
    if kind in "cs" and not before.strip(" \t\n\v\f\r"):
        return -1
    return 0 if machine.choose(BOOL, "whether scanf finds something else", span) else -1


def _has_room(value: Any, type: Int, width: int, base: int) -> bool:
    """Tell whether a number can be read from so many characters; an unsigned one may have a sign, too."""
    most, least = base**width - 1, 1 - base ** (width - 1)
    if type.signed:
        return bool(least <= value <= most)
    return bool(value <= most) or bool(value >= (1 << (type.width or 0)) + least)


def _time(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    value = machine.choose(Int(8 * machine.layout.pointer), "time()", span)
    if given[0] != (0, 0):
        machine.store(given[0], Int(8 * machine.layout.pointer), value, span)
    return value


UNSEEN: dict[str, Does] = {"printf": _print_unseen, "puts": _puts_unseen}  # where nobody wants the result
FORMATS: dict[str, Does] = {
    "sprintf": _sprintf,
    "snprintf": _snprintf,
    "printf": _printf(0),
    "puts": _puts,
    "perror": _perror,
    "scanf": _scanf(0),
    "fscanf": _scanf(1),
    "time": _time,
    "asprintf": _asprintf,
    "vasprintf": _with_list(_asprintf),
    "vsprintf": _with_list(_sprintf),
    "vsnprintf": _with_list(_snprintf),
    "vprintf": _with_list(_printf(0)),
    "vfprintf": _with_list(_printf(1)),
}
