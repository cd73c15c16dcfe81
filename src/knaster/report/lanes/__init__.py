"""Traces of several threads: `entries` (line by line, with contexts), `rows` (context by context), `table` (HTML) and
`picture` (SVG), a lane for each thread.
"""
