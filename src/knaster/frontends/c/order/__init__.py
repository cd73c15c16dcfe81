"""Where C leaves the order of evaluation open and that matters (C17 6.5, paragraphs 2 and 3).

accesses     places of a tree of C: a variable, a part of one, or what a pointer points to
extents      where a part of an object stands, and of which scalars and structs an object consists
conversions  what a file makes of its pointers
comparing    whether two places are the same object, as far as text and types tell
uses         what evaluating an expression reads and writes, and what of that is finished when its value is known
summaries    what functions read and write that their callers can notice
clashes      operands that are evaluated in no fixed order, one of which changes what the other one uses
watching     how a program remembers places, and asks behind an operator whether they are the same
labels       labels behind such steps where they are undefined, notes about the others
"""
