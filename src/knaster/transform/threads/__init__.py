"""Threads as sequential programs, after Lal and Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential
Analysis (CAV 2008; Lal's thesis, chapter 7).

In reading order: `starts` (how a program starts threads), `interruption` (procedures that can be interrupted),
`schedules` (who runs when, as variables: switches and rounds), `sequentialize` (the whole program, and the reduction),
`way_back` (its runs as runs of the threads).  For methods that look at one thread at a time: `waiting_threads` (started
threads that are there from the start), `thread_view` (what a thread sees of a schedule), `contexts` (the threads, each
under a procedure of its own).
"""
