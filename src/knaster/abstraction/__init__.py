"""Predicate abstraction of programs over integers: what is kept of a state is which predicates it satisfies.

A. Gurfinkel, O. Wei and M. Chechik, Model Checking Recursive Programs with Exact Predicate Abstraction (ATVA 2008).

`ways` cuts a program into ways between cut points; `predicates` says where which predicate is needed; `abstract`
relates what holds before a way, a call and a return to what holds after it; `boolean` writes that down as a Boolean
program; `preimage` says what must or may come before; `discover` finds new predicates.
"""
