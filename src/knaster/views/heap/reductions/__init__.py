"""Fewer states of all threads, without losing a failure.

In reading order: `watched_memory` (what a step touches, and what other threads can reach), `thread_order` (threads that
nobody tells apart, in one order), `texts` (what the text of a procedure can read and write), `footprints` (what the
next move of a thread touches), `persistent_sets` (a thread whose next move concerns no other).
"""
