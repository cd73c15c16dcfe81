/* A failed assertion is a call of `assert`, which the reader knows. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
void assert(_Bool);
#define assert(e) assert(e)
#endif
#undef static_assert
#ifdef __knaster_assert_is_static
void static_assert(_Bool, ...);
#elif __STDC_VERSION__ < 202000L
#define static_assert _Static_assert
#endif
