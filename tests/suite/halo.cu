// A stencil on any number of ranks, one GPU each: neighbours exchange a cell at each step, out of and into device memory.
// Rank 0 compares with the same on one rank. "halo STEPS CELLS [crash RANK | fault RANK | uneven]"
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" int MPIX_Query_cuda_support(void);

__global__ void smooth(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i <= n) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
__global__ void collide(float *x) { x[0] = threadIdx.x; }

static float start_of(long cell) { return (float)((cell * 7919) % 101); }

static std::vector<float> alone(long cells, int steps) {
    std::vector<float> a(cells + 2, 0), b(cells + 2, 0);
    for (long i = 0; i < cells; i++) a[i + 1] = start_of(i);
    for (int s = 0; s < steps; s++, a.swap(b))
        for (long i = 1; i <= cells; i++) b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
    return {a.begin() + 1, a.end() - 1};
}

int main(int argc, char **argv) {
    int rank, ranks, devices, device, steps = argc > 1 ? atoi(argv[1]) : 10,
                                      n = argc > 2 ? atoi(argv[2]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cudaGetDeviceCount(&devices);
    cudaSetDevice(rank % devices);
    cudaGetDevice(&device);
    bool chosen = argc > 4 && atoi(argv[4]) == rank;
    float *a, *b;
    cudaMalloc(&a, (n + 2) * sizeof(float));
    cudaMalloc(&b, (n + 2) * sizeof(float));
    cudaMemset(a, 0, (n + 2) * sizeof(float));
    cudaMemset(b, 0, (n + 2) * sizeof(float));
    std::vector<float> first(n);
    for (int i = 0; i < n; i++) first[i] = start_of((long)rank * n + i);
    cudaMemcpy(a + 1, first.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    for (int s = 0; s < steps; s++) {
        MPI_Sendrecv(a + 1, 1, MPI_FLOAT, left, 0, a + n + 1, 1, MPI_FLOAT, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(a + n, 1, MPI_FLOAT, right, 1, a, 1, MPI_FLOAT, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        smooth<<<(n + 127) / 128, 128>>>(a, b, n);
        cudaDeviceSynchronize();
        std::swap(a, b);
        if (chosen && s == steps / 2 && !strcmp(argv[3], "crash")) raise(SIGKILL);
    }
    if (chosen && !strcmp(argv[3], "fault")) collide<<<1, 64>>>(b);
    if (argc > 3 && !strcmp(argv[3], "uneven"))
        for (int i = 0; i < rank; i++) smooth<<<(n + 127) / 128, 128>>>(b, a, n);
    cudaDeviceSynchronize();
    std::vector<float> all((size_t)n * ranks);
    if (argc > 3)
        cudaMemcpy(a + 1, first.data(), n * sizeof(float), cudaMemcpyHostToDevice); // not compared then
    MPI_Gather(a + 1, n, MPI_FLOAT, all.data(), n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    int wrong = !rank && argc <= 3 &&
                memcmp(all.data(), alone((long)n * ranks, steps).data(), all.size() * sizeof(float)) != 0;
    printf("rank %d of %d on device %d of %d, CUDA-aware: %d%s\n", rank, ranks, device, devices,
           MPIX_Query_cuda_support(), wrong ? ", wrong" : "");
    fflush(stdout);
    MPI_Finalize();
    return wrong;
}
