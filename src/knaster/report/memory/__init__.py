"""Runs of programs with memory for people: `entries`, and `picture` (objects and pointers before a step).

For compilers: `thread_events` (what threads do that others notice) and `schedule_harness` (C that forces their turns).
"""
