"""Proofs about threads: sets of configurations, interference, stacks, fair sets, infinite runs, sequential programs."""
