// Ackermann's function with a mistake (Gurfinkel, Wei and Chechik, ATVA 2008, Figure 4a): x never decreases.
// expect: TRUE
// expect: FALSE --property termination
int ack(int x, int y) {
  int rl, n;
  if (x > 0) {
    if (y > 0) {
      y = y - 1;
      n = ack(x, y);
    } else {
      n = 1;
    }
    rl = ack(x, n);
    return rl;
  } else {
    rl = y + 1;
    return rl;
  }
}

int main(void) {
  int mx, my;
  ack(mx, my);
  if (mx > 0) {
    ERROR: ;  // never: such a call does not return
  }
  return 0;
}
