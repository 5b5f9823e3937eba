// printf in a kernel is given a string of the host.
// expect: host-memory line 5
// says: It is the string that value 2 of printf points to.

__global__ void greet(const char *name) { printf("%d %s\n", threadIdx.x, name); }

int main() {
    const char *name = "host";
    greet<<<1, 2>>>(name);
    cudaDeviceSynchronize();
}
