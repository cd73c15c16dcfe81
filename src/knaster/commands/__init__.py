"""The commands of the command line: what a user gives, and what is printed.

`table` lists them; a command module has `configure(parser)`, which declares its arguments and imports nothing heavy,
and `run(options, console) -> int`, which does the work and returns the exit code.  They share what is in
`terminal/`, and in `files/` (several files of one command).  `comparison` is what `compare` finds out.

Also here: `cache` (`knaster cache`), `certify` (`knaster certify`), `check` (`knaster check`), `comparison_table` (what
several engines say), `crash` (`knaster crash`), `demo` (`knaster demo`), `facts` (`knaster facts`), `lsp` (`knaster
lsp`), `project` (`knaster project`), `property` (`knaster property`), `pushdown` (`knaster pushdown`), `schema`
(`knaster schema`), `show` (`knaster show`), `solve` (`knaster solve`), `validate` (`knaster validate`).
"""
