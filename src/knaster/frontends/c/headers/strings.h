#include <string.h>
int ffs(int);
int ffsl(long);
int ffsll(long long);
