// Two processes share a resource. Is every request answered, on every run, again and again?
enum Place { idle, waiting, using };
class State { Place p[2]; };

bool Move0(State s, State t)
  t.p[1] = s.p[1] &
  case s.p[0] = idle    : t.p[0] = waiting;
       s.p[0] = waiting : s.p[1] != using & t.p[0] = using;
       1                : t.p[0] = idle; esac;

bool Move1(State s, State t)
  t.p[0] = s.p[0] &
  case s.p[1] = idle    : t.p[1] = waiting;
       s.p[1] = waiting : s.p[0] != using & t.p[1] = using;
       1                : t.p[1] = idle; esac;

bool Step(State s, State t) Move0(s, t) | Move1(s, t);

mu bool Reach(State s)
    (s.p[0] = idle & s.p[1] = idle)
  | (exists State r. Reach(r) & Step(r, s));

// AG safe: never both at once.
forall State s. Reach(s) -> !(s.p[0] = using & s.p[1] = using);

// EG EF: a run along which process 0 can always still get the resource: a nu around a mu.
mu bool CanUse(State s)
    s.p[0] = using
  | (exists State t. Step(s, t) & CanUse(t));
nu bool Always(State s)
  CanUse(s) & (exists State t. Step(s, t) & Always(t));
forall State s. Reach(s) -> Always(s);

// AF: on *every* run process 0 gets it. It does not: process 1 can take every turn.
mu bool Must(State s)
    s.p[0] = using
  | ((exists State t. Step(s, t)) & (forall State t. Step(s, t) -> Must(t)));
forall State s. Reach(s) & s.p[0] = waiting -> Must(s);
