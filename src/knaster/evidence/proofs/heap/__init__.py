"""Proofs about programs with references: tables of states, effects and transactions, and their values as plain data."""
