"""Where C leaves the order of evaluation open and that matters (C17 6.5, paragraphs 2 and 3).

accesses   places of a tree of C: a variable, a part of one, or what a pointer points to; when two may be the same
uses       what evaluating an expression reads and writes, and what of that is finished when its value is known
clashes    operands that are evaluated in no fixed order, one of which changes what the other one uses
labels     labels behind such steps where they are undefined, notes about the others
"""
