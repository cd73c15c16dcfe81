// The program of Figure 2 of Gurfinkel, Wei and Chechik, ATVA 2008, as far as the text tells: HERE is reached from x = 3
// and y <= 0, and then y = f2(y) is repeated for ever.
// expect: TRUE
// expect: FALSE --property termination
extern int read(void);

int f2(int z) {
  if (z > 0) z = z - 1;
  else z = -1;
  return z;
}

int main(void) {
  int x = read();
  int y = read();
  x = f2(x);
  while (x == 2) {
    if (y <= 0) {
      HERE: y = f2(y);
    } else break;
  }
  if (x == 2 && y <= 0) {
    ERROR: ;  // never: such a run stays in the loop
  }
  return 0;
}
