/* Files and sockets: what comes from outside is any bytes, as many as fit, and each call may fail. */
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
char __VERIFIER_nondet_char(void);
void __VERIFIER_assume(int);

static int __knaster_done(int most)
{
  int said = __VERIFIER_nondet_int();
  __VERIFIER_assume(-1 <= said && said <= most);
  return said;
}

static long __knaster_many(size_t most)
{
  long said = __VERIFIER_nondet_long();
  __VERIFIER_assume(said >= -1 && (said < 0 || (size_t)said <= most));
  return said;
}

ssize_t read(int file, void *buffer, size_t size)
{
  long count = __knaster_many(size);
  for (long at = 0; at < count; at++)
    ((char *)buffer)[at] = __VERIFIER_nondet_char();
  return count;
}

ssize_t write(int file, const void *buffer, size_t size)
{
  for (size_t at = 0; at < size; at++)
    ((const char *)buffer)[at];
  return __knaster_many(size);
}

ssize_t recv(int file, void *buffer, size_t size, int flags)
{
  return read(file, buffer, size);
}

ssize_t send(int file, const void *buffer, size_t size, int flags)
{
  return write(file, buffer, size);
}

int socket(int family, int type, int protocol)
{
  return __knaster_done(0x7fffffff);
}

int connect(int file, const struct sockaddr *address, socklen_t size)
{
  return __knaster_done(0);
}

int bind(int file, const struct sockaddr *address, socklen_t size)
{
  return __knaster_done(0);
}

int listen(int file, int most)
{
  return __knaster_done(0);
}

int shutdown(int file, int how)
{
  return __knaster_done(0);
}

int close(int file)
{
  return __knaster_done(0);
}
