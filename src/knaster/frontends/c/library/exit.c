/* atexit (C17 7.22.4.2): what it registers is called in reverse order, by `exit` and when main returns. */
#include <stdio.h>

static void (*__knaster_handlers[32])(void);
static int __knaster_registered;

int atexit(void (*handler)(void))
{
  if (__knaster_registered == 32)
    snprintf(0, 0, "%a", 0.0); /* C promises no more than 32; nothing is said of such a run */
  __knaster_handlers[__knaster_registered++] = handler;
  return 0;
}

void __knaster_call_handlers(void)
{
  while (__knaster_registered > 0)
    __knaster_handlers[--__knaster_registered]();
}
