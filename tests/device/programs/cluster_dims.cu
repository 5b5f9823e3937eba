/* Cluster dimensions in the source: they travel in the name of the kernel. */
// PTX: \.entry .*wg_cluster_dims_2_1_1_
// PTX: \.entry .*wg_cluster_dims_4_2_1_
#define SIZE 4
__global__ void __cluster_dims__(2, 1, 1) pair(int *p) { *p = 1; }
template <class T> __global__ void __cluster_dims__(SIZE, 2) __launch_bounds__(128) many(T *p) { *p = 1; }
int main() {
    pair<<<2, 32>>>(0);
    many<float><<<dim3(4, 2), 128>>>(0);
}
