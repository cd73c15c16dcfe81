"""Names of temporaries: told from those of users, and shown as calls."""

from __future__ import annotations

from knaster.program.temporaries import is_temporary, shown_name, temporary_name


def test_results_of_calls_are_shown_as_calls() -> None:
    name = temporary_name("f", 12)
    assert is_temporary(name)
    assert is_temporary(f"{name}.next")
    assert shown_name(name) == "f()"
    assert shown_name(f"{name}.next") == "f().next"


def test_parts_of_statements_are_not_shown() -> None:
    assert is_temporary(temporary_name("", 3))
    assert shown_name(temporary_name("", 3)) == ""


def test_names_of_users_are_none() -> None:
    for name in ("f", "f$1", "$1", "x#2", "a.b", "f@result"):
        assert not is_temporary(name)
