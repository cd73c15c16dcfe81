"""Random programs, texts and systems: what each generator makes is what its name says."""
