// Gurfinkel, Wei and Chechik, ATVA 2008, Figure 2 in their language PL, as far as the text tells (examples/c/ex1.c).
// expect: TRUE
// expect: FALSE --property termination
f1(x, y) : r {
  x := f2(x);
  while (x == 2 && y <= 0)
    HERE: y := f2(y);
  if (x == 2 && y <= 0) then ERROR: skip else skip;
  r := 0
}

f2(z) : s {
  if (z > 0) then s := z - 1 else s := -1
}
