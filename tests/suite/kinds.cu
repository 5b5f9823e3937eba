// Memory of each kind in calls of each kind: device, managed, pinned and registered memory, and that of a pool, in messages and
// collective calls, on any number of ranks. Ends with the number of what was wrong.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" int MPIX_Query_cuda_support(void);

__global__ void fill(int *p, int first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = first + i;
}

static int rank, ranks, wrong;
static const int n = 70000; // more than MPIs send at once

static int *memory(int kind) {
    int *p = nullptr;
    size_t bytes = (size_t)n * ranks * sizeof(int);
    if (kind == 0) cudaMalloc(&p, bytes);
    if (kind == 1) cudaMallocManaged(&p, bytes);
    if (kind == 2) cudaMallocHost(&p, bytes);
    if (kind == 3) p = (int *)aligned_alloc(4096, (bytes + 4095) & ~4095ul), cudaHostRegister(p, bytes, 0);
    if (kind == 4) cudaMallocAsync(&p, bytes, 0), cudaDeviceSynchronize();
    return p;
}

static void expect(const char *what, int kind, const int *p, int count, long (*value)(int)) {
    std::vector<int> host(count);
    cudaMemcpy(host.data(), p, count * sizeof(int), cudaMemcpyDefault);
    for (int i = 0; i < count; i++) {
        if (host[i] == (int)value(i)) continue;
        printf("rank %d: %s, memory %d: [%d] is %d, not %ld\n", rank, what, kind, i, host[i], value(i));
        wrong++;
        return;
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int kind = 0; kind < 5; kind++) {
        int *in = memory(kind), *out = memory(kind), left = (rank + ranks - 1) % ranks;
        auto mine = [&](int first) {
            fill<<<(n * ranks + 255) / 256, 256>>>(in, first, n * ranks);
            cudaDeviceSynchronize();
        };
        mine(rank * 1000);
        MPI_Sendrecv(in, n, MPI_INT, (rank + 1) % ranks, 0, out, n, MPI_INT, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        expect("MPI_Sendrecv", kind, out, n, [](int i) { return (rank + ranks - 1) % ranks * 1000l + i; });
        MPI_Request requests[2];
        MPI_Irecv(out, n, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(in, n, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        expect("MPI_Isend", kind, out, n, [](int i) { return (rank + ranks - 1) % ranks * 1000l + i; });
        MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect("MPI_Allreduce", kind, out, n,
               [](int i) { return ranks * (ranks - 1) / 2 * 1000l + (long)ranks * i; });
        MPI_Allreduce(MPI_IN_PLACE, out, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        expect("MPI_IN_PLACE", kind, out, n,
               [](int i) { return ranks * (ranks - 1) / 2 * 1000l + (long)ranks * i; });
        MPI_Reduce(in, out, n, MPI_INT, MPI_MAX, ranks - 1, MPI_COMM_WORLD);
        if (rank == ranks - 1)
            expect("MPI_Reduce", kind, out, n, [](int i) { return (ranks - 1) * 1000l + i; });
        MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD);
        expect("MPI_Allgather", kind, out, n * ranks, [](int i) { return i / n * 1000l + i % n; });
        MPI_Alltoall(in, n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD);
        expect("MPI_Alltoall", kind, out, n * ranks,
               [](int i) { return i / n * 1000l + (long)rank * n + i % n; });
        MPI_Scan(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect("MPI_Scan", kind, out, n,
               [](int i) { return rank * (rank + 1) / 2 * 1000l + (rank + 1l) * i; });
        MPI_Reduce_scatter_block(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect("MPI_Reduce_scatter", kind, out, n,
               [](int i) { return ranks * (ranks - 1) / 2 * 1000l + (long)ranks * (rank * (long)n + i); });
        MPI_Gather(in, n, MPI_INT, out, n, MPI_INT, 0, MPI_COMM_WORLD);
        if (!rank) expect("MPI_Gather", kind, out, n * ranks, [](int i) { return i / n * 1000l + i % n; });
        MPI_Scatter(in, n, MPI_INT, out, n, MPI_INT, 0, MPI_COMM_WORLD);
        expect("MPI_Scatter", kind, out, n, [](int i) { return (long)rank * n + i; });
        MPI_Request request;
        MPI_Iallreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect("MPI_Iallreduce", kind, out, n,
               [](int i) { return ranks * (ranks - 1) / 2 * 1000l + (long)ranks * i; });
        MPI_Bcast(in, n, MPI_INT, ranks - 1, MPI_COMM_WORLD);
        expect("MPI_Bcast", kind, in, n, [](int i) { return (ranks - 1) * 1000l + i; });
        // A column of a matrix, and a window that others put into.
        MPI_Datatype column;
        MPI_Type_vector(100, 1, 7, MPI_INT, &column);
        MPI_Type_commit(&column);
        mine(rank);
        MPI_Sendrecv(in, 1, column, (rank + 1) % ranks, 2, out, 100, MPI_INT, left, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        expect("MPI_Type_vector", kind, out, 100, [](int i) { return (rank + ranks - 1) % ranks + 7l * i; });
        MPI_Type_free(&column);
        MPI_Win window;
        MPI_Win_create(out, n * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_fence(0, window);
        MPI_Put(in, n, MPI_INT, (rank + 1) % ranks, 0, n, MPI_INT, window);
        MPI_Win_fence(0, window);
        expect("MPI_Put", kind, out, n, [](int i) { return (rank + ranks - 1) % ranks + (long)i; });
        MPI_Win_free(&window);
    }
    printf("rank %d: %d wrong, CUDA-aware: %d\n", rank, wrong, MPIX_Query_cuda_support());
    MPI_Finalize();
    return wrong;
}
