/*
 * divided_shared: one dynamic allocation of shared memory, divided between int, float and char.
 *
 * A launch gives one number of bytes, however many arrays the kernel wants. The kernel divides them
 * itself, the widest type first so that each part is aligned:
 *
 *   | 256 int | 256 float | 256 char |      256 * (4 + 4 + 1) bytes
 *
 * Each block turns its own stretch of three vectors round in place.
 *
 *   divided_shared             2^20 elements in each vector
 *   divided_shared 1000003     any number
 */
#include "../gallery.h"

__global__ void divided_shared(int *ints, float *floats, char *chars, int n) {
    extern __shared__ int whole[];
    int *int_part = whole;
    float *float_part = reinterpret_cast<float *>(int_part + blockDim.x);
    char *char_part = reinterpret_cast<char *>(float_part + blockDim.x);

    const int first = blockIdx.x * blockDim.x;
    const int count = min(static_cast<int>(blockDim.x), n - first);
    const int t = threadIdx.x;
    if (t < count) {
        int_part[t] = ints[first + t];
        float_part[t] = floats[first + t];
        char_part[t] = chars[first + t];
    }
    __syncthreads();
    if (t < count) {
        ints[first + t] = int_part[count - 1 - t];
        floats[first + t] = float_part[count - 1 - t];
        chars[first + t] = char_part[count - 1 - t];
    }
}

template <class T> struct Vector {
    T *in, *expected, *result, *device;
    size_t bytes;

    Vector(int n, int block, int low, int high, uint32_t seed)
        : in(gallery::host_array<T>(n)), expected(gallery::host_array<T>(n)),
          result(gallery::host_array<T>(n)), bytes(static_cast<size_t>(n) * sizeof(T)) {
        gallery::fill(in, n, low, high, seed);
        for (int i = 0; i < n; i++) {
            const int first = i / block * block;
            const int count = n - first < block ? n - first : block;
            expected[i] = in[first + count - 1 - (i - first)];
        }
        CHECK(cudaMalloc(&device, bytes));
    }
    Vector(const Vector &) = delete;
    Vector &operator=(const Vector &) = delete;

    void to_device() { CHECK(cudaMemcpy(device, in, bytes, cudaMemcpyHostToDevice)); }
    void from_device() { CHECK(cudaMemcpy(result, device, bytes, cudaMemcpyDeviceToHost)); }
    ~Vector() {
        CHECK(cudaFree(device));
        free(in);
        free(expected);
        free(result);
    }
};

int main(int argc, char **argv) {
    int n = 1 << 20;
    const gallery::Size sizes[] = {{"N", "number of elements in each vector", &n, 1, 1 << 28}};
    gallery::Program program(argc, argv, "divided_shared",
                             "Reverses stretches of three vectors in one allocation of shared memory.",
                             sizes);

    const int block = 256, blocks = gallery::blocks_for(n, block);
    const size_t shared_bytes = block * (sizeof(int) + sizeof(float) + sizeof(char));
    Vector<int> ints(n, block, -1000000, 1000000, 1);
    Vector<float> floats(n, block, -1000000, 1000000, 2);
    Vector<char> chars(n, block, 0, 127, 3);
    printf("divided_shared: %d elements, %d blocks of %d threads, %zu bytes of shared memory\n", n, blocks,
           block, shared_bytes);

    /* The kernel works in place: each launch starts from the input again. */
    if (program.wants("divided_shared")) {
        program.time(
            "divided_shared",
            [&] {
                ints.to_device();
                floats.to_device();
                chars.to_device();
            },
            [&] {
                divided_shared<<<blocks, block, shared_bytes>>>(ints.device, floats.device, chars.device, n);
            });
        ints.from_device();
        floats.from_device();
        chars.from_device();
        program.compare(ints.result, ints.expected, n);
        program.compare(floats.result, floats.expected, n);
        program.compare(chars.result, chars.expected, n);
        program.verdict();
    }
    return program.finish();
}
