/* formats: printf of kernels: conversions, flags, widths, strings, what it returns; and the order within one
 * thread. */
#include "program.h"

__device__ const char *const words[] = {"zero", "one", "two"};
struct Point {
    float x;
    double y;
};

__global__ void conversions(char *text, Point p) {
    printf("%d %i %u %x %X %o %c|%s|%%\n", -5, 7, 4000000000u, 0xbeef, 0xBEEF, 64, 'w', "text");
    printf("%5d|%-5d|%05d|%+d|% d|%#x|%#o\n", 42, 42, 42, 42, 42, 42, 42);
    printf("%ld %lld %lu %llu %llx %hd\n", -1l, -2ll, 3ul, 18446744073709551615ull, 1ull << 40, (short)-3);
    printf("%f %.2f %10.3f|%-10.1f|%e %.3E %g %G\n", 1.5, 3.14159, 2.71828, 9.99, 12345.678, 0.00012345,
           1e-10, 1e20);
    printf("%f %f %f %g %a\n", p.x, p.y, 1.0f / 3, 100000.0, 1.0);
    printf("%f %f %g\n", __int_as_float(0x7f800000), -__int_as_float(0x7f800000), 0.0 * -1);
    printf("%*d|%-*d\n", 6, 1, 6, 2);
    printf("%s and %s and %.2s, %10s|%-10s|\n", words[0], words[2], "cut", "right", "left");
    printf("%s\n", text);
    printf("%p %d\n", (void *)0x1234, 9);
    printf("nothing\n");
    printf("no newline, ");
    printf("then one\n");
    int n = printf("%d values\n", 1), none = printf("none\n");
    printf("returned %d %d\n", n, none);
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    printf("%d %d %d %d %d %d %d %d %f %s %lld %c\n", a, b, c, d, e, f, g, h, 9.0, "ten", 11ll, '!');
}

__global__ void by_turns(int *turn) {
    while (atomicAdd(turn, 0) != blockIdx.x);
    printf("block %d\n", blockIdx.x);
    __threadfence();
    atomicAdd(turn, 1);
}

__device__ void deep(int n) {
    if (n > 0) deep(n - 1);
    printf("%*s%d\n", n, "", n);
}
__global__ void called() { deep(3); }

int main() {
    Array<char> text(32);
    Array<int> turn(1);
    strcpy(text, "from managed memory");
    conversions<<<1, 1>>>(text, Point{0.25f, -1e3});
    CALL(cudaDeviceSynchronize());
    by_turns<<<5, 1>>>(turn);
    CALL(cudaDeviceSynchronize());
    called<<<1, 1>>>();
    CALL(cudaDeviceSynchronize());
    printf("host last\n");
    return 0;
}
