/* libstdc++'s special functions (std::legendre and the like), which its <cmath> includes from C++17 on.
 * cuda_runtime.h has <cmath> for few others, and reading these would be a quarter of what a small program's
 * compilation takes: so they come with the first <cmath> that the program itself includes (cmath), and with a
 * kept header (warpglass/first.h). */
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#if !defined(WARPGLASS_WITHOUT_SPECIAL_FUNCTIONS)
#include_next <bits/specfun.h>
#endif
