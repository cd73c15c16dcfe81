"""Run one command and print what it cost, as JSON: a script of its own, so that the process that forks is small.

A child starts as a copy of its parent and the operating system counts that as its own peak; this one has about 10 MB.

    python -I -S launch.py WALL_SECONDS CPU_SECONDS OUTPUT ERRORS COMMAND...
"""

import json
import os
import resource
import signal
import sys
import time

wall_limit, cpu_limit, output, errors, *command = sys.argv[1:]
timed_out = False
started = time.perf_counter()
child = os.fork()
if child == 0:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_limit), int(cpu_limit) + 1))
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
signal.setitimer(signal.ITIMER_REAL, float(wall_limit))
_, status, usage = os.wait4(child, 0)
exit_code = os.waitstatus_to_exitcode(status)
report = {
    "seconds": time.perf_counter() - started,
    "cpu": usage.ru_utime + usage.ru_stime,
    "peak": usage.ru_maxrss << (0 if sys.platform == "darwin" else 10),
    "exit": exit_code,
    "timed_out": timed_out or exit_code == -signal.SIGXCPU,
}
sys.stdout.write(json.dumps(report))
