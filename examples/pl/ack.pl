// Gurfinkel, Wei and Chechik, ATVA 2008, Figure 4 (a) in their language PL: ack(x, n) does not end.
// expect: TRUE
// expect: FALSE --property termination
main(mx, my) {
  var r;
  r := ack(mx, my);
  if (mx > 0) then ERROR: skip else skip;
  END: skip
}

ack(x, y) : rl {
  var n;
  if (x > 0) then {
    if (y > 0) then { y := y - 1; n := ack(x, y) } else n := 1;
    rl := ack(x, n)
  } else rl := y + 1;
  kill n
}
