"""What every room may use: nothing here knows programs.

`errors` (what can go wrong, and whose fault it is), `exits` (the exit code of each end), `limits` (seconds, megabytes,
and what is left of them), `memory_count` (numbers that a search remembers), `options` (choices as data, from which
flags and JSON derive), `spans` (places in texts), `hints` ("did you mean"), `graphs` (depth-first search, components),
`trampoline` (recursion without Python's stack), `lazy` (names that are imported when they are first used), `visible`
(control characters shown), `outputs` (files that are written whole or not at all).

Also here: `circle_graph` (the picture of a small graph), `deadline` (ends work that looks at no budget, such as
reading a text), `deferred_interrupt` (Ctrl-C that waits for a good moment), `many_records` (many records from
columns), `file_line` (a line of a program of several files), `file_store` (a folder of texts by key), `named_tuples`
and `records` (what `NamedTuple` and `dataclass` make, whose methods are written when they are needed).
"""
