/* Parameters by value: structures, __grid_constant__, many of them. */
// PTX: ld\.param
struct Big {
    float v[64];
    int n;
};
__global__ void first(const __grid_constant__ Big big, float *out) {
    out[threadIdx.x] = big.v[threadIdx.x] * big.n;
}
__global__ void second(Big big, char c, short s, double d, Big *copy, bool yes, float3 f) {
    if (yes) *copy = big;
    copy->n = c + s + (int)d + (int)f.y;
}
int main() {
    Big big = {};
    first<<<1, 64>>>(big, nullptr);
    second<<<1, 1>>>(big, 'a', 2, 3.0, nullptr, true, make_float3(1, 2, 3));
}
