"""Programs with memory whose pointers become numbers: a program over integers, for the engines that prove things.

refusal        what is not taken, by name
pointer_sets   what a pointer may be: objects, and offsets as a congruence
windows        members of structs that are bases of their own
scopes         variables that may be unset, objects that live
points_to      which pointers may be what, in the whole program
slots          the variables that stand for registers and for parts of objects
terms          pointers as terms of the reduced program
checks         what is asked before a step that may be undefined
floating_numbers  floating-point numbers as their bits
expressions    expressions over these variables
snapshots      constant bytes that are stored
actions        edges over these variables
dead_choices   inputs that nobody reads
reduce         the reduced program and its question
way_back       from a run of the reduced program, the inputs of the run that it stands for
"""
