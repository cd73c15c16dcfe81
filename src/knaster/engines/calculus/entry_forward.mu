// The entry-forward algorithm.  La Torre, Madhusudan, Parlato, PLDI 2009, section 4.2, with its split return clause.
//
// Summary(u, v): u is a *reachable* entry and v a state of the same procedure that a run from u reaches.

mu bool Summary(State u, State v) u ~+ v
    (Init(u) & u = v)                                                                       // clause 1
  | (exists State x. Summary(u, x) & ProgramInt(x, v))                                      // clause 2
  | (u = v & (exists State x, State y. Summary(x, y) & IntoCall(y, u)))                     // clause 3
  | (exists Counter xpc, Module zmod, Local yL, Global yG.                                  // clause 4, split:
       (exists State x. Summary(u, x) & x.pc = xpc                                          //   the caller, (A)
          & ReturnA(x, zmod, v) & IntoCall1(x, zmod, yL, yG))
     & (exists State y, State z. Summary(y, z) & y.L = yL & y.G = yG                        //   the callee, (B)
          & z.mod = zmod & Exit(z.mod, z.pc) & ReturnB(v.mod, xpc, z, v)));

bool Reached(Module mod, Counter pc)
  exists State u, State v. Summary(u, v) & v.mod = mod & v.pc = pc;

exists Module mod, Counter pc. Target(mod, pc) & Reached(mod, pc);
