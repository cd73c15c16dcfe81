"""Pairs of terms: copies, null, new values, and calls with terms that only the caller has."""

from __future__ import annotations

from knaster.pushdown.domains.term_pairs import NULL, OUTSIDE, TermPairs

SAME = TermPairs(["g", "v"], ["p", "f"], differ=False)
DIFFER = TermPairs(["g", "v"], ["p", "f"], differ=True)


def test_a_copy_is_the_same_as_its_source() -> None:
    weight = SAME.extend(SAME.assign({}, [("v", "v")]), SAME.assign({"p": "v", "g": "v"}))
    assert {("g", "v"), ("v", "p"), ("g", "p")} <= weight.aliases()


def test_two_that_are_null_are_not_the_same() -> None:
    weight = SAME.extend(SAME.assign({}, [(NULL, NULL)]), SAME.assign({"p": NULL, "g": NULL}))
    assert weight.aliases() == {(NULL, NULL), (NULL, "p"), ("g", NULL)}
    assert SAME.sources(SAME.assign({"p": "g"}), NULL, "p") == [("g", NULL)]


def test_new_values_differ_from_everything() -> None:
    weight = DIFFER.assign({"p": None})
    assert weight.aliases() == {("g", "p"), ("v", "p"), (NULL, "p"), ("p", "f"), ("p", OUTSIDE)}
    after = DIFFER.extend(weight, DIFFER.assign({"f": "p"}))
    assert ("p", "f") not in after.aliases() and ("f", OUTSIDE) in after.aliases()


def test_what_a_callee_keeps_is_what_its_caller_passed() -> None:
    entry = {"p": None, "f": "p"}
    for domain in (SAME, DIFFER):
        merge = domain.merge(entry, domain.enter(entry))
        effect = merge(domain.one, domain.assign({"g": "f"}))
        assert domain.has(effect.rows[1 + domain.pairs.index(("v", "p"))], "g", "v")
        assert domain.sources(effect, "g", "f") == [("p", "f")]
        assert domain.has(effect.rows[1 + domain.pairs.index(("p", "f"))], "p", "f")
    same = SAME.merge(entry, SAME.enter(entry))(SAME.one, SAME.assign({"g": "f"}))
    assert SAME.sources(same, "g", "p") == [("p", "p")]
