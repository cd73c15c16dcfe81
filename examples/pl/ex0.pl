// Gurfinkel, Wei and Chechik, ATVA 2008, Figure 1 in their language PL: ERROR is unreachable, and the first loop never
// ends.
// expect: TRUE
// expect: FALSE --property termination
main(x, y) {
  if (x > 0) then
    while (x > 0) {
      x := x + 1;
      if (x <= 0) then ERROR: skip else skip
    }
  else
    while (y > 0) y := y - 1
}
