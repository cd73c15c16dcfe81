"""How fast, and how fast beside others: program families, a harness, plots, and z3's engines as peers."""
