#pragma once
#include <stddef.h>
typedef unsigned wint_t;
typedef struct { int __count; unsigned __value; } mbstate_t;
#define WEOF (0xffffffffu)
size_t wcslen(const wchar_t *);
wchar_t *wcscpy(wchar_t *, const wchar_t *);
int wcscmp(const wchar_t *, const wchar_t *);
wchar_t *wcschr(const wchar_t *, wchar_t);
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t);
wchar_t *wmemset(wchar_t *, wchar_t, size_t);
int mbsinit(const mbstate_t *);
