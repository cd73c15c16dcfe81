"""Shrinking: a program on which something fails becomes a small one on which it still does, for reports of differences.

In reading order: `search` (the greedy search), `programs` (the programs next to a program), `expressions` (the same for
expressions and actions).
"""
