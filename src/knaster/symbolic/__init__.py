"""Sets and relations of states as binary decision diagrams."""
