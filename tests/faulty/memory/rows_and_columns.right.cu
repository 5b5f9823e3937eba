// Rows and columns are taken for each other in the bound of a matrix that is not square: mended.

__global__ void zero(float *m, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < columns && row < rows) m[row * columns + column] = 0;
}

int main() {
    const int rows = 20, columns = 50;
    float *m;
    cudaMalloc(&m, rows * columns * sizeof(float));
    zero<<<dim3(4, 4), dim3(16, 16)>>>(m, rows, columns);
    cudaDeviceSynchronize();
    cudaFree(m);
}
