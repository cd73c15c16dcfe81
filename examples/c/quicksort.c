// A Quicksort that does not end (Gurfinkel, Wei and Chechik, ATVA 2008, Figure 4c, after Esparza and Schwoon, CAV 2001).
// expect: TRUE
// expect: FALSE --property termination
extern int nondet(void);

void quicksort(int left, int right) {
  int lo, hi;
  if (left >= right) return;
  lo = left;
  hi = right;
  while (lo <= hi) {
    if (nondet()) {
      lo = lo + 1;
    } else {
      if (lo != left || hi != right) hi = hi - 1;
    }
  }
  if (lo <= hi) {
    ERROR: ;
  }
  quicksort(left, hi);
  quicksort(lo, right);
}

int main(void) {
  int mleft, mright;
  quicksort(mleft, mright);
  return 0;
}
