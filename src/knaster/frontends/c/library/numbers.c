/* Functions of stdlib.h that read numbers from texts. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* Reads an integer (C17 7.22.1.4): its digits as a number, up to `most`; `*negative` says whether a minus stands before
   them, `*beyond` whether they are more than `most`, and `*end` is where they end, or the text where there is none. */
static unsigned long long __knaster_digits(const char *text, char **end, int base, unsigned long long most,
                                           unsigned long long least, int *negative, int *beyond)
{
  const char *at = text, *last = text;
  unsigned long long value = 0, limit;
  *negative = *beyond = 0;
  while (isspace((unsigned char)*at))
    at++;
  if (*at == '+' || *at == '-')
    *negative = *at++ == '-';
  limit = *negative ? least : most;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && isxdigit((unsigned char)at[2])) {
    at += 2;
    base = 16;
  }
  if (base == 0)
    base = *at == '0' ? 8 : 10;
  for (;; at++) {
    int digit = isdigit((unsigned char)*at) ? *at - '0' : isalpha((unsigned char)*at) ? tolower((unsigned char)*at) - 'a' + 10 : base;
    if (digit >= base)
      break;
    if (value > (limit - digit) / base)
      *beyond = 1;
    else
      value = value * base + digit;
    last = at + 1;
  }
  if (end)
    *end = (char *)last;
  if (*beyond)
    errno = ERANGE;
  return value;
}

long long strtoll(const char *text, char **end, int base)
{
  int negative, beyond;
  unsigned long long value = __knaster_digits(text, end, base, LLONG_MAX, (unsigned long long)LLONG_MAX + 1, &negative, &beyond);
  if (beyond)
    return negative ? LLONG_MIN : LLONG_MAX;
  return negative ? (long long)-value : (long long)value;
}

long strtol(const char *text, char **end, int base)
{
  int negative, beyond;
  unsigned long long value = __knaster_digits(text, end, base, LONG_MAX, (unsigned long long)LONG_MAX + 1, &negative, &beyond);
  if (beyond)
    return negative ? LONG_MIN : LONG_MAX;
  return negative ? (long)-value : (long)value;
}

unsigned long long strtoull(const char *text, char **end, int base)
{
  int negative, beyond;
  unsigned long long value = __knaster_digits(text, end, base, ULLONG_MAX, ULLONG_MAX, &negative, &beyond);
  return beyond ? ULLONG_MAX : negative ? -value : value;
}

unsigned long strtoul(const char *text, char **end, int base)
{
  int negative, beyond;
  unsigned long long value = __knaster_digits(text, end, base, ULONG_MAX, ULONG_MAX, &negative, &beyond);
  return beyond ? ULONG_MAX : negative ? (unsigned long)-value : (unsigned long)value;
}

long atol(const char *text)
{
  return strtol(text, 0, 10);
}

long long atoll(const char *text)
{
  return strtoll(text, 0, 10);
}
