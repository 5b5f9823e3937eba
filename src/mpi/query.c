/* Does MPI take pointers to device memory? Here they are addresses of the process, so any MPI does, whatever it was built with.
 * This library comes before MPI's in programs that are started as ranks (cli/run.c); it knows nothing else of MPI. */
__attribute__((visibility("default"))) int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void) { return 1; }
