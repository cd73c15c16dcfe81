"""Modules that other tools load, each of which needs that tool; none imports a room of Knaster.

Also here: `benchexec` (the tool-info module of BenchExec).
"""
