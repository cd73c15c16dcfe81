"""What a batch, or a machine elsewhere, does for one file: a question in, a text out.

In reading order: `job` (a plain record, and what becomes of it), `failure` (an error in words), `worker` (jobs in
another process), `watchdog` (limits that hold while native code runs), `memory` (between two jobs).  Nothing is
printed here.
"""
