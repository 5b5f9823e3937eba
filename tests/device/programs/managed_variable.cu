/* A __managed__ variable that both sides read and write. */
// PTX: \.global .*total
__device__ __managed__ int total = 3;
__managed__ float values[8];
__global__ void add() { atomicAdd(&total, (int)values[threadIdx.x]); }
int main() {
    values[2] = 5;
    total += 1;
    add<<<1, 8>>>();
    cudaDeviceSynchronize();
    return total;
}
