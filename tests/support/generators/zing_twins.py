"""Random programs with recursion as a Zing model of one thread and as a Boolean program with the same statements."""

from __future__ import annotations

from random import Random

LABELS = ("A", "B", "C")
ATOMS = {"at(A)": "at(A)", "at(B)": "at(B)", "in(f)": "in(f)", "ended": "ended", "{x}": "{Main.x}", "{y}": "{Main.y}"}
"""Atoms as the Boolean program has them, each with that of the model."""


def random_twins(random: Random) -> tuple[str, str]:
    """Return a model and the Boolean program; what is a local `k` of the one is a field of a new cell of the other."""
    labels = list(LABELS)
    random.shuffle(labels)
    bodies = {name: _body(random, labels, name) for name in ("f", "g", "main")}
    left = [(f"{label}: x = y; ", f"{label}: x := y; ") for label in labels]
    ours, theirs = bodies["main"]
    bodies["main"] = ours + "".join(one for one, _ in left), theirs + "".join(other for _, other in left)
    zing, boolean = "class Cell { bool k; };\nclass Main {\n  static bool x; static bool y;\n", ""
    for name, (ours, theirs) in bodies.items():
        begin = "activate static" if name == "main" else "static"
        zing += f"  {begin} void {name}() {{ bool c; Cell cell; cell = new Cell; {ours}return; }}\n"
        boolean += f"void {name}() begin decl c, k; c, k := F, F; {theirs}return; end\n"
    return zing + "};\n", "decl x := 0, y := 0;\n" + boolean


def _body(random: Random, labels: list[str], name: str, depth: int = 0) -> tuple[str, str]:
    ours, theirs = "", ""
    for _ in range(random.randrange(1, 4)):
        one, other = _statement(random, labels, name, depth)
        ours, theirs = ours + one, theirs + other
    return ours, theirs


def _statement(random: Random, labels: list[str], name: str, depth: int) -> tuple[str, str]:
    kind = random.choice(
        ["assign", "assign", "choose", "call", "if", "if", "while"] if depth < 2 else ["assign", "call"]
    )
    mark = f"{labels.pop()}: " if labels and random.random() < 0.4 else ""
    if kind == "assign":
        place, value = random.choice("xyck"), random.choice(["x", "y", "!x", "!y", "k", "!k", "true", "false"])
        told = {"true": "T", "false": "F"}.get(value, value)
        ours = f"{place} = {value}".replace("k", "cell.k")
        return f"{mark}{ours}; ", f"{mark}{place} := {told}; "
    if kind == "choose":
        return f"{mark}c = choose(bool); ", f"{mark}c := *; "
    if kind == "call":
        called = random.choice("fg")
        return f"{mark}{called}(); ", f"{mark}{called}(); "
    test = random.choice(["x", "y", "c", "!c", "!x"])
    inner, outer = _body(random, labels, name, depth + 1)
    chosen = ("c = choose(bool); ", "c := *; ") if random.random() < 0.6 else ("", "")
    if kind == "if":
        return f"{chosen[0]}{mark}if ({test}) {{ {inner}}} ", f"{chosen[1]}{mark}if ({test}) then {outer}fi "
    return (
        f"{chosen[0]}{mark}while ({test}) {{ {inner}{chosen[0]}}} ",
        f"{chosen[1]}{mark}while ({test}) do {outer}{chosen[1]}od ",
    )
