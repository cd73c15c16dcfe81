"""Random Zing models that go around for ever: loops, waits, atomic regions, choices, calls, cells, and ways to fail."""

from __future__ import annotations

from random import Random

HEAD = "class C { C f; bool b; };\nclass Main {\n  static bool x;\n  static bool y;\n  static int n;\n  static C g;\n"
_TRUTHS = ("x", "y", "!x", "!y", "n == 0", "n == 1", "x && !y", "g == null", "true")
_STEPS = (
    "x = true;",
    "x = false;",
    "y = !y;",
    "n = 1 - n;",
    "y = choose(bool);",
    "g = new C;",
    "g = null;",
    "g = new C; g.f = g;",
)


def random_loops(random: Random) -> str:
    """Return a model of one to three small threads."""
    writer = _Writer(random)
    threads = [writer.thread(number) for number in range(random.choice((1, 2, 2, 3)))]
    called = "  static void step() {\n" + writer.block(1, 2, calls=False) + "  }\n"
    return HEAD + "".join(threads) + called + "};\n"


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random, self.labels = random, 0

    def thread(self, number: int) -> str:
        return f"  activate static void t{number}() {{\n" + self.block(1, 3) + "  }\n"

    def block(self, least: int, most: int, depth: int = 0, calls: bool = True) -> str:
        count = self.random.randint(least, most)
        return "".join(self._statement(depth, calls) for _ in range(count))

    def _truth(self) -> str:
        return self.random.choice(_TRUTHS)

    def _statement(self, depth: int, calls: bool) -> str:
        label = ""
        if self.random.random() < 0.3:
            self.labels += 1
            label = f"L{self.labels}: "
        return f"    {label}{self._bare(depth, calls)}\n"

    def _bare(self, depth: int, calls: bool) -> str:
        kind = self.random.random()
        if depth < 2 and kind < 0.3:
            return f"while ({self._truth()}) {{\n" + self.block(1, 2, depth + 1, calls) + "    }"
        if depth < 2 and kind < 0.4:
            return f"if ({self._truth()}) {{\n" + self.block(1, 2, depth + 1, calls) + "    }"
        if depth < 2 and kind < 0.5:
            return "atomic {\n" + self.block(1, 2, depth + 1, calls) + "    }"
        if kind < 0.6:
            return f"select {{ wait({self._truth()}) -> ; }}"
        if kind < 0.64:
            return f"assume({self._truth()});"
        if kind < 0.68:
            return f"assert({self._truth()});"
        if kind < 0.72:
            return "g.b = true;"
        if calls and kind < 0.8:
            return "step();"
        return self.random.choice(_STEPS)
