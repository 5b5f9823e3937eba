/* symbols: constant, device and managed variables, from both sides, with offsets, and by name of a wrong one.
 */
#include "program.h"

__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ struct {
    int rows, columns;
    double scale;
} shape;
__device__ int counter = 5;
__device__ int table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__device__ const char *message = "pointed to";
__device__ double *pointer;
__managed__ int both[4] = {10, 20, 30};
__managed__ long long total;
static __device__ short hidden = -2;
template <typename T> __device__ T generic = T(3);
namespace inner {
__device__ unsigned char named[5];
}

__device__ int called() {
    __shared__ int s[2];
    s[0] = 1;
    return s[0] + counter;
}

__global__ void use(float *out) {
    int i = threadIdx.x;
    out[i] = coefficients[i] * shape.rows + shape.columns * (float)shape.scale + table[i / 4][i % 4];
    if (i == 0) {
        counter += 100;
        table[2][3] = called();
        both[3] = both[0] + both[1];
        total = hidden + generic<int> + (long long)generic<double>;
        pointer[2] = 7.5;
        inner::named[4] = message[1];
        hidden--;
    }
}

int main() {
    Array<float> out(8);
    Array<double> target(4);
    struct {
        int rows, columns;
        double scale;
    } s = {2, 3, 0.5};
    CALL(cudaMemcpyToSymbol(shape, &s, sizeof s));
    float two[2] = {-1, -2};
    CALL(cudaMemcpyToSymbol(coefficients, two, sizeof two, 2 * sizeof(float)));
    double *p = target;
    CALL(cudaMemcpyToSymbol(pointer, &p, sizeof p));
    both[1] = 21;
    use<<<1, 8>>>(out);
    show("used", out, 8);
    int c, t[12];
    unsigned char n[5];
    short h;
    CALL(cudaMemcpyFromSymbol(&c, counter, sizeof c));
    CALL(cudaMemcpyFromSymbol(t, table, sizeof t));
    CALL(cudaMemcpyFromSymbol(n, inner::named, sizeof n));
    CALL(cudaMemcpyFromSymbol(&h, hidden, sizeof h));
    printf("%d %d %d %c %d\n", c, t[5], t[11], n[4], h);
    printf("managed: %d %d %d %lld %g\n", both[1], both[2], both[3], total, target[2]);
    void *address, *same;
    size_t size;
    CALL(cudaGetSymbolAddress(&address, table));
    CALL(cudaGetSymbolSize(&size, table));
    CALL(cudaMemset(address, 0, size));
    CALL(cudaMemcpyFromSymbol(t, table, sizeof t));
    printf("%zu bytes, %d\n", size, t[11]);
    CALL(cudaGetSymbolSize(&size, coefficients));
    CALL(cudaGetSymbolAddress(&same, table));
    printf("%zu bytes, %s\n", size, same == address ? "the same address" : "another address");
    CALL(cudaMemcpy((char *)address + 4, &c, sizeof c, cudaMemcpyDefault));
    CALL(cudaMemcpyFromSymbol(&c, table, sizeof c, 4));
    printf("%d\n", c);
    printf("too much: %s\n", cudaGetErrorName(cudaMemcpyToSymbol(counter, t, sizeof t)));
    printf("behind: %s\n", cudaGetErrorName(cudaMemcpyFromSymbol(t, counter, 4, 2)));
    printf("no symbol: %s\n", cudaGetErrorName(cudaMemcpyToSymbol((const void *)t, t, 4)));
    printf("no symbol: %s\n", cudaGetErrorName(cudaGetSymbolAddress(&address, (const void *)t)));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
