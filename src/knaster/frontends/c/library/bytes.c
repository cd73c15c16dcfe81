/* Functions of strings.h that copy, clear and compare bytes. */
#include <strings.h>

void bzero(void *to, size_t count)
{
  memset(to, 0, count);
}

void bcopy(const void *from, void *to, size_t count)
{
  memmove(to, from, count);
}

int bcmp(const void *left, const void *right, size_t count)
{
  int other = __VERIFIER_nondet_int();
  return memcmp(left, right, count) == 0 ? 0 : other ? other : 1;
}
