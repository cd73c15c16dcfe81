// Threads within a number of context switches.  La Torre, Madhusudan, Parlato, Analyzing Recursive Programs using a
// Fixed-point Calculus, PLDI 2009, section 5.1.  The numbers of threads and of contexts are in the types alone.
//
// Reach(ecs, cs, t, g, u, v): some run with cs switches ends in v, where the threads t own the contexts 0, 1, ... cs and
// context i begins in the shared state g at i; u is how the procedure of v was entered, in context ecs.
//
// Differences.  In the paper t and g are those of the run; here they need agree with it only as far as the thread that
// runs can tell: which contexts are its own, in which states those begin and end.  Of the rest nothing is remembered,
// which is what makes the set small.  Left has all of t and g: with what a context can begin.  A thread is interrupted
// only where another one can notice (Free), and goes on only from the state that it was left in, outside a section too;
// as printed, the last clause lets it go on from any state that it was ever in.  The entry u has no location of its own.

bool First(Context cs, Owners t)
  exists Thread j. Turn(cs, t, j) & !(exists Context d. d < cs & Turn(d, t, j));

bool Consecutive(Context d, Context cs, Owners t)
  d < cs & (exists Thread j. Turn(d, t, j) & Turn(cs, t, j)
              & !(exists Context c. d < c & c < cs & Turn(c, t, j)));

bool Alike(Context i, Vector g, Vector h)
  i = 0 | (exists Global G. Handed(i, g, G) & Handed(i, h, G));

bool Last(Context i)
  forall Context d. d <= i;

// The owner of context cs cannot tell s and h from t and g.
bool Same(Context cs, Owners s, Vector h, Owners t, Vector g)
  exists Thread j. Turn(cs, s, j) & (forall Context i. i <= cs ->
     (Turn(i, s, j) <-> Turn(i, t, j))
   & (Turn(i, s, j) & !Last(i) -> Alike(i, g, h))
   & (forall Context later. later = i + 1 & later <= cs & Turn(i, s, j) -> Alike(later, g, h)));

mu bool Left(Context cs, Owners t, Vector g);
mu bool Begun(Context cs, Owners t, Vector g, Global G);

mu bool Reach(Context ecs, Context cs, Owners t, Vector g, Entry u, State v)
    (ecs = 0 & cs = 0 & Start(v.G) & Enter(u, v) & (exists Thread j. Turn(cs, t, j) & Init(j, v)))    // initial
  | (exists State x. Reach(ecs, cs, t, g, u, x) & ProgramInt(x, v))                                   // internal
  | (ecs = cs & Enter(u, v)                                                                           // call
       & (exists Context c, Entry x, State y. Reach(c, cs, t, g, x, y) & IntoCall(y, v.mod, u)))
  | (exists Context c, Counter xpc, Module zmod, Entry y. c <= cs                                     // return:
       & (exists State x. Reach(ecs, c, t, g, u, x) & x.pc = xpc                                      //   the caller
            & ReturnA(x, zmod, v) & IntoCall(x, zmod, y))
       & (exists State z. Reach(c, cs, t, g, y, z)                                                    //   the callee
            & z.mod = zmod & Exit(z.mod, z.pc) & ReturnB(v.mod, xpc, z, v)))
  | (ecs = cs & Begun(cs, t, g, v.G) & First(cs, t) & Enter(u, v)                                    // first switch
       & (exists Thread j. Turn(cs, t, j) & Init(j, v)))
  | (Begun(cs, t, g, v.G)                                                                             // switch back
       & (exists Context d, Context later, State w. Reach(ecs, d, t, g, u, w) & Consecutive(d, cs, t)
            & later = d + 1 & Handed(later, g, w.G) & Free(w) & v.mod = w.mod & v.pc = w.pc & v.L = w.L));

// Context cs can begin: the one before it was interrupted in the state that it begins in, and another thread owns it.
mu bool Left(Context cs, Owners t, Vector g)
  exists Context ecs, Context d, Entry u, State v. cs = d + 1 & Reach(ecs, d, t, g, u, v) & (d = 0 | Left(d, t, g))
    & Free(v) & Handed(cs, g, v.G) & !Consecutive(d, cs, t);

mu bool Begun(Context cs, Owners t, Vector g, Global G)
  exists Owners s, Vector h. Left(cs, s, h) & Handed(cs, h, G) & Same(cs, s, h, t, g);

bool Reached(Module mod, Counter pc, Context cs)
  exists Context ecs, Owners t, Vector g, Entry u, State v. Reach(ecs, cs, t, g, u, v) & v.mod = mod & v.pc = pc;
