"""Ctrl-C that waits for a good moment."""

from __future__ import annotations

import signal

import pytest

from knaster.base.deferred_interrupt import DeferredInterrupt


def test_a_patient_one_notes_every_signal_and_raises_none() -> None:
    with DeferredInterrupt(patient=True) as interrupt:
        assert not interrupt.came
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert interrupt.came
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_the_second_signal_is_raised_at_once() -> None:
    with DeferredInterrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), interrupt.listening():
            raise AssertionError("the first one was forgotten")
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
