// A function keeps a pointer that it is given, or not.  expect: TRUE
#include <assert.h>

int u, v;
int *g;

int *keep(int *f, int yes) {
  if (yes)
    g = f;
  else
    g = &v;
  return f;
}

int main(void) {
  int a = 1, c = 2;
  int *p = &a, *q = p, *r = &c;
  q = keep(p, c > 2);
  p = &u;
  *q = 3;
  assert(a == 3 && c == 2);
  return 0;
}
