#pragma once
typedef long jmp_buf[32];
typedef long sigjmp_buf[32];
int setjmp(jmp_buf);
#define setjmp(buffer) setjmp(buffer)
void longjmp(jmp_buf, int);
int sigsetjmp(sigjmp_buf, int);
void siglongjmp(sigjmp_buf, int);
