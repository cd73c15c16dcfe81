"""What every test may rely on."""

from __future__ import annotations

import gc
import importlib
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # a busy machine is slow, and that is no failure

os.environ["KNASTER_STRICT"] = "1"  # a mistake of an engine is seen, not mended by asking the next one

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell ignores Ctrl-C for what it starts in the background,
    signal.signal(signal.SIGINT, signal.default_int_handler)  # and so would every process that a test interrupts

if "KNASTER_TEST_CLOCK" in os.environ:  # a clock of budgets that is so many times faster, in processes started too
    from support.fast_clock.sitecustomize import hasten

    hasten(importlib.import_module("knaster.base.limits"))
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parent / "support" / "fast_clock"), os.environ.get("PYTHONPATH", "")]
    ).rstrip(os.pathsep)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the collector pass over thousands of tests and modules, which stay to the end, each time that it runs."""
    gc.collect()
    gc.freeze()
