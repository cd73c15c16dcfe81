"""Run one command and print what it cost, as JSON: a script of its own, so that the process that forks is small.

A child starts as a copy of its parent and the operating system counts that as its own peak; this one has about 10 MB.

    python -I -S launch.py SECONDS OUTPUT ERRORS COMMAND...
"""

import json
import os
import signal
import sys
import time

timeout, output, errors, *command = sys.argv[1:]
timed_out = False
started = time.perf_counter()
child = os.fork()
if child == 0:
    os.setsid()
    writable = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for path, flags, descriptor in ((os.devnull, os.O_RDONLY, 0), (output, writable, 1), (errors, writable, 2)):
        os.dup2(os.open(path, flags), descriptor)
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(127)


def kill(*_: object) -> None:
    """End the command and all it has started."""
    global timed_out
    timed_out = True
    os.killpg(child, signal.SIGKILL)


for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, kill)
signal.setitimer(signal.ITIMER_REAL, float(timeout))
_, status, usage = os.wait4(child, 0)
report = {
    "seconds": time.perf_counter() - started,
    "cpu": usage.ru_utime + usage.ru_stime,
    "peak": usage.ru_maxrss << (0 if sys.platform == "darwin" else 10),
    "exit": os.waitstatus_to_exitcode(status),
    "timed_out": timed_out,
}
sys.stdout.write(json.dumps(report))
