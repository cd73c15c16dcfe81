/* Functions of stdlib.h that divide. */
#include <stdlib.h>

div_t div(int dividend, int divisor)
{
  div_t found = {.quot = dividend / divisor, .rem = dividend % divisor};
  return found;
}

ldiv_t ldiv(long dividend, long divisor)
{
  ldiv_t found = {.quot = dividend / divisor, .rem = dividend % divisor};
  return found;
}

lldiv_t lldiv(long long dividend, long long divisor)
{
  lldiv_t found = {.quot = dividend / divisor, .rem = dividend % divisor};
  return found;
}
