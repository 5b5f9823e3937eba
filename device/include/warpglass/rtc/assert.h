/* assert.h: for NVRTC's programs, before the C library's. Where functions that say nothing are for the device as well
 * (--device-as-default-execution-space), the C library's declaration of __assert_fail would be a second one. Like the C library's,
 * it may be included again with another NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(CONDITION) ((void)0)
#else
#define assert(CONDITION)                                                                                    \
    ((CONDITION) ? (void)0 : __assert_fail(#CONDITION, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
