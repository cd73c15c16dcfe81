"""What a batch, or a machine elsewhere, does for one file: a question in, a text out.

In reading order: `job` (a plain record, and what becomes of it), `failure` (an error in words), `worker` (jobs in
another process), `watchdog` (limits that hold while native code runs), `memory` (between two jobs).  Nothing is
printed here.

Also here: `apart` (a process that is nobody's fork), `cluster` (jobs on many machines), `pool` (several workers at
once), `portion` (small files for a worker together), `remote` (what a worker of a cluster does), `travel` (what of a
program travels to another machine), `work` (what a worker does).
"""
