/* Functions of string.h that say where a copy ends. */
#include <string.h>

void *mempcpy(void *to, const void *from, size_t count)
{
  memcpy(to, from, count);
  return (char *)to + count;
}

char *stpncpy(char *to, const char *from, size_t count)
{
  strncpy(to, from, count);
  return to + strnlen(to, count);
}
