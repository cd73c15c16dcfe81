// A model checker for LTL.  The program is the product of Knaster: a recursive program beside the automaton of what its runs
// must not do; Target are the places of accepting steps.  An infinite run has infinitely many moments at which the stack never
// again gets lower: from one to the next it takes a Step.  Some run is wrong iff it passes Target again and again
// (Emerson and Lei, LICS 1986: a greatest fixed point of a least one).

mu bool Summary(State u, State v) u ~+ v
    (Entry(u.mod, u.pc) & u = v)
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
  | (exists State x, State y, State z.
       Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z.mod, z.pc) & Return(x, z, v));

bool Step(State u, State v) u ~+ v
    ProgramInt(u, v)                                                                        // inside the procedure
  | IntoCall(u, v)                                                                          // a call that does not return
  | (exists State y, State z. IntoCall(u, y) & Summary(y, z) & Exit(z.mod, z.pc) & Return(u, z, v));   // one that does

nu bool Endless(State u);

mu bool Near(State u)
    (Target(u.mod, u.pc) & (exists State v. Step(u, v) & Endless(v)))
  | (exists State v. Step(u, v) & Near(v));

nu bool Endless(State u)
  Near(u);

bool Reached(Module mod, Counter pc)
  exists State u. Init(u) & Endless(u) & u.mod = mod & u.pc = pc;
