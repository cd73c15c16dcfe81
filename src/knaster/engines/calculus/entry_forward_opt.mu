// The optimised entry-forward algorithm.  La Torre, Madhusudan, Parlato, PLDI 2009, section 4.3; [n] is its clause n.
//
// Summary(1, u, v): as in entry_forward.mu, found so far; Summary(0, u, v): found before the last round.  A round looks
// only at the program counters where something was new (Relevant), closes them under internal steps (New1) and takes
// one step of calls and returns (New2).  Relevant uses Summary negatively, so this is no least fixed point of a positive
// system: it is what the iteration of section 3 computes, and the iteration ends because Summary(1, ...) only grows.
// New1 and New2 are recursive through Summary, hence mu.

mu bool Summary(bool fr, State u, State v) u ~+ v;
mu bool Relevant(Module mod, Counter pc);
mu bool New1(State u, State v) u ~+ v;
mu bool New2(State u, State v) u ~+ v;

mu bool Summary(bool fr, State u, State v) u ~+ v
    (fr = 1 & Init(u) & u = v)                                                              // [1]
  | Summary(1, u, v)                                                                        // [2]
  | (fr = 1 & (New1(u, v) | New2(u, v)));                                                   // [3]

mu bool Relevant(Module mod, Counter pc)                                                    // [4]
  exists State u, State v. Summary(1, u, v) & ! Summary(0, u, v) & v.mod = mod & v.pc = pc;

mu bool New1(State u, State v) u ~+ v
    (Summary(1, u, v) & Relevant(v.mod, v.pc))                                              // [5]
  | (exists State x. New1(u, x) & ProgramInt(x, v));                                        // [6]

mu bool New2(State u, State v) u ~+ v
    (u = v & (exists State x, State y.                                                      // [7]
       Relevant(y.mod, y.pc) & Summary(1, x, y) & IntoCall(y, u)))
  | (exists Counter xpc, Module zmod, Local yL, Global yG.                                  // [8]-[11], split as in 4.2
       (exists State x. Summary(1, u, x) & x.pc = xpc & Relevant(x.mod, x.pc)
          & ReturnA(x, zmod, v) & IntoCall1(x, zmod, yL, yG))
     & (exists State y, State z. Summary(1, y, z) & y.L = yL & y.G = yG
          & z.mod = zmod & Exit(z.mod, z.pc) & ReturnB(v.mod, xpc, z, v)))
  | (exists Counter xpc, Module zmod, Local yL, Global yG.
       (exists State x. Summary(1, u, x) & x.pc = xpc
          & ReturnA(x, zmod, v) & IntoCall1(x, zmod, yL, yG))
     & (exists State y, State z. Summary(1, y, z) & y.L = yL & y.G = yG & Relevant(z.mod, z.pc)
          & z.mod = zmod & Exit(z.mod, z.pc) & ReturnB(v.mod, xpc, z, v)));

bool Reached(Module mod, Counter pc)
  exists State u, State v. Summary(1, u, v) & v.mod = mod & v.pc = pc;

exists Module mod, Counter pc. Target(mod, pc) & Reached(mod, pc);
