// Gurfinkel, Wei and Chechik, ATVA 2008, Figure 4 (b) in their language PL.
// expect: TRUE
// expect: FALSE --property termination
main(x) {
  foo(x);
  while (x != 0)
    if (x < 0) then { x := -1 * x; x := x + 2 } else { x := -1 * x; x := x + 3 };
  if (x != 0) then ERROR: skip else skip;
  END: skip
}

foo(y) {
  y := -1 * y;
  if (y < 0) then foo(y) else skip
}
