"""Which Boolean variable stands for which part of a state of a program; what a proof on BDDs means depends on it.

Read `order` (variables that meet in statements stand near each other), `slots` (one activation: globals, and locals in
slots that procedures share), `lanes` (all threads: control points and stacks).  Views encode programs by these
layouts, proofs carry them, and checkers read proofs by them; no BDD library is needed here.

Also here: `point_order` (an order of the control points of a thread in which loops go back).
"""
