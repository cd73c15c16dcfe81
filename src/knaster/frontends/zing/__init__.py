"""Zing models: classes, threads, channels, references.

The language is described in docs/zing.md.  Source: Andrews, Qadeer, Rajamani, Rehof and Xie, Zing: A Model Checker for
Concurrent Software (CAV 2004), and the models that come with the Zing model checker.

The text is split into tokens (`lexer`), a first pass finds the declarations (`declarations`, `kinds`), and one pass
over each method builds its control-flow graph directly (`bodies`, `statements`, `calls`, `expressions`, `operators`,
`graph`).  Nothing recurses over the text; every mistake of a file is reported.  `spelling` is the way back.
"""

from knaster.frontends.zing.programs import parse

__all__ = ["parse"]
