"""What we say: verdicts, traces, their replay, certificates and their check, and how they look."""
