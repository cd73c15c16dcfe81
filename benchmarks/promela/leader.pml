/* examples/temporal/leader.bp in Promela. */
bit leader, full_1, high_1, low_1, full_2, high_2, low_2, full_3, high_3, low_3;

active proctype main_1() {
  bit h, l;
  d_step { full_2 = 1; high_2 = 1; low_2 = 0 };
  do
  :: !leader ->
     atomic { (full_1 || leader) -> h = high_1; l = low_1; full_1 = 0 };
     if
     :: h && l && !leader -> atomic { (!full_2 || leader) -> full_2 = 1; high_2 = h; low_2 = l }
     :: else
     fi
  :: else -> break
  od
}

active proctype main_2() {
  bit h, l;
  d_step { full_3 = 1; high_3 = 0; low_3 = 1 };
  do
  :: !leader ->
     atomic { (full_2 || leader) -> h = high_2; l = low_2; full_2 = 0 };
     if
     :: h && !leader -> atomic { (!full_3 || leader) -> full_3 = 1; high_3 = h; low_3 = l }
     :: else
     fi
  :: else -> break
  od
}

active proctype main_3() {
  bit h, l;
  d_step { full_1 = 1; high_1 = 1; low_1 = 1 };
  do
  :: !leader ->
     atomic { (full_3 || leader) -> h = high_3; l = low_3; full_3 = 0 };
     if
     :: h && l -> assert(!leader); leader = 1
     :: else
     fi
  :: else -> break
  od
}

ltl elected { <> leader }
