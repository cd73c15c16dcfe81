/* getopt of POSIX: it ends at the first argument that is no option.  What it says of mistakes is not modelled. */
#include <getopt.h>
#include <stddef.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt;
static const char *__knaster_rest; /* of an argument with several options */

int getopt(int argc, char *const *argv, const char *known)
{
  if (__knaster_rest == NULL || *__knaster_rest == 0) {
    if (optind >= argc || argv[optind] == NULL || argv[optind][0] != '-' || argv[optind][1] == 0)
      return -1;
    if (argv[optind][1] == '-' && argv[optind][2] == 0) {
      optind++;
      return -1;
    }
    __knaster_rest = argv[optind] + 1;
  }
  optopt = (unsigned char)*__knaster_rest++;
  const char *found = optopt == ':' ? NULL : strchr(known, optopt);
  int takes = found != NULL && found[1] == ':';
  if (*__knaster_rest == 0 || takes)
    optind++;
  if (found == NULL)
    return '?';
  if (!takes)
    return optopt;
  if (*__knaster_rest != 0)
    optarg = (char *)__knaster_rest;
  else if (optind < argc)
    optarg = argv[optind++];
  else {
    __knaster_rest = NULL;
    return known[0] == ':' ? ':' : '?';
  }
  __knaster_rest = NULL;
  return optopt;
}
