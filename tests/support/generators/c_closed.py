"""Random programs of C without inputs and without undefined steps: all integer types, conversions, statements.

The same text is compiled and run, where it prints a sum over all of its variables, and read by us, where that sum is
compared with a number.  Overflow wraps (`-fwrapv`); nothing depends on the order of evaluation.
"""

from __future__ import annotations

import random

TYPES = (
    *("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"),
    *("long long", "unsigned long long", "_Bool", "enum U", "enum S", "T8", "T32"),
)
OPERATORS = ("+", "-", "*", "&", "|", "^", "<", "<=", ">", "==", "!=")
_START = """enum U { U0, U1 = 7, U2 = 4000000000u }; enum S { S0 = -3, S1, S2 = 2147483647 };
typedef signed char T8; typedef unsigned T32;
struct P { short a; unsigned char b[3]; struct { long c; enum S d; } in; };
extern void reach_error(void); extern int printf(const char *, ...);
"""


class ClosedProgram:
    """A random program by its number."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.loops = 0
        self.variables: list[str] = []
        self.constant: list[str] = []  # that nothing assigns: counters of loops
        self.functions: list[int] = []  # how many parameters
        self.body = self._program()

    def text(self, value: int | None = None) -> str:
        """Return the program: it prints its sum, or says that something is wrong where the sum is not the value."""
        last = 'printf("%llu\\n", sum);' if value is None else f"if (sum != {value}ull) reach_error();"
        return self.body.replace("CHECK", last)

    def _program(self) -> str:
        names = [f"g{index}" for index in range(5)]
        given = "".join(f"{self._type()} {name} = {self._literal()};\n" for name in names)
        arrays = 'int t[4] = {[2] = -5, 6, [0] = 1}; unsigned char u[3] = {250, 300 & 255}; char w[] = "a\\xff\\0b";\n'
        arrays += "struct P p = {-1, {1, 2}, .in = {.d = S1, .c = 5}};\n"
        self.variables = [*names, "t[1]", "t[2]", "u[0]", "w[1]", "p.a", "p.b[2]", "p.in.c", "p.in.d"]
        functions = "".join(self._function(index) for index in range(3))
        main = self._block(5, 2)
        parts = [*names, *(f"t[{i}]" for i in range(4)), *(f"u[{i}]" for i in range(3)), *(f"w[{i}]" for i in range(5))]
        parts += ["p.a", "p.b[0]", "p.b[1]", "p.b[2]", "p.in.c", "p.in.d"]
        sums = "".join(f"sum = sum * 31 + (unsigned long long)({part});\n" for part in parts)
        return (
            f"{_START}{given}{arrays}{functions}"
            f"int main(void) {{ unsigned long long sum = 0;\n{main}{sums}CHECK\nreturn 0; }}\n"
        )

    def _function(self, index: int) -> str:
        """Return a function that changes nothing outside of it."""
        count = self.random.randint(1, 3)
        saved, own = self.variables, [f"a{number}" for number in range(count)]
        parameters = ", ".join(f"{self._type()} {name}" for name in own)
        self.variables = own
        body = self._block(3, 1)
        self.variables = [*own, *saved]
        result = self._expression(2)
        self.variables = saved
        self.functions.append(count)
        return f"{self._type()} f{index}({parameters}) {{ {body} return {result}; }}\n"

    def _type(self) -> str:
        return self.random.choice(TYPES)

    def _literal(self) -> str:
        number = self.random.choice((0, 1, 2, 7, 100, 127, 128, 255, 32768, 65535, 2147483647, 2147483648, 4294967295))
        if self.random.random() < 0.2:
            number = self.random.getrandbits(63)
        text = self.random.choice((str, hex, "0{:o}".format))(number)
        text += self.random.choice(("", "", "u", "l", "ul", "ll", "ull"))
        return self.random.choice((text, text, f"-{text}", "'a'", "'\\xff'", "U2", "S0", "S2"))

    def _expression(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.15:
            return self.random.choice((self._literal, self._variable, self._variable))()
        inner = [self._expression(depth - 1) for _ in range(3)]
        a, b, c = inner
        shift = self.random.choice(("3", "7u", f"({b} & 7)"))
        divisor = self.random.choice(("1", "3", "7u", "10l", "13ull"))
        ways = [
            *(
                f"({a} {op} {b})"
                for op in self.random.sample(["+", "-", "*", "&", "|", "^", "<", "<=", ">", "==", "!="], 3)
            ),
            f"({a} {self.random.choice(('&&', '||'))} {b})",
            f"({a} {self.random.choice(('<<', '>>'))} {shift})",
            f"({a} {self.random.choice(('/', '%'))} {divisor})",
            f"({self.random.choice('-~!+')} {a})",
            f"(({self._type()}){a})",
            f"({a} ? {b} : {c})",
            f"({a} ?: {b})",
            f"({a}, {b})",
            f"t[(unsigned){a} % 4]",
            f"(long)sizeof({self.random.choice((a, self._type(), 'p', 'struct P'))})",
            f"({{ {self._type()} y = {a}; y + {b}; }})",
        ]
        if self.functions:
            index = self.random.randrange(len(self.functions))
            arguments = ", ".join(self._expression(depth - 1) for _ in range(self.functions[index]))
            ways.append(f"f{index}({arguments})")
        return self.random.choice(ways)

    def _variable(self) -> str:
        return self.random.choice([*self.variables, *self.constant])

    def _block(self, count: int, depth: int) -> str:
        return "".join(self._statement(depth) for _ in range(count))

    def _statement(self, depth: int) -> str:
        target = self.random.choice(self.variables)
        kind = self.random.choice(("set", "set", "step", "op", "if", "for", "do", "switch", "block", "goto"))
        if kind == "step":
            return f"{self.random.choice(('++', '--'))}{target};\n" if self.random.random() < 0.5 else f"{target}++;\n"
        if kind == "op":
            op = self.random.choice(("+=", "-=", "*=", "&=", "|=", "^="))
            shifted = (
                f"{target} {self.random.choice(('<<=', '>>=', '%=', '/='))} {self.random.choice(('1', '3u', '5l'))};\n"
            )
            return self.random.choice((f"{target} {op} {self._expression(2)};\n", shifted))
        if kind == "set" or depth == 0:
            return f"{target} = {self._expression(3)};\n"
        return self._compound(kind, depth - 1)

    def _compound(self, kind: str, depth: int) -> str:
        self.loops += 1
        counter, end = f"i{self.loops}", self.random.randint(1, 4)
        if kind == "if":
            return f"if ({self._expression(2)}) {{ {self._block(2, depth)} }} else {{ {self._block(1, depth)} }}\n"
        if kind == "block":
            name = f"x{self.loops}"
            start = f"{self._type()} {name} = {self._expression(1)};"
            self.variables.append(name)
            inner = self._block(2, depth)
            self.variables.pop()
            return f"{{ {start} {inner} t[0] += {name}; }}\n"
        if kind == "goto":
            return f"if ({self._expression(1)}) goto L{self.loops}; {self._block(1, 0)} L{self.loops}: ;\n"
        if kind == "switch":
            cases = "".join(f"case {n}: {self._block(1, 0)} {self.random.choice(('break;', ''))}\n" for n in (0, 1, -1))
            rest = f"case 5 ... 90: {self._block(1, 0)} break; default: {self._block(1, 0)}"
            return f"switch ({self._expression(2)}) {{ {cases} {rest} }}\n"
        self.constant.append(counter)
        body = self._block(2, depth)
        self.constant.pop()
        if kind == "do":
            return f"{{ int {counter} = 0; do {{ {body} }} while (++{counter} < {end}); }}\n"
        parts = self.random.choice(
            (
                (f"int {counter} = 0", f"{counter} < {end}", f"{counter}++", ""),
                (f"int {counter} = 0", "", f"{counter}++", f"if ({counter} >= {end}) break;"),
                (f"int {counter} = 0", f"{counter}++ < {end}", "", "if (g0 == 3) continue;"),
                (f"int {counter} = 0", "", "", f"if ({counter}++ >= {end}) break;"),
            )
        )
        return f"for ({parts[0]}; {parts[1]}; {parts[2]}) {{ {parts[3]} {body} }}\n"
