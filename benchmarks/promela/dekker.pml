/* examples/temporal/dekker.bp in Promela. */
bit want_1, want_2, turn;

active proctype main_1() {
  do
  :: true;
WANT: want_1 = 1;
     do
     :: want_2 ->
        if
        :: turn -> want_1 = 0; !turn; want_1 = 1
        :: else
        fi
     :: else -> break
     od;
IN:  assert(want_1);
     turn = 1;
     want_1 = 0
  od
}

active proctype main_2() {
  do
  :: true;
     want_2 = 1;
     do
     :: want_1 ->
        if
        :: !turn -> want_2 = 0; turn; want_2 = 1
        :: else
        fi
     :: else -> break
     od;
     assert(want_2);
     turn = 0;
     want_2 = 0
  od
}

ltl entered { [] (main_1@WANT -> <> main_1@IN) }
