/* Functions of string.h that end the run where they would write behind an object of `size` bytes, as glibc's do. */
#include <stdlib.h>
#include <string.h>

void *__knaster_memcpy_chk(void *to, const void *from, size_t count, size_t size)
{
  if (count > size)
    abort();
  return memcpy(to, from, count);
}

void *__knaster_memmove_chk(void *to, const void *from, size_t count, size_t size)
{
  if (count > size)
    abort();
  return memmove(to, from, count);
}

void *__knaster_mempcpy_chk(void *to, const void *from, size_t count, size_t size)
{
  if (count > size)
    abort();
  memcpy(to, from, count);
  return (char *)to + count;
}

void *__knaster_memset_chk(void *to, int byte, size_t count, size_t size)
{
  if (count > size)
    abort();
  return memset(to, byte, count);
}

char *__knaster_strcpy_chk(char *to, const char *from, size_t size)
{
  if (strlen(from) >= size)
    abort();
  return strcpy(to, from);
}

char *__knaster_stpcpy_chk(char *to, const char *from, size_t size)
{
  if (strlen(from) >= size)
    abort();
  return stpcpy(to, from);
}

char *__knaster_strncpy_chk(char *to, const char *from, size_t count, size_t size)
{
  if (count > size)
    abort();
  return strncpy(to, from, count);
}

char *__knaster_strcat_chk(char *to, const char *from, size_t size)
{
  if (strlen(to) + strlen(from) >= size)
    abort();
  return strcat(to, from);
}

char *__knaster_strncat_chk(char *to, const char *from, size_t count, size_t size)
{
  if (strlen(to) + strnlen(from, count) >= size)
    abort();
  return strncat(to, from, count);
}
