"""What the readers of all languages share.

`files` (bytes → text), `content` (which language a text is written in, and which it is not), `tokens` (flat lists of
spellings and offsets), `options` (choices that reading a language leaves), `spelling` (how a language writes its
programs, for whoever shows one).

Also here: `several` (several files as one text, and back), `compilation` (compilation databases),
`stack_traces` (stack traces as gdb, sanitizers and Python-like listings print them → frames, the innermost
first).
"""
