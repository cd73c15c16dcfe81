"""PL: the small language of Gurfinkel, Wei and Chechik, *Model Checking Recursive Programs with Exact Predicate
Abstraction* (ATVA 2008), section 3, over mathematical integers (docs/language.md).

The text is split into tokens (`lexer`); `expressions` and `statements` read it in one pass and make the control-flow
graph at once; `programs` reads functions and resolves calls; `spelling` writes.
"""

from knaster.frontends.pl.programs import parse

__all__ = ["parse"]
