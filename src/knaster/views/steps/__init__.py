"""The program between cut points, cut once for a task (`Task.cut`), for engines over integers.

In reading order:

    points      which cut points there are, and which procedures are inlined
    cut         `CutProgram` and `Step`: pieces of the graph without cycles, from cut point to cut point
    paths       one reading of a step: straight lines, each a guard and an update over expressions (yasm)
    walk        how paths are made, edge by edge; `inputs` are the values that they read
    formulas    the other reading: one function in one arithmetic (horn, ranking, recurrence, inference)
    joins       how formulas are made, all edges from a cut point at once, merged where they meet
    chains      steps and calls composed between fewer cut points, inlined calls included (horn, inference)
    stretches   steps composed along cycles, with calls stepped over or entered (ranking, recurrence)
"""
