// Gurfinkel, Wei and Chechik, ATVA 2008, Figure 4b: never ends where x is 1 or 2.
// expect: TRUE
// expect: FALSE --property termination
void foo(int y) {
  y = -1 * y;
  if (y < 0) foo(y);
}

int main(void) {
  int x;
  foo(x);
  while (x != 0) {
    if (x < 0) {
      x = -1 * x;
      x = x + 2;
    } else {
      x = -1 * x;
      x = x + 3;
    }
  }
  if (x != 0) {
    ERROR: ;
  }
  return 0;
}
