#pragma once
#include <stddef.h>
#include <stdint.h>
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(size_t) atomic_size_t;
typedef struct { atomic_bool value; } atomic_flag;
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(v) (v)
#define atomic_init(p, v) __c11_atomic_init(p, v)
#define atomic_load(p) __c11_atomic_load(p, 5)
#define atomic_load_explicit(p, o) __c11_atomic_load(p, o)
#define atomic_store(p, v) __c11_atomic_store(p, v, 5)
#define atomic_store_explicit(p, v, o) __c11_atomic_store(p, v, o)
#define atomic_exchange(p, v) __c11_atomic_exchange(p, v, 5)
#define atomic_compare_exchange_strong(p, e, v) __c11_atomic_compare_exchange_strong(p, e, v, 5, 5)
#define atomic_compare_exchange_weak(p, e, v) __c11_atomic_compare_exchange_weak(p, e, v, 5, 5)
#define atomic_fetch_add(p, v) __c11_atomic_fetch_add(p, v, 5)
#define atomic_fetch_sub(p, v) __c11_atomic_fetch_sub(p, v, 5)
#define atomic_fetch_or(p, v) __c11_atomic_fetch_or(p, v, 5)
#define atomic_fetch_xor(p, v) __c11_atomic_fetch_xor(p, v, 5)
#define atomic_fetch_and(p, v) __c11_atomic_fetch_and(p, v, 5)
#define atomic_thread_fence(o) __c11_atomic_thread_fence(o)
#define atomic_flag_test_and_set(p) __c11_atomic_exchange(&(p)->value, 1, 5)
#define atomic_flag_clear(p) __c11_atomic_store(&(p)->value, 0, 5)
