// Gurfinkel, Wei and Chechik, ATVA 2008, Figure 4 (c), the wrong quicksort of Moped's makers, in their language PL.
// expect: TRUE
// expect: FALSE --property termination
main(mleft, mright) {
  quicksort(mleft, mright);
  END: skip
}

quicksort(left, right) {
  var lo, hi;
  if (left >= right) then skip else {
    lo, hi := left, right;
    while (lo <= hi) {
      lo := lo + 1 || if (lo != left || hi != right) then hi := hi - 1 else skip
    };
    if (lo <= hi) then ERROR: skip else skip;
    quicksort(left, hi);
    quicksort(lo, right)
  };
  kill lo, hi
}
