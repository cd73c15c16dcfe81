"""The fixed-point calculus; knows no programs."""
