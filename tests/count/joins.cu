// Small kernels whose neighbouring accesses the assembler joins or leaves apart, to learn its rules by:
//     nvcc -arch=sm_90 -O3 -ptx joins.cu     joins.ptx
//     nvcc -arch=sm_90 -O3 -cubin joins.cu   machine code, whose accesses' widths are joins.tsv
// Names say what is read: w16_013 are words 0, 1 and 3 of an aligned 16 bytes, h 16-bit, d 64-bit, b bytes.

// Some of what lies in shared memory from `base` on, in one expression.
#define LOADS(name, type, base, expression)                                                                  \
    extern "C" __global__ void name(int *o, const int *a, int n) {                                           \
        __shared__ type s[1024];                                                                             \
        int t = threadIdx.x, b;                                                                              \
        s[t] = a[t];                                                                                         \
        __syncthreads();                                                                                     \
        b = base;                                                                                            \
        o[t] = expression;                                                                                   \
    }
// clang-format off
LOADS(s_row4, int, (t&15)*16, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_row2, int, (t&15)*16, s[b]*3 + s[b + 1]*5)
LOADS(s_row3, int, (t&15)*16, s[b]*3 + s[b + 1]*5 + s[b + 2])
LOADS(s_row3b, int, (t&15)*16, s[b + 1]*3 + s[b + 2]*5 + s[b + 3])
LOADS(s_row8, int, (t&15)*16;int v=0;for(int i=0;i<8;i++)v+=s[b+i]*(i+1), v)
LOADS(s_row6, int, (t&15)*16;int v=0;for(int i=0;i<6;i++)v+=s[b+i]*(i+1), v)
LOADS(s_row4off2, int, (t&15)*16, s[b + 2]*3 + s[b + 3]*5 + s[b + 4]*7 + s[b + 5])
LOADS(s_al8, int, t*2, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_al4, int, t, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_rev, int, (t&15)*16, s[b + 3]*3 + s[b + 2]*5 + s[b + 1]*7 + s[b])
LOADS(s_storebetween, int, (t&15)*16;int x=s[b];s[t+512]=x, x + s[b + 1]*5)
LOADS(s_gstorebetween, int, (t&15)*16;int x=s[b];o[t+512]=x, x + s[b + 1]*5)
LOADS(s_u8, unsigned char, (t&15)*16, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_f32, float, (t&15)*16, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_f64, double, (t&15)*16, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_const, int, 0, s[0]*3 + s[1]*5 + s[2]*7 + s[3])
LOADS(s_const1, int, 0, s[1]*3 + s[2]*5 + s[3]*7 + s[4])
LOADS(s_pred, int, (t&15)*16;int v=0;if(t<n)v=s[b]*3+s[b+1]*5+s[b+2]*7+s[b+3], v)
LOADS(s_mad, int, (t%20)*12+(t&3)*4, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_mul12, int, (t%20)*12, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_mul6, int, (t%20)*6, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_and, int, n&~3, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_shl, int, n<<2, s[b]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3])
LOADS(s_gap, int, (t&15)*16, s[b]*3 + s[b + 2]*5 + s[b + 3]*7)
LOADS(s_5, int, (t&15)*16;int v=0;for(int i=0;i<5;i++)v+=s[b+i]*(i+1), v)
LOADS(s_7, int, (t&15)*16;int v=0;for(int i=0;i<7;i++)v+=s[b+i]*(i+1), v)
LOADS(w16_0, int, (t&15)*16, s[b + 0]*3)
LOADS(w16_1, int, (t&15)*16, s[b + 1]*5)
LOADS(w16_01, int, (t&15)*16, s[b + 0]*3 + s[b + 1]*5)
LOADS(w16_2, int, (t&15)*16, s[b + 2]*7)
LOADS(w16_02, int, (t&15)*16, s[b + 0]*3 + s[b + 2]*7)
LOADS(w16_12, int, (t&15)*16, s[b + 1]*5 + s[b + 2]*7)
LOADS(w16_012, int, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7)
LOADS(w16_3, int, (t&15)*16, s[b + 3]*9)
LOADS(w16_03, int, (t&15)*16, s[b + 0]*3 + s[b + 3]*9)
LOADS(w16_13, int, (t&15)*16, s[b + 1]*5 + s[b + 3]*9)
LOADS(w16_013, int, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 3]*9)
LOADS(w16_23, int, (t&15)*16, s[b + 2]*7 + s[b + 3]*9)
LOADS(w16_023, int, (t&15)*16, s[b + 0]*3 + s[b + 2]*7 + s[b + 3]*9)
LOADS(w16_123, int, (t&15)*16, s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9)
LOADS(w16_0123, int, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9)
LOADS(w8_01, int, (t&15)*6, s[b + 0]*3 + s[b + 1]*5)
LOADS(w8_12, int, (t&15)*6, s[b + 1]*5 + s[b + 2]*7)
LOADS(w8_02, int, (t&15)*6, s[b + 0]*3 + s[b + 2]*7)
LOADS(w8_23, int, (t&15)*6, s[b + 2]*7 + s[b + 3]*9)
LOADS(w8_012, int, (t&15)*6, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7)
LOADS(w8_123, int, (t&15)*6, s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9)
LOADS(w8_03, int, (t&15)*6, s[b + 0]*3 + s[b + 3]*9)
LOADS(w8_13, int, (t&15)*6, s[b + 1]*5 + s[b + 3]*9)
LOADS(h16_01, unsigned short, (t&15)*16, s[b + 0]*3 + s[b + 1]*5)
LOADS(h16_02, unsigned short, (t&15)*16, s[b + 0]*3 + s[b + 2]*7)
LOADS(h16_12, unsigned short, (t&15)*16, s[b + 1]*5 + s[b + 2]*7)
LOADS(h16_012, unsigned short, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7)
LOADS(h16_23, unsigned short, (t&15)*16, s[b + 2]*7 + s[b + 3]*9)
LOADS(h16_0123, unsigned short, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9)
LOADS(h16_0145, unsigned short, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 4]*11 + s[b + 5]*13)
LOADS(h16_01234567, unsigned short, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9 + s[b + 4]*11 + s[b + 5]*13 + s[b + 6]*15 + s[b + 7]*17)
LOADS(h16_4567, unsigned short, (t&15)*16, s[b + 4]*11 + s[b + 5]*13 + s[b + 6]*15 + s[b + 7]*17)
LOADS(h16_2345, unsigned short, (t&15)*16, s[b + 2]*7 + s[b + 3]*9 + s[b + 4]*11 + s[b + 5]*13)
LOADS(h16_04, unsigned short, (t&15)*16, s[b + 0]*3 + s[b + 4]*11)
LOADS(b16_01, unsigned char, (t&15)*16, s[b + 0]*3 + s[b + 1]*5)
LOADS(b16_0123, unsigned char, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9)
LOADS(b16_01234567, unsigned char, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9 + s[b + 4]*11 + s[b + 5]*13 + s[b + 6]*15 + s[b + 7]*17)
LOADS(d16_01, double, (t&15)*16, s[b + 0]*3 + s[b + 1]*5)
LOADS(d16_12, double, (t&15)*16, s[b + 1]*5 + s[b + 2]*7)
LOADS(d16_23, double, (t&15)*16, s[b + 2]*7 + s[b + 3]*9)
LOADS(d16_012, double, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7)
LOADS(d16_0123, double, (t&15)*16, s[b + 0]*3 + s[b + 1]*5 + s[b + 2]*7 + s[b + 3]*9)
LOADS(d16_02, double, (t&15)*16, s[b + 0]*3 + s[b + 2]*7)
LOADS(mix_v2, int, (t&15)*16;int2 q=*(int2*)&s[b], q.x*3 + q.y*5 + s[b + 2]*7)
LOADS(mix_v2b, int, (t&15)*16;int2 q=*(int2*)&s[b], q.x*3 + q.y*5 + s[b + 2]*7 + s[b + 3])
LOADS(base2, int, (t&15)*16;int c=b+n*4, s[b]*3 + s[c]*5 + s[b + 1]*7 + s[c + 1])
LOADS(fence, int, (t&15)*16;int x=s[b];__threadfence_block(), x + s[b + 1]*5)
LOADS(dep, int, (t&15)*16;int x=s[b];int y=s[x&1023], x + y + s[b + 1]*5)
LOADS(dup2, int, (t&15)*16, s[b] + s[b + 1] + s[b + 4] + s[b + 6] + s[b + 8] + s[b + 9] + s[b + 10])
// clang-format on

extern "C" __global__ void s_dyn(int *o, const int *a, int n) {
    extern __shared__ int d[];
    int t = threadIdx.x;
    d[t] = a[t];
    __syncthreads();
    int b = (t & 15) * 16;
    o[t] = d[b] * 3 + d[b + 1] * 5 + d[b + 2] * 7 + d[b + 3];
}
extern "C" __global__ void s_dyn16(int *o, const int *a, int n) {
    extern __shared__ __align__(16) int d2[];
    int t = threadIdx.x;
    d2[t] = a[t];
    __syncthreads();
    int b = (t & 15) * 16;
    o[t] = d2[b] * 3 + d2[b + 1] * 5 + d2[b + 2] * 7 + d2[b + 3];
}
extern "C" __global__ void s_two(int *o, const int *a, int n) {
    __shared__ int s[256], u[300];
    int t = threadIdx.x;
    s[t] = a[t];
    u[t] = a[t + 9];
    __syncthreads();
    int b = (t & 7) * 16;
    o[t] = s[b] * 3 + s[b + 1] * 5 + s[b + 2] * 7 + s[b + 3] + u[b] + u[b + 1] * 11;
}
extern "C" __global__ void s_odd(int *o, const int *a, int n) {
    __shared__ int pad[1], s[1024];
    int t = threadIdx.x;
    pad[0] = n;
    s[t] = a[t];
    __syncthreads();
    int b = (t & 15) * 16;
    o[t] = pad[0] + s[b] * 3 + s[b + 1] * 5 + s[b + 2] * 7 + s[b + 3];
}
extern "C" __global__ void g_row4(int *o, const int *a, int n) {
    int t = threadIdx.x;
    const int *p = a + t * 4;
    o[t] = p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
}
extern "C" __global__ void g_row4r(int *__restrict__ o, const int *__restrict__ a, int n) {
    int t = threadIdx.x;
    const int *p = a + t * 4;
    o[t] = p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
}
__device__ int dv[4096];
extern "C" __global__ void g_dev(int *o, const int *a, int n) {
    int t = threadIdx.x;
    const int *p = dv + t * 4;
    o[t] = p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
}
__device__ __align__(16) int dv16[4096];
extern "C" __global__ void g_dev16(int *o, const int *a, int n) {
    int t = threadIdx.x;
    const int *p = dv16 + t * 4;
    o[t] = p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
}
__constant__ int cv[4096];
extern "C" __global__ void c_row4(int *o, const int *a, int n) {
    int t = threadIdx.x;
    const int *p = cv + (t >> 8) * 4;
    o[t] = p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
}
extern "C" __global__ void st_row4(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b] = v;
    s[b + 1] = v * 3;
    s[b + 2] = v * 5;
    s[b + 3] = v * 7;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void gst_row4(int *o, const int *a, int n) {
    int t = threadIdx.x;
    int v = a[t];
    o[t * 4] = v;
    o[t * 4 + 1] = v * 3;
    o[t * 4 + 2] = v * 5;
    o[t * 4 + 3] = v * 7;
}
extern "C" __global__ void l_row4(int *o, const int *a, int n) {
    int l[64];
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++) l[(i * n) & 63] = a[i + t];
    int b = (n & 3) * 16;
    o[t] = l[b] * 3 + l[b + 1] * 5 + l[b + 2] * 7 + l[b + 3];
}
extern "C" __global__ void s_col(int *o, const int *a, int n) {
    __shared__ int s[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = a[x + y * n];
    __syncthreads();
    int v = 0;
    for (int j = 0; j < 32; j++) v += s[j][x] * s[y][j];
    o[x] = v;
}
extern "C" __global__ void s_vol(int *o, const int *a, int n) {
    __shared__ int s[1024];
    volatile int *q = s;
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    int b = (t & 15) * 16;
    o[t] = q[b] * 3 + q[b + 1] * 5 + q[b + 2] * 7 + q[b + 3];
}
extern "C" __global__ void s_dup(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    int b = (t & 15) * 16;
    int x = s[b];
    o[t] = x;
    __syncwarp();
    o[t + 5] = s[b + 1];
}
extern "C" __global__ void s_struct(int *o, const int *a, int n) {
    __shared__ float2 s[512];
    int t = threadIdx.x;
    s[t].x = a[t];
    s[t].y = a[t + 1];
    __syncthreads();
    int b = (t & 15) * 16;
    o[t] = s[b].x * 3 + s[b].y * 5 + s[b + 1].x * 7 + s[b + 1].y;
}
extern "C" __global__ void st16_01(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b + 0] = v * 3;
    s[b + 1] = v * 5;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void st16_12(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b + 1] = v * 5;
    s[b + 2] = v * 7;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void st16_012(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b + 0] = v * 3;
    s[b + 1] = v * 5;
    s[b + 2] = v * 7;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void st16_123(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b + 1] = v * 5;
    s[b + 2] = v * 7;
    s[b + 3] = v * 9;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void st16_0123(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b + 0] = v * 3;
    s[b + 1] = v * 5;
    s[b + 2] = v * 7;
    s[b + 3] = v * 9;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void st16_02(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b + 0] = v * 3;
    s[b + 2] = v * 7;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void st16_23(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 4;
    s[b + 2] = v * 7;
    s[b + 3] = v * 9;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void st8_0123(int *o, const int *a, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    int v = a[t];
    int b = (t & 63) * 6;
    s[b + 0] = v * 3;
    s[b + 1] = v * 5;
    s[b + 2] = v * 7;
    s[b + 3] = v * 9;
    __syncthreads();
    o[t] = s[t];
}
extern "C" __global__ void ga_0123(int *o, const int *a, int n) {
    int t = threadIdx.x;
    const int *p = (const int *)(((size_t)(a + n)) & ~(size_t)15);
    p += t * 4;
    o[t] = p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
}
extern "C" __global__ void ga_01(int *o, const int *a, int n) {
    int t = threadIdx.x;
    const int *p = (const int *)(((size_t)(a + n)) & ~(size_t)15);
    p += t * 4;
    o[t] = p[0] * 3 + p[1] * 5;
}
extern "C" __global__ void gas_0123(int *o, const int *a, int n) {
    int t = threadIdx.x;
    int v = a[t];
    int *p = (int *)(((size_t)(o + n)) & ~(size_t)15);
    p += t * 4;
    p[0] = v;
    p[1] = v * 3;
    p[2] = v * 5;
    p[3] = v * 7;
}
extern "C" __global__ void interleave(int *o, const int *a, int n) {
    __shared__ int s[1024], u[1024];
    int t = threadIdx.x;
    s[t] = a[t];
    u[t] = a[t + 1];
    __syncthreads();
    int b = (t & 15) * 16;
    o[t] = s[b] * u[t] + s[b + 1] * u[t + 32] + s[b + 2] * u[t + 64] + s[b + 3] * u[t + 96];
}
extern "C" __global__ void addrstore(int *o, const int *a, int n) {
    __shared__ int s[1024], u[1024];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    int b = (t & 15) * 16;
    int x = s[b];
    u[t] = x;
    o[t] = x + s[b + 1] * 5;
    __syncthreads();
    o[t + 1] = u[n];
}
extern "C" __global__ void atomicbetween(int *o, const int *a, int n) {
    __shared__ int s[1024];
    __shared__ int c;
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    int b = (t & 15) * 16;
    int x = s[b];
    atomicAdd(&c, x);
    o[t] = x + s[b + 1] * 5 + c;
}
