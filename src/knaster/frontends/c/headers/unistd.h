#pragma once
#include <getopt.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int close(int);
unsigned sleep(unsigned);
int usleep(unsigned);
unsigned alarm(unsigned);
void _exit(int);
pid_t fork(void);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
int pause(void);
int isatty(int);
off_t lseek(int, off_t, int);
int unlink(const char *);
char *getcwd(char *, size_t);
