"""Stack traces of gdb, sanitizers and Python."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.frontends.text.stack_traces import Frame, read_stack

GDB = """Program received signal SIGABRT, Aborted.
#0  __pthread_kill_implementation (threadid=1) at ./nptl/pthread_kill.c:44
#1  0x00005555 in f (x=1, s="a b:3") at prog.c:12
#2  0x00005566 in main () at prog.c:20
#3  0x00007ffff7 in __libc_start_main () from /lib/libc.so.6
"""
ASAN = """==1==ERROR: AddressSanitizer: heap-use-after-free
    #0 0x4f2a1b in f /src/my dir/prog.c:12:5
    #1 0x4f2b00 in main /src/prog.c:20:3
    #2 0x7f00 in _start (/usr/bin/prog+0x41)
"""
PYTHON = """Traceback (most recent call last):
  File "prog.c", line 20, in main
    f(1);
  File "prog.c", line 12, in f
Error
"""


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        (GDB, [("__pthread_kill_implementation", 44), ("f", 12), ("main", 20), ("__libc_start_main", None)]),
        (ASAN, [("f", 12), ("main", 20), ("_start", None)]),
        (PYTHON, [("f", 12), ("main", 20)]),
        ("f:12\nmain\n\n", [("f", 12), ("main", None)]),
    ],
)
def test_formats(text: str, frames: list[tuple[str, int | None]]) -> None:
    assert read_stack(text) == tuple(Frame(*frame) for frame in frames)


@pytest.mark.parametrize("text", ["", "\n", "segmentation fault (core dumped)", "f:12\nwhat is this\n"])
def test_what_is_no_stack(text: str) -> None:
    with pytest.raises(UsageError, match="the stack has no frame"):
        read_stack(text)
