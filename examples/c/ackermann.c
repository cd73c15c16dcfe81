// Ackermann's function: every run ends.
// expect: TRUE
// expect: TRUE --property termination
int ack(int x, int y) {
  int rl, n;
  if (x > 0) {
    if (y > 0) {
      y = y - 1;
      n = ack(x, y);
    } else {
      n = 1;
    }
    rl = ack(x - 1, n);
    return rl;
  } else {
    rl = y + 1;
    return rl;
  }
}

int main(void) {
  int mx, my, result;
  result = ack(mx, my);
  if (mx == 0 && result != my + 1) {
    ERROR: ;
  }
  return 0;
}
