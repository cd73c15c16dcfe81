"""The model of a program: expressions, control-flow graphs, their meaning."""
