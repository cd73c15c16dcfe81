"""Threads of programs with memory as procedures over shared variables, and as sequential programs over integers.

started_threads   which threads a program starts, by its text
copied_procedure  a procedure of one thread while it is made
lock_words        words of locks as steps on memory
thread_words      words of threads (starts, joins, locks) as steps on memory
sections          where no section is open
thread_copies     the program with memory in which each thread has procedures of its own
shared_edges      what edges over shared variables use, and what they are made of
protected         which shared variables a mutex protects
shared_program    the threads over integers (`transform.regions`), and where they can notice each other
rounds            threads in so many rounds as one sequential program (Lal and Reps, with variables of any type)
flat_threads      one thread as one graph
interleavings     all interleavings as one sequential program
guaranteed_threads  each thread as a sequential program in which the others do what they guarantee
guided_threads    threads that run as a run of a sequential program says
round_runs        runs of these programs as runs of the threads
"""
