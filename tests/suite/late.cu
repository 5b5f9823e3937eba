// Who waits for whom, on four ranks: in each part one rank comes late, and the others are there before. PMPI_Barrier, which
// nobody looks at, brings them together before each.
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void fill(int *p, int value) { p[threadIdx.x] = value; }

static int rank;
static void late(int who) {
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == who) usleep(400000);
}

static void messages(int *mine, int *theirs) {
    MPI_Request requests[3];
    MPI_Status status;
    late(1); // MPI_Recv, with wildcards: 0 for 1
    if (rank == 1) MPI_Send(mine, 8, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(theirs, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    late(2); // MPI_Ssend: 0 for 2
    if (rank == 0) MPI_Ssend(mine, 8, MPI_INT, 2, 7, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(theirs, 8, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    late(3); // MPI_Waitall, of three operations, two of which are soon over: 1 for 3
    if (rank == 0) MPI_Send(mine, 8, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 3) MPI_Send(mine, 8, MPI_INT, 1, 2, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(theirs, 8, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) {
        MPI_Irecv(theirs, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(theirs + 8, 8, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(mine, 8, MPI_INT, 2, 3, MPI_COMM_WORLD, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
    late(0); // MPI_Sendrecv: 3 for 0, and MPI_Probe: 2 for 0; nobody is no message
    if (rank == 3)
        MPI_Sendrecv(mine, 8, MPI_INT, 0, 4, theirs, 8, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Sendrecv(mine, 8, MPI_INT, 3, 4, theirs, 8, MPI_INT, 3, 4, MPI_COMM_WORLD, &status);
        MPI_Sendrecv(mine, 8, MPI_INT, 2, 5, theirs, 8, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status);
    }
    if (rank == 2) {
        MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(theirs, 8, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void persistent(int *mine, int *theirs) {
    MPI_Request request;
    int index;
    if (rank == 3) MPI_Recv_init(theirs, 8, MPI_INT, 2, 6, MPI_COMM_WORLD, &request);
    if (rank == 2) MPI_Send_init(mine, 8, MPI_INT, 3, 6, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; i++) { // MPI_Waitany: 3 for 2, twice
        late(2);
        if (rank >= 2) MPI_Start(&request), MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    }
    if (rank >= 2) MPI_Request_free(&request);
}

static void collectives(int *mine, int *theirs) {
    MPI_Comm half, again;
    late(3); // MPI_Barrier: all for 3
    MPI_Barrier(MPI_COMM_WORLD);
    late(1); // MPI_Bcast: all for the root
    MPI_Bcast(mine, 8, MPI_INT, 1, MPI_COMM_WORLD);
    late(2); // MPI_Reduce: the root alone
    MPI_Reduce(mine, theirs, 8, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    MPI_Comm_split(again, rank % 2, -rank, &half); // {2, 0} and {3, 1}
    late(3);                                       // MPI_Allreduce in half of the ranks: 1 for 3
    MPI_Allreduce(mine, theirs, 8, MPI_INT, MPI_SUM, half);
    MPI_Comm_split(again, rank ? 0 : MPI_UNDEFINED, 0, &half); // 1, 2, 3
    late(2);                                                   // MPI_Wait, of MPI_Iallgather: 1 and 3 for 2
    if (rank) {
        MPI_Request request;
        MPI_Iallgather(mine, 2, MPI_INT, theirs, 2, MPI_INT, half, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) { // [killed | abort]: rank 2 is, when the others wait for it
    int *mine, *theirs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cudaMalloc(&mine, 64 * sizeof(int));
    cudaMalloc(&theirs, 64 * sizeof(int));
    fill<<<1, 32>>>(mine, rank);
    cudaDeviceSynchronize();
    if (argc > 1 && !strcmp(argv[1], "killed")) {
        if (rank == 2) _exit(9);
        if (rank == 0) MPI_Recv(theirs, 8, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (argc > 1 && !strcmp(argv[1], "abort")) {
        if (rank == 3) MPI_Abort(MPI_COMM_WORLD, 5);
        MPI_Recv(theirs, 8, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    messages(mine, theirs);
    persistent(mine, theirs);
    collectives(mine, theirs);
    MPI_Finalize();
    return 0;
}
