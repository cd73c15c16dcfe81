"""What every room may use: nothing here knows programs.

`errors` (what can go wrong, and whose fault it is), `exits` (the exit code of each end), `limits` (seconds,
megabytes, and what is left of them), `room` (numbers that a search remembers), `options` (choices as data, from which
flags and JSON derive), `spans` (places in texts), `hints` ("did you mean"), `graphs` (depth-first search,
components), `trampoline` (recursion without Python's stack), `lazy` (names that are imported when they are first
used), `visible` (control characters shown), `outputs` (files that are written whole or not at all).
"""
