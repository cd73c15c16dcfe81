"""What every test may rely on."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell ignores Ctrl-C for what it starts in the background,
    signal.signal(signal.SIGINT, signal.default_int_handler)  # and so would every process that a test interrupts
