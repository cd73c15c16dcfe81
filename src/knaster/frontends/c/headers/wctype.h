#pragma once
#include <wchar.h>
int iswalpha(wint_t);
int iswdigit(wint_t);
int iswspace(wint_t);
wint_t towlower(wint_t);
wint_t towupper(wint_t);
