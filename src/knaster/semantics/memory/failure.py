"""Steps that C leaves undefined: their kinds, which property asks for which, and how a run says that it came to one.

`Fault` ends a run, because C says nothing of what comes after.  `Unclear` ends it because Knaster does not know:
whoever explores says UNKNOWN, never a verdict.
"""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.program.checks import FORMAT, INDEX, ORDER, PLACED, UNREACHABLE

NULL, DEAD, BOUNDS, WILD, FREE = "null", "dead", "bounds", "invalid-pointer", "invalid-free"
DIVISION, SHIFT, POINTER, READ_ONLY, CALL = "division", "shift", "pointer", "read-only", "call"
OVERLAP, LENGTH, BOOLEAN, VALUE, OVERFLOW, LEAK = "overlap", "length", "boolean", "value", "overflow", "leak"
ALIGNMENT, LOST, LOCK = "alignment", "lost", "lock"
DEADLOCK, RACE = "deadlock", "race"  # of threads

MEMORY_KINDS = (NULL, DEAD, BOUNDS, WILD, FREE)
_OTHERS = (DIVISION, SHIFT, POINTER, READ_ONLY, CALL, OVERLAP, LENGTH, BOOLEAN, VALUE, ALIGNMENT, LOCK, *PLACED)
SAFETY_KINDS = (*MEMORY_KINDS, *_OTHERS)
KINDS = (*SAFETY_KINDS, OVERFLOW, LEAK, LOST, DEADLOCK, RACE)

MESSAGES = {
    NULL: "a null pointer is used",
    DEAD: "an object is used that does not live any more",
    BOUNDS: "memory outside of an object is used",
    WILD: "a pointer is used that points nowhere",
    FREE: "something is freed that is no living object of the heap",
    DIVISION: "a division by zero",
    SHIFT: "a shift by a negative number or by too many bits",
    POINTER: "pointers into different objects are compared or subtracted, or one leaves its object",
    READ_ONLY: "an object is written that must not change",
    CALL: "a function is called that is none, or is one of another type",
    OVERLAP: "memory is copied to a place that overlaps it",
    LENGTH: "an array has no positive length",
    BOOLEAN: "a truth value is neither 0 nor 1",
    VALUE: "a number does not fit the integer that it becomes, or the library leaves a value undefined",
    OVERFLOW: "a signed integer overflows",
    ALIGNMENT: "memory is used at an address that does not fit its type",
    LOCK: "something is unlocked that is not held, a held mutex is destroyed, or a thread is joined that cannot be",
    ORDER: "an object is changed and used in no fixed order",
    UNREACHABLE: "control comes to a place that the program says is never reached",
    FORMAT: "an argument is of another type than its format says, or missing",
    INDEX: "an index is outside of its array, which is part of a larger object",
    LEAK: "an object of the heap is never freed",
    DEADLOCK: "no thread can move, and some thread waits",
    RACE: "two threads use the same memory at once, and one of them writes",
    LOST: "nothing leads to an object of the heap that was not freed",
}


class Fault(Exception):
    """The next step is undefined."""

    def __init__(self, kind: str, span: Span, message: str = "") -> None:
        self.kind = kind
        self.span = span
        self.message = message or MESSAGES[kind]
        super().__init__(self.message)


class Unclear(Exception):
    """What the next step does depends on something that is not modelled."""


class Stopped(Exception):
    """The run is over: `exit`, `abort`, or an assumption that does not hold."""
