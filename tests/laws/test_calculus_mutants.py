"""Systems that somebody changed by a word or two: each is answered, with reasons, or refused; nothing else happens."""

from __future__ import annotations

import os
import re
from random import Random

import pytest

from knaster.base.errors import SourceError
from knaster.calculus import evaluate, parse
from knaster.calculus.answers.render import answer_json, answer_text
from support import ROOT
from support.generators.calculus_systems import Writer, nested

EXAMPLES = ROOT / "examples" / "calculus"
FACTOR = int(os.environ.get("KNASTER_EXAMPLES", "1"))
TOKEN = re.compile(r"//[^\n]*|#?[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\s+|<->|<\+>|->|.", re.DOTALL)
ALIKE = (
    ("&", "|"),
    ("exists", "forall"),
    ("=", "!=", "<", "<=", ">"),
    ("->", "<->", "<+>"),
    ("(", "(! "),
    ("0", "1", "2"),
)


def original(random: Random) -> str:
    """Return a text that means something."""
    match random.randrange(3):
        case 0:
            return random.choice(sorted(EXAMPLES.glob("*.mu"))).read_text("utf-8")
        case 1:
            text = Writer(random, positive=random.random() < 0.5, mixed=True).text()
            return re.sub(r"^bool ([TI]\([^)]*\));", r"bool \1 1;", text, flags=re.MULTILINE)
        case _:
            return nested(random, positive=random.random() < 0.5)


def mutant(random: Random) -> str:
    """Return a text with a few words replaced by words that may stand in their place, and reasons asked for."""
    tokens: list[str] = TOKEN.findall(original(random))
    names = [token for token in tokens if token[0].isalpha()]
    for _ in range(random.randint(0, 3)):
        at = random.randrange(len(tokens))
        alike = next((group for group in ALIKE if tokens[at] in group), ())
        if alike:
            tokens[at] = random.choice(alike)
        elif tokens[at][0].isalpha() and random.random() < 0.3:
            tokens[at] = random.choice(names)
    kind = {name: random.choice(("mu", "nu")) for name in sorted({*names})} if random.random() < 0.5 else {}
    for at, token in enumerate(tokens):
        if token in ("mu", "nu"):  # a prototype and its definition get the same word
            name = next((other for other in tokens[at + 1 :] if other[0].isalpha() and other != "bool"), "")
            tokens[at] = kind.get(name, token)
    text = "".join(tokens)
    return re.sub(r"^((?:X\d|exists|\().*;)$", random.choice((r"\1", r"#wit \1", r"#cex \1")), text, flags=re.MULTILINE)


def answer(seed: int) -> bool:
    """Tell whether a mutant is answered; whatever is said about it can be printed."""
    text = mutant(Random(seed))
    try:
        solution = evaluate(parse(text), timeout=10)
    except SourceError as refusal:
        assert refusal.problems, text
        return False
    for each in solution.answers:
        assert answer_text(each) and answer_json(each)
    return True


def test_mutants() -> None:
    assert sum(map(answer, range(60 * FACTOR))) > 20


@pytest.mark.slow
def test_many_mutants() -> None:
    assert sum(map(answer, range(10_000, 13_000))) > 1000
