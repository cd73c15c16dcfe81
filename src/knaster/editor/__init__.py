"""A language server: what is wrong with a text at once, what `check` finds when it is saved, what was proved at a line.

In reading order: `answer` (what a worker finds out about a text), `diagnostics` (what an editor shows of it; these
need no server), `server` (the protocol, by pygls, which the extra `knaster[lsp]` installs).
"""
