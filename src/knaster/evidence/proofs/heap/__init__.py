"""Proofs about programs with references: tables of states, effects and transactions, and their values as plain data.

Also here: `effect_table` (a table of effects), `fair_effects` (fair effects), `fair_states` (fair states: why an
automaton accepts no fair run of a model with references: all pairs of their states), `reduced_table` (a table of states
that leaves more out), `referred_table` (a table of the reference model of a Boolean program as a proof about the
program), `state_table` (a table of states), `transaction_table` (a table of states between transactions).
"""
