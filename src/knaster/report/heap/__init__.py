"""Programs with references: `values` (cells and enums in words), `entries` (a trace line by line), `picture` (what of
the heap is shown at a step), `layout` (where records stand), `drawing` (SVG, DOT),
`summaries` (what calls do to the heap) and `deadlock` (why no thread can move).
"""
