#pragma once
#include <time.h>
struct timeval { time_t tv_sec; long tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
int gettimeofday(struct timeval *, void *);
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, sign) \
  ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec sign (b)->tv_usec : (a)->tv_sec sign (b)->tv_sec)
