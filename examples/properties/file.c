// Reads a file until there is nothing left; the early return forgets to close it: file.aut comes to an error.
#include <assert.h>
extern int open_file(void);
extern int read_line(void);
extern void close_file(void);

int main(void) {
  int lines = 0, found = open_file();
  while (lines < 10) {
    int length = read_line();
    if (length < 0)
      break;
    if (length == 0 && lines == 3)
      return 1;
    lines = lines + 1;
  }
  close_file();
  assert(lines <= 10);
  return 0;
}
