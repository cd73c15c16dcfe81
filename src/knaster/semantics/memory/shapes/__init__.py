"""Shapes: sets of states of a program with memory, lists of any length in them (docs/c-memory.md, "Shapes").

To be read in this order: `shape` (what a shape is), `sleeping_machine` (a machine that begins in any state of a shape,
and what it is when it stops, as a shape again), `segments` (a segment of a list is one object, or one before a
segment), `calls` (what a call sees of a shape, and what comes back).
"""
