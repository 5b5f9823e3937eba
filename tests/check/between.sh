#!/bin/bash
# Where a barrier would go: said where all threads of the block pass between the two accesses, and only there.
. "$(dirname "$0")/../cli/expect.sh"
export COLUMNS=200
# kernel BODY: its lines are 4 and on.
kernel() {
    {
        printf '__device__ void put(int *s, int t) { s[t] = t; }\n__global__ void k(int *x, int n) {\n    __shared__ int s[256]; int t = threadIdx.x;\n'
        cat
        printf '}\nint main() {\n    int *x;\n    cudaMalloc(&x, 4096);\n    cudaMemset(x, 0, 4096);\n    k<<<1, 128>>>(x, 100);\n    cudaDeviceSynchronize();\n    return 0;\n}\n'
    } > k.cu
    expect 3 '' -- warpglass check --only race k.cu
    said '^race-'
}
none() { not_said 'would order'; }

kernel << 'END'
    s[t] = x[t];
    x[t] = s[(t + 32) % 128];
END
said '^  A __syncthreads\(\) between line 4 and line 5 would order them\.$'
kernel << 'END'
    if (t < n) s[t] = x[t];
    int more = t * 3;
    x[t] = s[(t + 32) % 128] + more;
END
said '^  A __syncthreads\(\) between line 4 and line 6, at a point that all threads of the block reach, would order them\.$'
kernel << 'END'
    s[t] = x[t];
    if (t < n) x[t] = s[(t + 32) % 128];
END
said 'between line 4 and line 5 would order'
kernel << 'END'
    if (t < n) s[t] = x[t];
    if (t < 64) x[t] = s[t + 32];
END
said 'between line 4 and line 5 would order'
kernel << 'END'
    for (int i = t; i < 256; i += 128) s[i] = x[i];
    int sum = 0;
    for (int i = 0; i < n; i++) sum += s[i];
    x[t] = sum;
END
said 'between line 4 and line 6, at a point'
kernel << 'END'
    put(s, t);
    x[t] = s[(t + 32) % 128];
END
said 'between line 4 and line 5 would order'
kernel << 'END'
    x[t] = t;
    x[128 + t] = x[(t + 32) % 128];
END
said 'between line 4 and line 5 would order'
kernel << 'END'
    s[t] = t;
    x[t] = s[t ^ 1];
END
said '^  A __syncwarp\(\) between line 4 and line 5 would order them\.$'

# ---- where it would not do, or not all come by ----
kernel << 'END'
    if (t >= n) return;
    s[t] = x[t];
    x[t] = s[(t + 32) % n];
END
none
kernel << 'END'
    if (t < n) {
        s[t] = x[t];
        x[t] = s[(t + 32) % n];
    }
END
none
kernel << 'END'
    for (int i = 0; i < 4; i++) {
        x[t] += s[(t + 32) % 128];
        __syncthreads();
        s[t] = x[t] + i;
    }
END
none
kernel << 'END'
    if (t < 64) s[t] = x[t];
    else x[t] = s[t - 64];
END
none
kernel << 'END'
    s[t / 64] += x[t];
    __syncthreads();
    x[t] = s[0];
END
none

# ---- races between warps are of the block, whatever lanes do at the same lines ----
kernel << 'END'
    s[0] = t;
    __syncthreads();
    x[t] = s[0];
END
said '^race-block: '
said 'between lanes of a warp$'
not_said '^race-warp'

# ---- grid.sync of a plain launch, and what never yields ----
cat > grid.cu << 'END'
#include <cooperative_groups.h>
__global__ void k(int *x) {
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    x[g.thread_rank()] = 1;
    g.sync();
}
int main() {
    int *x;
    cudaMalloc(&x, 4096);
    k<<<4, 64>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess;
}
END
expect 3 'grid.sync.. needs a cooperative launch' -- warpglass check grid.cu
said '^barrier-count: '
said '^  grid.cu:5:5 in k\(int\*\), launch 0$'
said '^  grid.sync\(\) needs a cooperative launch \(cudaLaunchCooperativeKernel\)\.$'
cat > never.cu << 'END'
__global__ void k(int *x, int n) {
    int a = n;
    while (a != 1)
        a = a * 2 + 2 - (a & 1);
    *x = a;
}
int main() {
    int *x;
    cudaMalloc(&x, 4);
    k<<<1, 32>>>(x, 2);
    return cudaDeviceSynchronize();
}
END
expect 124 'never.cu:4:[0-9]*: stopped in kernel k' -- warpglass check --timeout 2 never.cu
said '^timeout: '
said '^  never.cu:4:[0-9]+ in k\(int\*, int\), launch 0$'
finish
