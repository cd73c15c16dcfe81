"""What commands share: arguments, settings and their flags, where texts come from and go to, signals, the screen.

`parser` reads arguments, `flags` declares those that several commands have, `settings` reads `knaster.toml`; `source`
and `outputs` are about files; `interruption` is about limits and Ctrl-C; `console` writes, in `colour`; `failure` says
what went wrong.
"""
