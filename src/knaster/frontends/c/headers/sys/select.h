#pragma once
#include <sys/time.h>
#include <sys/types.h>
#define FD_SETSIZE 1024
typedef struct { unsigned long __words[FD_SETSIZE / (8 * sizeof(long))]; } fd_set;
#define __FD_BITS ((int)(8 * sizeof(long)))
#define FD_ZERO(set) (*(set) = (fd_set){{0}})
#define FD_SET(file, set) ((void)((set)->__words[(file) / __FD_BITS] |= 1ul << (file) % __FD_BITS))
#define FD_CLR(file, set) ((void)((set)->__words[(file) / __FD_BITS] &= ~(1ul << (file) % __FD_BITS)))
#define FD_ISSET(file, set) (((set)->__words[(file) / __FD_BITS] >> (file) % __FD_BITS & 1) != 0)
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
