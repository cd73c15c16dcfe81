"""The kernel's machine finds the failures that the interpreter finds, in as many states, on random models."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from knaster.frontends.zing import parse
from knaster.semantics.heap.explore import explore
from support import ROOT
from support.generators.zing_models import ALIASING, BOUNDED, RICH, random_model, random_threads
from support.kernel_heap import explore_by_kernel
from support.small_models import ONE_THREAD, THREADS

MAKERS: dict[str, Callable[[Random], str]] = {
    "aliasing": lambda rng: random_model(rng, ALIASING),
    "rich": lambda rng: random_model(rng, RICH),
    "bounded": lambda rng: random_model(rng, BOUNDED),
    "threads": random_threads,
}
SMALL = 400


def compare(text: str, limit: int) -> bool:
    """Tell whether a model is small enough; the kernel finds in it what the interpreter finds."""
    program = parse(text)
    found = explore(program, limit)
    if not found.complete:
        return False
    kinds = explore_by_kernel(program, limit)
    assert kinds == ({failure.kind for failure in found.failures}, found.states), text
    return True


@pytest.mark.parametrize("kind", MAKERS)
def test_random_models(kind: str) -> None:
    rng = Random(kind)
    assert sum(compare(MAKERS[kind](rng), SMALL) for _ in range(14)) > 3


@pytest.mark.parametrize("text", [*(text for text, _ in ONE_THREAD.values()), *THREADS.values()])
def test_small_models(text: str) -> None:
    assert compare(text, SMALL)


@pytest.mark.parametrize("name", ONE_THREAD)
def test_ways_to_fail(name: str) -> None:
    text, kinds = ONE_THREAD[name]
    found = explore_by_kernel(parse(text), SMALL)
    assert found is not None and found[0] == kinds


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKERS)
def test_many_random_models(kind: str) -> None:
    rng = Random(f"many {kind}")
    assert sum(compare(MAKERS[kind](rng), 1_000) for _ in range(120)) > 40


EXAMPLES = sorted(path.name for path in (ROOT / "examples" / "zing").glob("*.zing"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    compare((ROOT / "examples" / "zing" / name).read_text(), 300)
