// The simple summary algorithm.  La Torre, Madhusudan, Parlato, PLDI 2009, section 4.1.
//
// Summary(u, v): u is an entry and v a state of the same procedure that a run from u reaches, returning from all calls.
// It starts from every entry, reachable or not.

mu bool Summary(State u, State v) u ~+ v
    (Entry(u.mod, u.pc) & u = v)                                                            // clause 1
  | (exists State x. Summary(u, x) & ProgramInt(x, v))                                      // clause 2
  | (exists State x, State y, State z.                                                      // clause 3
       Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z.mod, z.pc) & Return(x, z, v));

// The entries that are reachable: the paper asks about main only, and leaves the rest to the reader.
mu bool Entered(State u)
    Init(u)
  | (exists State x, State y. Entered(x) & Summary(x, y) & IntoCall(y, u));

bool Reached(Module mod, Counter pc)
  exists State u, State v. Entered(u) & Summary(u, v) & v.mod = mod & v.pc = pc;

exists Module mod, Counter pc. Target(mod, pc) & Reached(mod, pc);
