#pragma once
#include <stddef.h>
#include <stdint.h>
#include <atomics.h>
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(size_t) atomic_size_t;
typedef _Atomic(intptr_t) atomic_intptr_t;
typedef _Atomic(uintptr_t) atomic_uintptr_t;
typedef _Atomic(ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(intmax_t) atomic_intmax_t;
typedef _Atomic(uintmax_t) atomic_uintmax_t;
typedef struct { atomic_bool value; } atomic_flag;
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(v) (v)
#define kill_dependency(v) (v)
#define atomic_init(p, v) __knaster_write(p, v, 5)
#define atomic_load(p) __knaster_read(p, 5)
#define atomic_load_explicit(p, o) __knaster_read(p, o)
#define atomic_store(p, v) __knaster_write(p, v, 5)
#define atomic_store_explicit(p, v, o) __knaster_write(p, v, o)
#define atomic_exchange(p, v) __knaster_update(p, v, 5, __knaster_v, __knaster_old)
#define atomic_exchange_explicit(p, v, o) __knaster_update(p, v, o, __knaster_v, __knaster_old)
#define atomic_compare_exchange_strong(p, e, d) __knaster_exchange(p, e, d, 0, 5, 5)
#define atomic_compare_exchange_weak(p, e, d) __knaster_exchange(p, e, d, 1, 5, 5)
#define atomic_compare_exchange_strong_explicit(p, e, d, so, fo) __knaster_exchange(p, e, d, 0, so, fo)
#define atomic_compare_exchange_weak_explicit(p, e, d, so, fo) __knaster_exchange(p, e, d, 1, so, fo)
#define atomic_fetch_add(p, v) __knaster_update(p, v, 5, __knaster_old + __knaster_v, __knaster_old)
#define atomic_fetch_sub(p, v) __knaster_update(p, v, 5, __knaster_old - __knaster_v, __knaster_old)
#define atomic_fetch_or(p, v) __knaster_update(p, v, 5, __knaster_old | __knaster_v, __knaster_old)
#define atomic_fetch_xor(p, v) __knaster_update(p, v, 5, __knaster_old ^ __knaster_v, __knaster_old)
#define atomic_fetch_and(p, v) __knaster_update(p, v, 5, __knaster_old & __knaster_v, __knaster_old)
#define atomic_fetch_add_explicit(p, v, o) __knaster_update(p, v, o, __knaster_old + __knaster_v, __knaster_old)
#define atomic_fetch_sub_explicit(p, v, o) __knaster_update(p, v, o, __knaster_old - __knaster_v, __knaster_old)
#define atomic_fetch_or_explicit(p, v, o) __knaster_update(p, v, o, __knaster_old | __knaster_v, __knaster_old)
#define atomic_fetch_xor_explicit(p, v, o) __knaster_update(p, v, o, __knaster_old ^ __knaster_v, __knaster_old)
#define atomic_fetch_and_explicit(p, v, o) __knaster_update(p, v, o, __knaster_old & __knaster_v, __knaster_old)
#define atomic_thread_fence(o) ((void)(o))
#define atomic_signal_fence(o) ((void)(o))
#define atomic_is_lock_free(p) 1
#define atomic_flag_test_and_set(p) __knaster_update(&(p)->value, 1, 5, __knaster_v, __knaster_old)
#define atomic_flag_test_and_set_explicit(p, o) __knaster_update(&(p)->value, 1, o, __knaster_v, __knaster_old)
#define atomic_flag_clear(p) __knaster_write(&(p)->value, 0, 5)
#define atomic_flag_clear_explicit(p, o) __knaster_write(&(p)->value, 0, o)
