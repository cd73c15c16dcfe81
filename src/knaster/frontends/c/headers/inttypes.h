#pragma once
#include <stdint.h>
typedef struct { intmax_t quot, rem; } imaxdiv_t;
intmax_t imaxabs(intmax_t);
imaxdiv_t imaxdiv(intmax_t, intmax_t);
intmax_t strtoimax(const char *, char **, int);
uintmax_t strtoumax(const char *, char **, int);
#ifdef __LP64__
#define __knaster_64 "l"
#else
#define __knaster_64 "ll"
#endif
#define PRId8 "hhd"
#define PRId16 "hd"
#define PRId32 "d"
#define PRId64 __knaster_64 "d"
#define PRIi8 "hhi"
#define PRIi16 "hi"
#define PRIi32 "i"
#define PRIi64 __knaster_64 "i"
#define PRIu8 "hhu"
#define PRIu16 "hu"
#define PRIu32 "u"
#define PRIu64 __knaster_64 "u"
#define PRIx8 "hhx"
#define PRIx16 "hx"
#define PRIx32 "x"
#define PRIx64 __knaster_64 "x"
#define PRIX32 "X"
#define PRIX64 __knaster_64 "X"
#define SCNd32 "d"
#define SCNd64 __knaster_64 "d"
#define SCNu32 "u"
#define SCNu64 __knaster_64 "u"
