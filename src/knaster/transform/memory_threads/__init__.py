"""Threads of programs with memory as procedures over shared variables, for the methods that know integers.

started_threads   which threads a program starts, by its text
thread_words      words of threads (locks, joins, starts) as steps on memory
sections          where no section is open
thread_copies     the program with memory in which each thread has procedures of its own
shared_program    the same over integers (`transform.regions`), and where threads can notice each other
rounds            threads in so many rounds as one sequential program (Lal and Reps, with variables of any type)
round_runs        its runs as runs of the threads
"""
