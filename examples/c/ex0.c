// Gurfinkel, Wei and Chechik, ATVA 2008, Figure 1.  Over the mathematical integers ERROR is unreachable, and the first
// loop never ends; machine integers wrap, and ERROR is reached.
// expect: FALSE
// expect: TRUE --integers mathematical
extern int read(void);

int main(void) {
  int x = read();
  int y = read();
  if (x > 0) {
    while (x > 0) {
      x = x + 1;
      if (x <= 0) {
        ERROR: ;
      }
    }
  } else {
    while (y > 0) y = y - 1;
  }
  return 0;
}
