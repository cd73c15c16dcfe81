"""Fingerprints of states: what is new, where it came from, and how much memory that takes."""

from __future__ import annotations

from random import Random

from knaster.engines.explicit.fingerprint_store import FingerprintStore, collision_probability, fingerprint


def test_a_store_is_a_set_that_remembers_the_order() -> None:
    rng, store, seen = Random(1), FingerprintStore(), set()
    for _ in range(900):
        value = rng.getrandbits(9) << 52 | 7  # all begin in the same place of the table
        assert store.add(value, max(len(store) - 1, 0)) is (value not in seen)
        seen.add(value)
    assert len(store) == len(seen) and set(store.fingerprints) == seen
    assert store.chain(3) == list(store.fingerprints[:4])


def test_a_state_takes_less_than_40_bytes() -> None:
    store = FingerprintStore()
    for number in range(100_000):
        store.add(fingerprint(number.to_bytes(8, "little")), 0)
        assert number < 1024 or store.size_in_bytes < 40 * len(store)


def test_probabilities() -> None:
    assert collision_probability(1) == 0 and 1e-8 < collision_probability(1_000_000) < 1e-7
    assert fingerprint(b"a") != fingerprint(b"b") and fingerprint(b"a") == fingerprint(b"a")
