#pragma once
#include <time.h>
typedef unsigned long thrd_t;
typedef union { int owner; char __bytes[40]; long __align; } mtx_t;
typedef union { int state; char __bytes[48]; long long __align; } cnd_t;
typedef int (*thrd_start_t)(void *);
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
typedef int once_flag;
typedef unsigned tss_t;
typedef void (*tss_dtor_t)(void *);
#define ONCE_FLAG_INIT 0
#define TSS_DTOR_ITERATIONS 4
#define thread_local _Thread_local
int thrd_equal(thrd_t, thrd_t);
thrd_t thrd_current(void);
void thrd_exit(int) __attribute__((noreturn));
int thrd_detach(thrd_t);
void thrd_yield(void);
int thrd_sleep(const struct timespec *, struct timespec *);
int mtx_trylock(mtx_t *);
int mtx_timedlock(mtx_t *, const struct timespec *);
void call_once(once_flag *, void (*)(void));
int tss_create(tss_t *, tss_dtor_t);
void tss_delete(tss_t);
void *tss_get(tss_t);
int tss_set(tss_t, void *);
int cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *);
void cnd_destroy(cnd_t *);
int thrd_create(thrd_t *, thrd_start_t, void *);
int thrd_join(thrd_t, int *);
int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *);
int mtx_unlock(mtx_t *);
void mtx_destroy(mtx_t *);
int cnd_init(cnd_t *);
int cnd_wait(cnd_t *, mtx_t *);
int cnd_signal(cnd_t *);
int cnd_broadcast(cnd_t *);
