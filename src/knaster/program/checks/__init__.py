"""Steps that C may leave undefined, as places of the program.

static_types   what types tell of an expression: its type, and the interval of its values
conditions     when a step of a program over integers is undefined, operand by operand
step_checks    a program that asks before each such step, and stands at a label where it is undefined
"""

ORDER = "order"  # an object is changed and used in no fixed order: a label stands behind that (`frontends/c/order`)
UNORDERED = (  # what a note says of a name where nobody asks for `ORDER`, which tells where it happens
    "is changed and used in no fixed order, which C leaves undefined; here from left to right",
    "may be changed and used in no fixed order, which C leaves undefined ('safety' asks); here from left to right",
)
UNREACHABLE = "unreachable-code"  # control comes to `__builtin_unreachable()`: a label stands there
FORMAT = "format"  # an argument does not fit the format of a call that prints: a label stands before that
INDEX = "index"  # outside of an array that is part of a larger object: a label stands before that (C with memory)
PLACED = (ORDER, UNREACHABLE, FORMAT, INDEX)  # what front ends have a label for, whatever is asked
NOTHING = "an undefined step"  # the label of a place that is never reached, of a program without such steps
