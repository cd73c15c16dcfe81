"""What a program with memory does that has threads: pthreads and C11, sequentially consistent (docs/c.md).

To be read in this order:

    machine       the machine with threads: who runs, what only one thread can reach, sections that nobody interrupts
    locks         mutexes, reader-writer locks, conditions, semaphores, barriers: their state is in their own bytes
    operations    threads that begin, end and are waited for; what belongs to one thread; THREADS, the table of all
    visible       which steps other threads can notice
    states        a machine as a value that can be compared, up to the names of objects
    turns         what one thread does from one visible step to the next, on every choice
    exploration   all states that threads can come to, few switches first
    run_graph     the graph of turns, for questions about infinite runs

Also here: `footprints` (what a thread may still use, from where it stands), `persistent` (threads whose next step
concerns nobody else, now or later), `races` (races: two threads whose next steps use the same bytes, one of them
writes, and not both are inside sections), `library_uses` (what a call of the library uses: it is tried on a copy).
"""
