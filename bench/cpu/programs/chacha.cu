/* chacha: ChaCha20's stream, a block of 64 bytes for each thread, its state in an array of its own. */
#include "launch.h"

__device__ unsigned turn(unsigned x, int by) { return x << by | x >> (32 - by); }

__device__ void quarter(unsigned &a, unsigned &b, unsigned &c, unsigned &d) {
    a += b;
    d = turn(d ^ a, 16);
    c += d;
    b = turn(b ^ c, 12);
    a += b;
    d = turn(d ^ a, 8);
    c += d;
    b = turn(b ^ c, 7);
}

__global__ void encipher(const unsigned *text, const unsigned *key, unsigned *out, int n, int rounds) {
    const int block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= n) return;
    unsigned x[16];
    for (int i = 0; i < 16; i++) x[i] = key[i];
    x[12] += block;
    for (int round = 0; round < rounds; round++) {
        quarter(x[0], x[4], x[8], x[12]);
        quarter(x[1], x[5], x[9], x[13]);
        quarter(x[2], x[6], x[10], x[14]);
        quarter(x[3], x[7], x[11], x[15]);
        quarter(x[0], x[5], x[10], x[15]);
        quarter(x[1], x[6], x[11], x[12]);
        quarter(x[2], x[7], x[8], x[13]);
        quarter(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++)
        out[block * 16 + i] = text[block * 16 + i] ^ (x[i] + key[i] + (i == 12 ? block : 0));
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "chacha", [](const launch::Problem &p) {
        encipher<<<gallery::blocks_for(p.n[0], 256), 256>>>(p.input<unsigned>(0), p.input<unsigned>(1),
                                                            p.result<unsigned>(), p.n[0], p.n[1]);
    });
}
