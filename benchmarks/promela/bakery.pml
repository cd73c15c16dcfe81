/* examples/temporal/bakery.bp in Promela. */
bit none_1 = 1, none_2 = 1, first = 1;

active proctype main_1() {
  do
  :: d_step { none_1 = 0; first = 0 };
WAIT: (none_2 || first);
IN:  assert(!none_1);
     d_step { none_1 = 1; first = 1 }
  od
}

active proctype main_2() {
  do
  :: d_step { none_2 = 0; first = 1 };
     (none_1 || !first);
     assert(!none_2);
     d_step { none_2 = 1; first = none_1 }
  od
}

ltl entered { [] (main_1@WAIT -> <> main_1@IN) }
