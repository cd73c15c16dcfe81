"""What Python raises where the address space is limited is no mistake of ours."""

from __future__ import annotations

import pytest

from knaster.base import limits
from knaster.base.exits import ExitCode
from knaster.jobs import failure
from knaster.jobs.failure import explain

ERRORS = [SystemError("error return without exception set"), ImportError("failed to map segment from shared object")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_too_little_address_space_is_said(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.delenv("KNASTER_DEBUG", raising=False)
    assert explain(error)[0] is ExitCode.FAULT
    for module in (limits, failure):
        monkeypatch.setattr(module, "address_space", lambda: 250_000 << 10)
    code, message = explain(error)
    assert code is ExitCode.REFUSED and "244 MB of it are allowed" in message and "bug" not in message
