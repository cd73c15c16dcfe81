"""The commands of the command line: what a user gives, and what is printed.

`table` lists them; a command module has `configure(parser)`, which declares its arguments and imports nothing heavy,
and `run(options, console) -> int`, which does the work and returns the exit code.  They share `flags` (arguments),
`interruption` (limits and Ctrl-C), `source` (files and standard input), `console` and `colour` (what is
written), `failure` (errors), and `batch` (several files).  `comparison` is what `compare` finds out.
"""
