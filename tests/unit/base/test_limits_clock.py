"""A faster clock for the whole suite: `KNASTER_TEST_CLOCK=100` reaches the processes that tests start."""

from __future__ import annotations

import os
import subprocess
import sys

from support import ROOT

SCRIPT = """
import time
from knaster.base import limits
before, machine = limits.clock(), time.monotonic()
while time.monotonic() == machine:
    pass
after, later = limits.clock(), time.monotonic()
print(50 * (machine - later) < 0 < after - before and after > 50 * machine)
"""


def test_the_clock_of_budgets_is_faster_in_a_process_of_its_own() -> None:
    path = os.pathsep.join([str(ROOT / "tests" / "support" / "fast_clock"), str(ROOT / "src")])
    for times, faster in (("100", "True"), ("1", "False")):
        environment = {**os.environ, "KNASTER_TEST_CLOCK": times, "PYTHONPATH": path}
        command = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == faster
