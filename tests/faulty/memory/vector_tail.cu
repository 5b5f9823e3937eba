// Four at a time, also where fewer are left.
// expect: out-of-bounds line 9
// expect: out-of-bounds line 10
// says: at byte 32, 8 bytes past the end of 40 bytes

__global__ void negate(float4 *x, int n) {
    int i = threadIdx.x;
    if (4 * i < n) {
        float4 v = x[i];
        x[i] = make_float4(-v.x, -v.y, -v.z, -v.w);
    }
}

int main() {
    float4 *x;
    cudaMalloc(&x, 10 * sizeof(float));
    cudaMemset(x, 0, 10 * sizeof(float));
    negate<<<1, 32>>>(x, 10);
    cudaDeviceSynchronize();
    cudaFree(x);
}
