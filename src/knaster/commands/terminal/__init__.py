"""What commands share: arguments, settings and their flags, where texts come from and go to, signals, the screen.

`parser` reads arguments, `flags` declares those that several commands have, `settings` reads `knaster.toml`; `source`
and `outputs` are about files; `interruption` is about limits and Ctrl-C; `console` writes, in `colour`; `failure` says
what went wrong.

Also here: `executors` (who does the jobs of a command), `nothing` (what a command says where a limit or Ctrl-C came
before there was anything to tell), `recorder` (a console for a command that runs elsewhere), `sessions` (`--since`,
`check --watch`), `watch_file` (`knaster facts --watch`).
"""
