"""What every test may rely on."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # a busy machine is slow, and that is no failure

os.environ["KNASTER_STRICT"] = "1"  # a mistake of an engine is seen, not mended by asking the next one

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell ignores Ctrl-C for what it starts in the background,
    signal.signal(signal.SIGINT, signal.default_int_handler)  # and so would every process that a test interrupts
