"""Texts that somebody damaged: characters, words and lines lost, doubled, swapped or brought in from elsewhere.

`mutate(rng, text, others)` takes any `random.Random` and gives the same text for the same state of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

_WORD = re.compile(r"\w+|\s+|\"\w*\"|\[[^\[\]]*\]|[^\w\s]")
_STRANGE = "\0\x1b\x85\u2028é∧\ufeff{}()[]<>;:,'\"\\/*#@=&|!?~^-\t\r\n01TF_x"
_VALUES = ("0", "3", "-1", "1e999", "9" * 5000, "null", "[]", "{}", '""', "((", "'", "{a@b}", "#")
_MOST = 20_000  # characters


def mutate(rng: Random, text: str, others: Sequence[str]) -> str:
    """Return `text` with one to six damages."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        text = rng.choice(_DAMAGES)(rng, text, others)[:_MOST]
    return text


def _stretch(rng: Random, length: int, most: int) -> tuple[int, int]:
    start = rng.randint(0, length)
    return start, min(length, start + rng.randint(1, most))


def _drop_characters(rng: Random, text: str, others: Sequence[str]) -> str:
    start, end = _stretch(rng, len(text), 5)
    return text[:start] + text[end:]


def _insert_characters(rng: Random, text: str, others: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + "".join(rng.choices(_STRANGE, k=rng.randint(1, 4))) + text[at:]


def _repeat_characters(rng: Random, text: str, others: Sequence[str]) -> str:
    start, end = _stretch(rng, len(text), 30)
    return text[:start] + text[start:end] * rng.choice((2, 3, 200)) + text[end:]


def _change_words(rng: Random, text: str, others: Sequence[str]) -> str:
    words = _WORD.findall(text)
    other = _WORD.findall(rng.choice(others)) or [""]
    start, end = _stretch(rng, len(words), 3)
    words[start:end] = rng.choice(
        (
            [],
            [rng.choice(other)],
            [rng.choice(_VALUES)],
            [rng.choice(_VALUES), *words[start:end]],
            [rng.choice(other), *words[start:end]],
            rng.choices(words or [""], k=2),
            words[start:end] * 2,
            words[start:end][::-1],
        )
    )
    return "".join(words)


def _replace_everywhere(rng: Random, text: str, others: Sequence[str]) -> str:
    words = _WORD.findall(text) or [""]
    return (
        text.replace(rng.choice(words), rng.choice(words))
        if rng.random() < 0.5
        else text.replace(rng.choice(words), "")
    )


def _change_lines(rng: Random, text: str, others: Sequence[str]) -> str:
    lines = text.split("\n")
    start, end = _stretch(rng, len(lines), 4)
    other = rng.choice(others).split("\n")
    lines[start:end] = rng.choice(
        ([], lines[start:end] * 2, lines[start:end][::-1], rng.sample(other, min(2, len(other))))
    )
    return "\n".join(lines)


def _cut(rng: Random, text: str, others: Sequence[str]) -> str:
    words = _WORD.findall(text)
    at = rng.randint(0, len(words))
    return "".join(words[:at] if rng.random() < 0.7 else words[at:])


def _splice(rng: Random, text: str, others: Sequence[str]) -> str:
    other = rng.choice(others)
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


_DAMAGES = (
    _drop_characters,
    _insert_characters,
    _repeat_characters,
    _change_words,
    _change_words,
    _change_words,
    _replace_everywhere,
    _change_lines,
    _cut,
    _splice,
)
