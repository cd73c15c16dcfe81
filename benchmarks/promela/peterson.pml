/* examples/temporal/peterson.bp in Promela. */
bit want_1, want_2, turn;

active proctype main_1() {
  do
  :: want_1 = 1;
     turn = 1;
WAIT: (!want_2 || !turn);
IN:  skip;
     want_1 = 0
  od
}

active proctype main_2() {
  do
  :: want_2 = 1;
     turn = 0;
     (!want_1 || turn);
     skip;
     want_2 = 0
  od
}

ltl entered { [] (main_1@WAIT -> <> main_1@IN) }
