"""Random C programs with memory that read a few inputs of few values, and what they do on all of them."""

from __future__ import annotations

from itertools import product
from random import Random

from knaster.frontends.languages import load
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.explore import Outcome, run_machine
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.machine import Machine

HEAD = "signed char __VERIFIER_nondet_schar(void);\nunsigned char __VERIFIER_nondet_uchar(void);\n"
HEAD += "void reach_error(void);\n"


def program(random: Random, inputs: int) -> str:
    """Return a text whose inputs are signed and unsigned characters `a`, `b`, ..."""
    names = "abc"[:inputs]
    kinds = {name: random.choice(("schar", "uchar")) for name in names}
    lines = [f"{'signed' if kinds[name] == 'schar' else 'unsigned'} char {name};" for name in names]
    lines += [f"{name} = __VERIFIER_nondet_{kinds[name]}();" for name in names]
    lines += [_filter(random, name) for name in names if random.random() < 0.5]
    lines += ["int x = 1, v[4] = {1, 2, 3, 4}; int *p = v; unsigned u = 3; signed char k = 5;"]
    lines += [_statement(random, names) for _ in range(random.randint(3, 7))]
    return f"{HEAD}int main(void) {{\n" + "\n".join(lines) + "\nreturn 0;\n}\n"


def _filter(random: Random, name: str) -> str:
    low = random.randint(-3, 4)
    return f"if ({name} < {low} || {name} > {low + random.randint(0, 6)}) return 0;"


def _value(random: Random, names: str) -> str:
    name = random.choice(names)
    forms = [
        name,
        "x",
        f"{name} + {random.randint(-9, 9)}",
        f"{random.randint(-99, 99)} - {name}",
        f"({name} & 3)",
        "*p",
    ]
    forms += [
        f"(unsigned char)({name} - 7)",
        f"(signed char)({name} + 100)",
        f"{name} * 2",
        f"-{name}",
        f"!{name}",
        "k",
        "u",
    ]
    return random.choice([*forms, str(random.randint(-5, 9)), f"v[{name} & 3]", f"(unsigned){name}"])


def _test(random: Random, names: str) -> str:
    sign = random.choice(("<", "<=", ">", ">=", "==", "!="))
    one = f"{_value(random, names)} {sign} {_value(random, names)}"
    return one if random.random() < 0.7 else f"{one} {random.choice(('&&', '||'))} {_value(random, names)}"


def _statement(random: Random, names: str) -> str:
    value = _value(random, names)
    forms = [
        f"if ({_test(random, names)}) reach_error();",
        f"if ({_test(random, names)}) x = {value};",
        f"x = {value};",
    ]
    forms += [
        f"v[{random.choice(names)} & 3] = {value};",
        f"p = &v[{value}];",
        "x = *p;",
        f"k = {value};",
        f"u = {value};",
    ]
    forms += [f"switch ({value}) {{ case 1: x = 5; break; case 2 ... 9: x = 6; default: x++; }}", f"x = 8 / ({value});"]
    return random.choice(
        [*forms, f"while ({value} > x && x < 6) x++;", f"if ({value}) p = 0;", f"x = {value} ? x : 3;"]
    )


def all_outcomes(text: str) -> list[Outcome]:
    """Return what a program does on all values of its inputs, each of them given."""
    read = load(text, file="a.c", objects="always")
    codes = Codes(read)
    signs = [part.split("(")[0] == "schar" for part in text.partition("int main")[2].split("__VERIFIER_nondet_")[1:]]
    ranges = [range(-128, 128) if signed else range(256) for signed in signs]
    found = []
    for values in product(*ranges):
        machine = Machine(codes, Given(values), frozenset())
        found.append(run_machine(machine, {"reach_error": frozenset((0,))}, 10_000, lambda: None))
    return found
