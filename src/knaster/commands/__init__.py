"""The commands of the command line: what a user gives, and what is printed.

`table` lists them; a command module has `configure(parser)`, which declares its arguments and imports nothing heavy,
and `run(options, console) -> int`, which does the work and returns the exit code.  They share what is in
`terminal/`, and `batch` (several files).  `comparison` is what `compare` finds out.
"""
