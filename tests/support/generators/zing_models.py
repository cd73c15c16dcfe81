"""Random Zing models that are hard for summaries.

An assert stands behind a choice, so that it hides nothing, and describes the heap by two or three atoms; the same
method is called again after a small change; variables that hold a choice are reset.  Naive programs find few mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

HEAD = """class C { C f; bool b; };
array A[2] C;
struct S { bool y; C r; };
set Z int;
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """What random models are made of."""

    recursion: str = ""  # "", "bounded" or "endless"
    rich: bool = False  # arrays, structs, sets, out parameters, exceptions
    methods: int = 3


ALIASING = Kind()
BOUNDED = Kind("bounded", methods=2)
ENDLESS = Kind("endless", methods=2)
RICH = Kind(rich=True)


_ALIASES = (  # what main holds when it calls
    ("l = g;", "l = h;", "l = new C;", "l = new C; l.f = g;", "l = new C; l.f = h;"),
    ("p = g;", "p = h;", "p = new C; p.f = g;", "g.f = h;", "g.f = new C;", "g.f = new C; p = g.f;"),
    ("g.b = true;", "h.b = true;", "x = true;", "h.f = g;"),
)


@dataclass(slots=True)
class _Method:
    """What can be used inside one method."""

    number: int
    references: list[str]
    truths: list[str]
    lines: list[str] = field(default_factory=list)


class _Writer:
    """Writes one model."""

    def __init__(self, rng: Random, kind: Kind) -> None:
        self.rng = rng
        self.kind = kind

    def model(self) -> str:
        methods = [self._method(number) for number in range(1, self.kind.methods)]
        main = self._method(0)
        statics = "  static C g;\n  static C h;\n  static bool x;\n"
        if self.kind.rich:
            statics += "  static A a = new A;\n  static S s;\n  static Z z = new Z;\n"
        body = "  activate static void main() {\n" + main
        return HEAD + "class Main {\n" + statics + body + "".join(methods) + "};\n"

    def _method(self, number: int) -> str:
        rng = self.rng
        here = _Method(number, ["g", "h", "p"], ["x", "q"])
        lines = ["C l", "bool nd", *([] if number else ["C p", "bool q"])]
        if self.kind.rich:
            here.references += ["a[0]", "a[1]", "s.r"]
            here.truths.append("s.y")
            lines.append("C o" if number == 0 else "int k")
        here.references.append("l")
        text = "".join(f"    {line};\n" for line in lines)
        if not number:
            text += "    g = new C;\n" + ("    h = g;\n" if rng.random() < 0.3 else "    h = new C;\n")
            text += "".join(f"    {rng.choice(aliases)}\n" for aliases in _ALIASES if rng.random() < 0.7)
        most = 6 if number else 3
        text += "".join(f"    {line}\n" for _ in range(rng.randint(1, most)) for line in self._statement(here, 0))
        if number == 0:
            text += "".join(f"    {line}\n" for line in self._again(here))
            return text + "".join(self._description(here) for _ in range(6)) + "  }\n"
        text += self._assert(here) if rng.random() < 0.6 else ""
        depth = ", int d" if self.kind.recursion == "bounded" else ""
        out = ", out C o" if self.kind.rich else ""
        return f"  static C m{number}(C p, bool q{depth}{out}) {{\n{text}    return {self._reference(here)};\n  }}\n"

    def _again(self, here: _Method) -> list[str]:
        """Call the same method with a small change between."""
        number = self.rng.randint(1, self.kind.methods - 1)
        arguments = [self._reference(here), self._truth(here)]
        lines = [self._call(number, here, *arguments)]
        for _ in range(2):
            lines += [*self._change(here), self._call(number, here, *arguments)]
        return lines

    def _call(self, number: int, here: _Method, reference: str, truth: str) -> str:
        depth = ", 2" if self.kind.recursion == "bounded" and here.number == 0 else ""
        depth = ", d - 1" if self.kind.recursion == "bounded" and here.number else depth
        out = ", out o" if self.kind.rich and here.number == 0 else ", out l" if self.kind.rich else ""
        taken = self.rng.choice(["", "l = ", "g = ", "p = "])
        return f"{taken}m{number}({reference}, {truth}{depth}{out});"

    def _calls(self, here: _Method) -> list[str]:
        rng, kind = self.rng, self.kind
        first = 1 if kind.recursion else here.number + 1
        if first >= kind.methods:
            return self._change(here)
        call = self._call(rng.randint(first, kind.methods - 1), here, self._reference(here), self._truth(here))
        if here.number and kind.recursion == "bounded":
            return [f"if (d > 0) {{ {call} }}"]
        if here.number and kind.recursion == "endless":
            return [f"nd = choose(bool); if (nd) {{ {call} }}", "nd = false;"]
        return [call]

    def _change(self, here: _Method) -> list[str]:
        rng = self.rng
        target = self._reference(here)
        simple = [
            f"{rng.choice(here.references)} = {self._reference(here)};",
            f"{rng.choice(here.references)} = new C;",
            f"if ({target} != null) {{ {target}.f = {self._reference(here)}; }}",
            f"if ({target} != null) {{ {target}.b = {self._truth(here)}; }}",
            f"{rng.choice(here.truths)} = {self._truth(here)};",
            f"if ({target} != null) {{ {rng.choice(here.references)} = {target}.f; }}",
            f"{rng.choice(here.references)} = null;",
        ]
        if self.kind.rich:
            simple += [
                f"z = z {rng.choice('+-')} {rng.randint(0, 1)};",
                f"s.r = {self._reference(here)}; s.y = {self._truth(here)};",
                "if (sizeof(z) > 1) { raise E; }" if here.number else "x = sizeof(z) == 1;",
            ]
        return [rng.choice(simple)]

    def _idiom(self, here: _Method) -> list[str]:
        """Return what summaries find hard: a cell is changed and lost, two are swapped, the old value is written."""
        rng = self.rng
        static, other = rng.sample(["g", "h"], 2)
        change = rng.choice(
            [
                f"{static}.b = {rng.choice(['true', 'false', f'!{static}.b'])};",
                f"{static}.f = new C;",
                f"{static}.f = {other};",
                f"{static}.f = new C; {static}.f.b = true;",
                f"{static}.b = {static}.b;",
                f"{static}.f = {static}.f;",
                f"if ({static}.f != null) {{ {static}.f.b = true; {static}.f = null; }}",
            ]
        )
        lost = rng.choice(
            ["", f"{static} = new C;", f"{static} = null;", f"{static} = {other};", f"{static} = {static}.f;"]
        )
        whole = rng.choice(
            [
                [f"if ({static} != null) {{ {change} {lost} }}"],
                [f"if ({static} != null) {{ {change} }}"],
                [f"l = {static};", f"{static} = {other};", f"{other} = l;", "l = null;"],
                [f"if ({static} != null) {{ l = {static}.f; {static}.f = {other}; {other} = l; l = null; }}"],
                ["x = x;" if rng.random() < 0.5 else "x = !x;"],
                [f"if (x) {{ assume({static} == {other}); }}"],
            ]
        )
        if rng.random() < 0.6:
            return whole
        return ["nd = choose(bool);", f"if (nd) {{ {' '.join(whole)} }}", "nd = false;"]

    def _statement(self, here: _Method, depth: int) -> list[str]:
        rng = self.rng
        if depth == 0 and rng.random() < 0.4:
            return self._idiom(here)
        roll = rng.random()
        if roll < 0.2 and depth < 2:
            inner = self._statement(here, depth + 1)
            other = self._statement(here, depth + 1)
            test = f"if ({self._atoms(here, 1)})" if rng.random() < 0.5 else "nd = choose(bool); if (nd)"
            return [f"{test} {{ {' '.join(inner)} }} else {{ {' '.join(other)} }}", "nd = false;"]
        if roll < 0.45:
            return self._try(here, self._calls(here))
        if roll < 0.5:
            return [f"assume({self._atoms(here, 1)});"]
        if roll < 0.56 and depth < 1:
            return ["nd = choose(bool);", f"while (nd) {{ {' '.join(self._change(here))} nd = choose(bool); }}"]
        return self._change(here)

    def _try(self, here: _Method, lines: list[str]) -> list[str]:
        if not self.kind.rich or self.rng.random() < 0.5:
            return lines
        return [f"try {{ {' '.join(lines)} }} with {{ E -> x = true; }}"]

    def _description(self, here: _Method) -> str:
        """Return an assert that fails where two or three atoms hold: together they tell which heaps there can be."""
        rng, names = self.rng, ["g", "h", "l", "p"]
        atoms = []
        for _ in range(rng.randint(2, 3)):
            one, other = rng.sample(names, 2)
            atom = rng.choice(
                [
                    f"{one} == {other}",
                    f"{one} != {other}",
                    f"{one} != null && {one}.b",
                    f"{one} != null && !{one}.b",
                    f"{one} != null && {one}.f == {other}",
                    f"{one} != null && {one}.f != null && {one}.f.b",
                    f"{one} != null && {one}.f == null",
                    "x",
                    "!x",
                ]
            )
            atoms.append(f"({atom})")
        check = f"    if (nd) {{\n      assert(!({' && '.join(atoms)}));\n    }}\n"
        return f"    nd = choose(bool);\n{check}    nd = false;\n"

    def _assert(self, here: _Method) -> str:
        condition = self._atoms(here, self.rng.randint(1, 3))
        check = f"    if (nd) {{\n      assert({condition});\n    }}\n"
        return f"    nd = choose(bool);\n{check}    nd = false;\n"

    def _reference(self, here: _Method) -> str:
        return self.rng.choice(here.references)

    def _truth(self, here: _Method) -> str:
        return self.rng.choice([*here.truths, "true", "false"])

    def _atoms(self, here: _Method, count: int) -> str:
        joint = self.rng.choice([" && ", " || "])
        return joint.join(f"({self._atom(here)})" for _ in range(count))

    def _atom(self, here: _Method) -> str:
        rng = self.rng
        one, other = self._reference(here), self._reference(here)
        return rng.choice(
            [
                f"{one} == {other}",
                f"{one} != null && {one}.f == {other}",
                f"{one} == null || {one}.b",
                f"{one} != null && {one}.f != null && {one}.f.b",
                f"{one} == null || {one}.f == null || {one}.f.f == {other}",
                f"{self._truth(here)}",
                f"!{rng.choice(here.truths)}",
                *(["sizeof(z) == 1", "1 in z"] if self.kind.rich else []),
            ]
        )


def random_model(rng: Random, kind: Kind) -> str:
    """Return a random model with one thread."""
    return _Writer(rng, kind).model()


def random_threads(rng: Random, threads: int = 0) -> str:
    """Return a random model with two or three threads (or so many): atomic, select, channels, assume, deadlocks."""
    lines = ["chan Q int;", "class C { int k; C f; };", "class Main {", "  static Q c = new Q;"]
    lines += ["  static int u;", "  static bool lock;", "  static C g;"]
    for number in range(threads or rng.randint(2, 3)):
        lines.append(f"  activate static void t{number}() {{\n    int l;\n    bool nd;\n    C p;")
        statements = [_threaded(rng, 0) for _ in range(rng.randint(4, 8) if threads == 1 else rng.randint(2, 4))]
        lines += ["    " + each.replace("async ", "" if threads == 1 else "async ") for each in statements]
        lines += ["    " + _behind_choice(rng) for _ in range(rng.randint(1, 3))]
        lines.append("  }")
    lines += ["  static void helper(int k) { u = u + k; }", "  static int get() { int r = u; return r; }"]
    lines += ["  static void late(C v) { if (v != null) { v.k = 1; } assert(u < 2 || g == v); }"]
    lines += ["  static atomic void swap(C v) { C w = g; g = v; }", "};\n"]
    return "\n".join(lines)


def _behind_choice(rng: Random) -> str:
    """Return an assert behind a choice: it fails where two atoms hold."""
    atoms = [f"u == {rng.randint(0, 2)}", f"l == {rng.randint(0, 2)}", f"l == {rng.randint(0, 2)}", "lock"]
    atoms += ["g == p", "g != null", "p != null && p.k == l", "sizeof(c) > 0", "l != u"]
    one, other = rng.sample(atoms, 2)
    return f"nd = choose(bool); if (nd) {{ assert(!(({one}) && ({other}))); }} nd = false;"


def _threaded(rng: Random, depth: int) -> str:
    simple = [
        "u = u + 1;" if rng.random() < 0.5 else "u = 0;",
        "l = u;",
        "l = u;",
        f"u = {rng.randint(0, 2)};",
        f"l = {rng.randint(0, 2)}; l = u;",
        f"assume(l == {rng.randint(0, 1)});",
        "u = get();",
        "l = l + 1;",
        "send(c, l);",
        "g = new C;",
        "p = g;",
        "p = new C; p.f = g;",
        "swap(p);",
        "if (g != null) { g.k = l; }",
        "if (p != null) { l = p.k; }",
        "if (p != null) { p = p.f; }",
        "helper(1);",
        "l = get();",
        "u = u - l;",
        "lock = false;",
        'trace("{0}", l);',
        f"assume(u < {rng.randint(1, 3)});",
        f"assert(u < {rng.randint(1, 3)});",
        f"assert(l != {rng.randint(0, 2)} || p == g);",
        "nd = choose(bool); if (nd) { l = 1; } nd = false;",
        "nd = l > 0; while (nd) { l = 0; nd = false; }",
        rng.choice(["async late(p);", ";", ";"]),
        "while (lock) { l = u; }" if rng.random() < 0.3 else ";",
        "l = 2 / u;" if rng.random() < 0.2 else "l = 3;",
    ]
    roll = rng.random()
    if depth < 1 and roll < 0.2:
        return f"atomic {{ {' '.join(_threaded(rng, 1) for _ in range(rng.randint(1, 3)))} }}"
    if roll < (0.1 if depth else 0.4):
        guard = rng.choice(
            ["wait(!lock)", "wait(u > 0)", "receive(c, l)", "wait(g != null)", "wait(!lock) && receive(c, l)"]
        )
        other = rng.choice(["", f" wait(u == {rng.randint(0, 1)}) -> l = 0;", " timeout -> ;", " receive(c, u) -> ;"])
        words = rng.choice(["select", "select first", "select end"])
        return f"{words} {{ {guard} -> {rng.choice(['lock = true;', 'l = 2;', ';'])}{other} }}"
    return rng.choice(simple)
