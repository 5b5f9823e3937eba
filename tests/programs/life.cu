/* life: the Game of Life on managed memory that host and device take turns with; the rule is a template
 * parameter, 32 cells are a word by a vote of the warp, the living are counted with __popc, and the kernel
 * prints when all are dead.
 */
#include "program.h"

constexpr int WORDS = 3, W = WORDS * 32, H = 50;

struct Conway {
    static __host__ __device__ bool lives(bool alive, int n) { return n == 3 || (alive && n == 2); }
};
struct HighLife {
    static __host__ __device__ bool lives(bool alive, int n) { return n == 3 || n == 6 || (alive && n == 2); }
};

__host__ __device__ inline int cell(const unsigned *a, int x, int y) {
    x = (x + W) % W, y = (y + H) % H;
    return a[y * WORDS + x / 32] >> x % 32 & 1;
}

template <typename RULE> __host__ __device__ bool next(const unsigned *now, int x, int y) {
    int n = -cell(now, x, y);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) n += cell(now, x + i, y + j);
    return RULE::lives(cell(now, x, y), n);
}

template <typename RULE> __global__ void turn(const unsigned *now, unsigned *then, int *living) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= H) return;
    unsigned word = __ballot_sync(~0u, next<RULE>(now, x, y));
    if (threadIdx.x == 0) {
        then[y * WORDS + blockIdx.x] = word;
        atomicAdd(living, __popc(word));
    }
}

__global__ void obituary(const int *living, int turns) {
    if (*living == 0) printf("all dead after %d turns\n", turns);
}

template <typename RULE> static void play(const char *name, unsigned share) {
    Array<unsigned> a(WORDS * H), b(WORDS * H), want(WORDS * H);
    Array<int> living(1);
    uint32_t state = 9;
    for (int i = 0; i < W * H; i++) a[i / 32] |= (unsigned)(next_random(state) % 100 < share) << i % 32;
    Array<unsigned> *now = &a, *then = &b;
    int wrong = 0;
    for (int t = 0; t < 20; t++) {
        living[0] = 0;
        turn<RULE><<<dim3(WORDS, (H + 3) / 4), dim3(32, 4)>>>(now->p, then->p, living.p);
        CALL(cudaDeviceSynchronize());
        int count = 0;
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool lives = next<RULE>(now->p, x, y);
                wrong += lives != cell(then->p, x, y);
                count += lives;
            }
        wrong += count != living[0];
        std::swap(now, then);
    }
    obituary<<<1, 1>>>(living.p, 20);
    show(name, *now);
    printf("%s: %d alive, %d wrong\n", name, living[0], wrong);
}

int main() {
    play<Conway>("Conway", 30);
    play<HighLife>("HighLife", 30);
    play<Conway>("sparse", 1);
    return 0;
}
