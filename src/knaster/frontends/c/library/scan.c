/* sscanf (C17 7.21.6.2).  What is not read here (floating-point numbers, pointers, wide characters, numbers that do not
   fit, a prefix `0x` without digits) is printed by a format that nobody reads: nothing is said of such a run. */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static void __knaster_unread(void)
{
  snprintf(0, 0, "%a", 0.0);
}

/* Reads an integer of at most `width` characters; `*end` is where it ends, or the text where there is none. */
static long long __knaster_scan_number(const char *text, const char **end, int base, int width)
{
  const char *at = text, *last = text + width;
  int negative = 0, found = 0;
  unsigned long long value = 0;
  if (at < last && (*at == '+' || *at == '-'))
    negative = *at++ == '-';
  if (at < last && *at == '0' && (base == 0 || base == 16)) {
    if (at + 1 < last && (at[1] == 'x' || at[1] == 'X')) {
      at += 2;
      base = 16;
      if (at == last || !isxdigit((unsigned char)*at))
        __knaster_unread();
    } else if (base == 0)
      base = 8;
  }
  if (base == 0)
    base = 10;
  for (; at < last; at++, found = 1) {
    int digit = isdigit((unsigned char)*at) ? *at - '0' : isalpha((unsigned char)*at) ? tolower((unsigned char)*at) - 'a' + 10 : base;
    if (digit >= base)
      break;
    if (value > (ULLONG_MAX >> 2) / base)
      __knaster_unread();
    value = value * base + digit;
  }
  *end = found ? at : text;
  return negative ? -(long long)value : (long long)value;
}

/* Stores a number at a pointer to an integer of a size: 'H' for char, 'h' for short, 0 for int, 'l' for the longest. */
static void __knaster_store(void *place, long long value, int size, int is_signed)
{
  long long most = size == 'H' ? UCHAR_MAX : size == 'h' ? USHRT_MAX : size == 'l' ? LLONG_MAX : UINT_MAX;
  if (is_signed && size != 'l')
    most = most / 2;
  if (value > most || value < (is_signed ? -most - 1 : -most))
    __knaster_unread();
  if (size == 'H')
    *(unsigned char *)place = value;
  else if (size == 'h')
    *(unsigned short *)place = value;
  else if (size == 'l')
    *(unsigned long *)place = value;
  else
    *(unsigned int *)place = value;
}

/* Tells whether a set in brackets, which begins at `set` and ends before `last`, has a character. */
static int __knaster_in_set(const char *set, const char *last, char wanted)
{
  int inverted = *set == '^', found = 0;
  set += inverted;
  for (const char *at = set; at < last; at++)
    if (at + 2 < last && at[1] == '-') {
      found |= at[0] <= wanted && wanted <= at[2];
      at += 2;
    } else
      found |= *at == wanted;
  return found != inverted;
}

int vsscanf(const char *text, const char *format, va_list list)
{
  const char *at = text, *end;
  int count = 0;
  for (; *format; format++) {
    if (isspace((unsigned char)*format)) {
      while (isspace((unsigned char)*at))
        at++;
      continue;
    }
    if (*format != '%') {
      if (*at != *format)
        return *at || count ? count : EOF;
      at++;
      continue;
    }
    int kept = *++format != '*', width = 0, size = 0;
    format += !kept;
    while (isdigit((unsigned char)*format))
      width = width * 10 + (*format++ - '0');
    if (*format == 'h')
      size = *++format == 'h' ? (format++, 'H') : 'h';
    else if (*format == 'l' || *format == 'j' || *format == 'z' || *format == 't') {
      size = 'l';
      format += format[0] == 'l' && format[1] == 'l' ? 2 : 1;
    }
    char kind = *format;
    if (kind == 'n') {
      if (kept)
        __knaster_store(va_arg(list, void *), at - text, size, 1);
      continue;
    }
    if (kind != 'c' && kind != '[')
      while (isspace((unsigned char)*at))
        at++;
    if (!*at)
      return count ? count : EOF;
    if (kind == '%') {
      if (*at++ != '%')
        return count;
    } else if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'o' || kind == 'x' || kind == 'X') {
      int base = kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'd' || kind == 'u' ? 10 : 16, length = 0;
      while (at[length] && (!width || length < width))
        length++;
      long long value = __knaster_scan_number(at, &end, base, length);
      if (end == at)
        return count;
      at = end;
      if (kept) {
        __knaster_store(va_arg(list, void *), value, size, kind == 'd' || kind == 'i');
        count++;
      }
    } else if ((kind == 's' || kind == 'c' || kind == '[') && size == 0) {
      const char *set = format + 1, *last = set, *from = at;
      if (kind == '[') {
        last += *last == '^';
        last += *last == ']';
        while (*last && *last != ']')
          last++;
        format = last;
      }
      int most = kind == 'c' && !width ? 1 : width;
      char *place = kept ? va_arg(list, char *) : 0;
      while (*at && (!most || at - from < most) &&
             (kind == 'c' || (kind == 's' ? !isspace((unsigned char)*at) : __knaster_in_set(set, last, *at)))) {
        if (kept)
          place[at - from] = *at;
        at++;
      }
      if (at == from)
        return count;
      if (kind == 'c' && at - from < most)
        return count ? count : EOF;
      if (kept && kind != 'c')
        place[at - from] = 0;
      count += kept;
    } else
      __knaster_unread();
  }
  return count;
}

int sscanf(const char *text, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int count = vsscanf(text, format, list);
  va_end(list);
  return count;
}
