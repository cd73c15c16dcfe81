"""Zing models: classes, threads, channels, references.

The language is described in docs/zing.md.  Source: Andrews, Qadeer, Rajamani, Rehof and Xie, Zing: A Model Checker for
Concurrent Software (CAV 2004), and the models that come with the Zing model checker.

The text is split into tokens (`lexer`), a first pass finds the declarations (`declarations`, `kinds`), and one pass
over each method builds its control-flow graph directly (`body`, `statements`, `calls`, `expressions`, `operators`,
`graph`).  Nothing recurses over the text; every mistake of a file is reported.  `spelling` is the way back.

Also here: `assignments` (declarations of locals, assignments, choices and calls that stand alone), `call_steps` (steps
that call or start a method), `joins` (the branches of a select), `members` (classes and interfaces), `mistakes`
(collects the mistakes of a Zing model), `nested_calls` (calls inside expressions), `primaries` (what stands in an
expression by itself), `programs` (text to Program), `single_steps` (statements that are one step and hold no others).
"""

from knaster.frontends.zing.programs import parse

__all__ = ["parse"]
