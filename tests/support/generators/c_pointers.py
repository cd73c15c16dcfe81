"""Random C programs with pointers to variables: copies, addresses, null, allocation, branches, loops, blocks, calls."""

from __future__ import annotations

from random import Random

HEAD = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nint u, v;\nint *g, *h = &u;\n"


def random_text(rng: Random, *, recursive: bool) -> str:
    """Return the text of a program; with recursion `f` may call itself."""
    inner = _function(rng, "k", ["x"], [])
    outer = _function(rng, "f", ["x", "y"], ["f(x, y)"] if recursive else ["k(x)"])
    return f"{HEAD}{inner}{outer}{_function(rng, 'main', [], ['f(x, y)', 'k(x)'])}"


def _function(rng: Random, name: str, parameters: list[str], callees: list[str]) -> str:
    pointers = ["g", "h", "p", "q", *parameters]
    body = [f"  {_statement(rng, pointers, callees, 2)}" for _ in range(rng.randrange(2, 6))]
    if name == "main":
        head, end = "int main(void)", "return 0;"
    else:
        head = f"int *{name}({', '.join(f'int *{each}' for each in parameters)})"
        end = f"return {_value(rng, pointers)};"
    start = f"  int a, b, *p = {_value(rng, parameters or ['g'])}, *q;"
    return "\n".join([f"{head} {{", start, *body, f"  {end}", "}", ""])


def _statement(rng: Random, pointers: list[str], callees: list[str], depth: int) -> str:
    kind = rng.choice(["set"] * 5 + ["call"] * (2 * bool(callees)) + ["if", "while", "block"] * (depth > 0))
    if kind == "set":
        return f"{rng.choice(pointers)} = {_value(rng, pointers)};"
    if kind == "call":
        callee = rng.choice(callees).replace("x", _value(rng, pointers)).replace("y", _value(rng, pointers))
        call = f"{callee};" if rng.random() < 0.4 else f"{rng.choice(pointers)} = {callee};"
        return f"if (__VERIFIER_nondet_int()) {call}" if rng.random() < 0.4 or "f(" in call else call
    inner = " ".join(_statement(rng, pointers, callees, depth - 1) for _ in range(rng.randrange(1, 3)))
    if kind == "block":
        return f"{{ int c; {rng.choice(pointers)} = &c; {inner} }}"
    return f"{kind} (__VERIFIER_nondet_int()) {{ {inner} }}"


def _value(rng: Random, pointers: list[str]) -> str:
    chosen = rng.random()
    if chosen < 0.5:
        return rng.choice(pointers)
    if chosen < 0.85:
        return rng.choice(["&u", "&v", "&a", "&b"])
    return rng.choice(["0", "malloc(4)"])
