// Two counters and a function that is called with one of them.  expect: TRUE
#include <assert.h>

int calls;

int twice(int x) {
  calls = calls + 1;
  return 2 * x + 1;
}

int main(void) {
  int i = 0, j = 0, k;
  while (i < 10) {
    i = i + 1;
    j = j + 2;
  }
  k = twice(j);
  assert(j == 2 * i);
  return k;
}
