/* math_test.cc: measures the device mathematical functions, compiled as host code, against MPFR.
 *
 *   math_test              measures, fails when a bound is broken
 *   math_test --markdown   prints docs/math.md
 *   math_test --count N    tries N arguments a function instead of the default
 */
#include <cstdio>
#include <cstdlib>

#include "math_rows.h"

static void print_head() {
    printf("# Mathematical functions of device code\n\n"
           "`device/include/warpglass/math/` holds the functions as source that is compiled into every "
           "kernel's PTX.\n"
           "*Bound* is the largest error a function may have, in units of the last place of the exact result "
           "(ulp), as the\n"
           "CUDA documentation gives it; `abs` marks a bound on the absolute error. *Measured* is the "
           "largest error that\n"
           "`tests/device/math_test` found against MPFR, which fails when it is above the bound. The test "
           "tries the same\n"
           "arguments on every run: special values, numbers near multiples of pi/2, near integers, near the "
           "ends of the\n"
           "interesting range, and random bits.\n\n"
           "Functions whose result is exact (`fabs`, `floor`, `fmod`, `remquo`, `ldexp`, `nextafter`, ...) "
           "are compared with\n"
           "the host's C library bit by bit by the same test. `rsqrtf` is one PTX instruction, "
           "`rsqrt.approx.f32`, with the\n"
           "2 ulp of its own. Under `-use_fast_math` the single-precision `sinf cosf sincosf tanf expf exp2f "
           "exp10f logf\n"
           "log2f log10f powf` are the approximate `__sinf` and so on, whose error is that of the PTX "
           "instruction.\n\n"
           "This page is made by `math_test --markdown`.\n\n"
           "| function | where | bound | measured |\n| --- | --- | --- | --- |\n");
}

int main(int argc, char **argv) {
    bool markdown = false;
    int count = 1500, failed = 0;
    const char *only = "";
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--markdown"))
            markdown = true;
        else if (!strcmp(argv[i], "--count") && i + 1 < argc)
            count = atoi(argv[++i]);
        else if (argv[i][0] != '-')
            only = argv[i];
        else {
            fprintf(
                stderr,
                "math_test: unknown option %s; it takes --markdown, --count N and the name of a function\n",
                argv[i]);
            return 2;
        }
    }
    if (markdown) print_head();
    for (const Row &row : math_rows()) {
        if (*only && row.name != only) continue;
        Measured m = row.measure(count);
        bool broken = !(m.worst <= row.bound);
        if (markdown && row.absolute)
            printf("| `%s` | %s | %g abs | %.1e |\n", row.name.c_str(), row.where.c_str(), row.bound,
                   m.worst);
        else if (markdown)
            printf("| `%s` | %s | %g | %.2f |\n", row.name.c_str(), row.where.c_str(), row.bound, m.worst);
        if (broken || *only)
            fprintf(stderr, "%-16s %-10s bound %-8g measured %-10.4g at (%a, %a, %a, %a) = (%g, %g)%s\n",
                    row.name.c_str(), row.where.c_str(), row.bound, m.worst, m.arguments[0], m.arguments[1],
                    m.arguments[2], m.arguments[3], m.arguments[0], m.arguments[1],
                    broken ? "  ABOVE THE BOUND" : "");
        failed += broken;
    }
    if (!markdown) printf("%d functions above their bound, of %zu\n", failed, math_rows().size());
    return failed != 0;
}
