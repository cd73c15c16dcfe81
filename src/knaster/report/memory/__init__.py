"""Runs of programs with memory for people: `entries`, and `picture` (objects and pointers before a step)."""
