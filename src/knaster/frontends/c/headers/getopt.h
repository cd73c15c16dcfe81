#pragma once
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const *, const char *);
