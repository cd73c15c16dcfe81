#pragma once
#include <stddef.h>
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_ALL 6
struct lconv { char *decimal_point, *thousands_sep, *grouping; };
char *setlocale(int, const char *);
struct lconv *localeconv(void);
