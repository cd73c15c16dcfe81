/* Functions of string.h that cut a text into pieces. */
#include <string.h>

char *strtok_r(char *text, const char *separators, char **rest)
{
  char *first = text ? text : *rest;
  first += strspn(first, separators);
  if (!*first) {
    *rest = first;
    return 0;
  }
  char *last = first + strcspn(first, separators);
  if (*last)
    *last++ = 0;
  *rest = last;
  return first;
}

char *strtok(char *text, const char *separators)
{
  static char *rest;
  return strtok_r(text, separators, &rest);
}

char *strsep(char **text, const char *separators)
{
  char *first = *text;
  if (!first)
    return 0;
  char *last = first + strcspn(first, separators);
  *text = *last ? last + 1 : 0;
  *last = 0;
  return first;
}
