/* Functions of wchar.h. */
#include <wchar.h>

int mbsinit(const mbstate_t *state)
{
  return state == 0 || state->__count == 0;
}
