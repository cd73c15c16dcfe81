"""`make mutants`: change one operator of the trusted code at a time, and see whether a test fails.

After DeMillo, Lipton, Sayward, Hints on Test Data Selection (Computer 11(4), 1978).  Read `changes` (what is changed),
`marks` (which changes mean nothing), `areas` (where), `touched` (which test runs which line), `server` (a test session
that forks for every change), `children`, `trial` (what happens in a child), `whole` (changes outside of functions),
`report`, `kept` (verdicts that the repository keeps), and `__main__` (the command line).
"""
