#pragma once
typedef int sig_atomic_t;
typedef void (*__knaster_handler)(int);
#define SIG_DFL ((__knaster_handler)0)
#define SIG_IGN ((__knaster_handler)1)
#define SIG_ERR ((__knaster_handler)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGALRM 14
#define SIGTERM 15
__knaster_handler signal(int, __knaster_handler);
int raise(int);
