"""The subcommands of the command line.

A command module has `configure(parser)`, which declares its arguments and imports nothing heavy, and
`run(options, console) -> int`, which does the work and returns the exit code.
"""
