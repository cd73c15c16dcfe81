/* Functions of stdlib.h that call back.  Elements that compare equal may come in any order, and any of them is found. */
#include <stddef.h>
#include <string.h>

_Bool __VERIFIER_nondet_bool(void);

static void __knaster_swap(char *one, char *other, size_t size)
{
  for (size_t at = 0; at < size; at++) {
    char kept = one[at];
    one[at] = other[at];
    other[at] = kept;
  }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  char *first = base;
  memcmp(base, base, 0); /* it must point somewhere, also where there are no elements (C17 7.22.5) */
  for (size_t next = 1; next < count; next++)
    for (size_t at = next; at > 0; at--) {
      char *here = first + at * size;
      int order = compare(here - size, here);
      if (order < 0 || (order == 0 && __VERIFIER_nondet_bool()))
        break;
      __knaster_swap(here - size, here, size);
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  const char *first = base;
  size_t low = 0, high = count;
  memcmp(base, base, 0);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(key, first + middle * size);
    if (order == 0) {
      while (middle + 1 < count && __VERIFIER_nondet_bool() && compare(key, first + (middle + 1) * size) == 0)
        middle++;
      while (middle > 0 && __VERIFIER_nondet_bool() && compare(key, first + (middle - 1) * size) == 0)
        middle--;
      return (void *)(first + middle * size);
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}
