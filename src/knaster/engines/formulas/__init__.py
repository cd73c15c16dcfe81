"""Model checkers as formulas, and the relations that a program gives them."""
