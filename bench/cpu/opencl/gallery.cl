/*
 * gallery.cl: the gallery's kernels in OpenCL C, step for step as in kernels/, with the same blocks.
 *
 * Clusters have no counterpart: where the gallery counts in a cluster, the benchmark runs
 * histogram_shared, or histogram_global where one work-group cannot hold all bins.
 */

kernel void vector_add(global const int *a, global const int *b, global int *sum, int n) {
    const int i = get_global_id(0);
    if (i < n) sum[i] = a[i] + b[i];
}

typedef struct {
    int red, green, blue;
    int hue, saturation, brightest, darkest, mixed;
} pixel;

kernel void array_of_structures(global pixel *pixels, int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int gray = (pixels[i].red + pixels[i].green + pixels[i].blue) / 3;
    pixels[i].hue = gray * 10 / 4;
    pixels[i].saturation = gray % 15;
    pixels[i].brightest = max(max(pixels[i].red, pixels[i].green), pixels[i].blue);
    pixels[i].darkest = min(min(pixels[i].red, pixels[i].green), pixels[i].blue);
    pixels[i].mixed = gray * pixels[i].hue + pixels[i].saturation;
}

kernel void structure_of_arrays(global int *all, int n) {
    global int *red = all, *green = all + n, *blue = all + 2 * n, *hue = all + 3 * n, *saturation = all + 4 * n;
    global int *brightest = all + 5 * n, *darkest = all + 6 * n, *mixed = all + 7 * n;
    const int i = get_global_id(0);
    if (i >= n) return;
    const int gray = (red[i] + green[i] + blue[i]) / 3;
    hue[i] = gray * 10 / 4;
    saturation[i] = gray % 15;
    brightest[i] = max(max(red[i], green[i]), blue[i]);
    darkest[i] = min(min(red[i], green[i]), blue[i]);
    mixed[i] = gray * hue[i] + saturation[i];
}

#define TILE 32

kernel void transpose_naive(global const int *in, global int *out, int rows, int columns) {
    const int x = get_group_id(0) * TILE + get_local_id(0);
    const int y = get_group_id(1) * TILE + get_local_id(1);
    if (x < rows && y < columns) out[y * rows + x] = in[x * columns + y];
}

#define TRANSPOSE_TILED(name, padding)                                                                           \
    kernel void name(global const int *in, global int *out, int rows, int columns) {                             \
        local int part[TILE][TILE + padding];                                                                    \
        const int tx = get_local_id(0), ty = get_local_id(1);                                                    \
        const int in_column = get_group_id(0) * TILE + tx, in_row = get_group_id(1) * TILE + ty;                 \
        if (in_row < rows && in_column < columns) part[tx][ty] = in[in_row * columns + in_column];               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        const int out_column = get_group_id(1) * TILE + tx, out_row = get_group_id(0) * TILE + ty;               \
        if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = part[ty][tx];             \
    }
TRANSPOSE_TILED(transpose_shared, 0)
TRANSPOSE_TILED(transpose_padded, 1)

#define BLOCK 256

kernel void reverse_global(global const int *in, global int *out, int n) {
    const int i = get_global_id(0);
    if (i < n) out[n - 1 - i] = in[i];
}

/* OpenCL wants a kernel's barriers and local memory in the kernel: a macro where CUDA has a function. */
#define REVERSE_BLOCK(turned)                                                                                    \
    const int first = get_group_id(0) * get_local_size(0), t = get_local_id(0);                                  \
    const int count = min((int)get_local_size(0), n - first);                                                    \
    if (t < count) turned[count - 1 - t] = in[first + t];                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
    if (t < count) out[n - first - count + t] = turned[t];

kernel void reverse_static(global const int *in, global int *out, int n) {
    local int turned[BLOCK];
    REVERSE_BLOCK(turned)
}

kernel void reverse_dynamic(global const int *in, global int *out, int n, local int *turned) {
    REVERSE_BLOCK(turned)
}

kernel void divided_shared(global int *ints, int n, local int *int_part) {
    global float *floats = (global float *)(ints + n);
    global char *chars = (global char *)(floats + n);
    local float *float_part = (local float *)(int_part + get_local_size(0));
    local char *char_part = (local char *)(float_part + get_local_size(0));
    const int first = get_group_id(0) * get_local_size(0), t = get_local_id(0);
    const int count = min((int)get_local_size(0), n - first);
    if (t < count) {
        int_part[t] = ints[first + t];
        float_part[t] = floats[first + t];
        char_part[t] = chars[first + t];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < count) {
        ints[first + t] = int_part[count - 1 - t];
        floats[first + t] = float_part[count - 1 - t];
        chars[first + t] = char_part[count - 1 - t];
    }
}

#define REDUCE_GLOBAL(name, loop, step)                                                                          \
    kernel void name(global int *values, global int *sums, int n) {                                              \
        global int *mine = values + get_group_id(0) * get_local_size(0);                                         \
        const int t = get_local_id(0), size = get_local_size(0);                                                 \
        const int count = min(size, n - (int)get_group_id(0) * size);                                            \
        for (loop) {                                                                                             \
            step;                                                                                                \
            barrier(CLK_GLOBAL_MEM_FENCE);                                                                       \
        }                                                                                                        \
        if (t == 0) sums[get_group_id(0)] = mine[0];                                                             \
    }
#define UP(size) int stride = 1; stride < size; stride *= 2
#define DOWN(size) int stride = size / 2; stride > 0; stride /= 2
REDUCE_GLOBAL(global_modulo, UP(size), if (t % (2 * stride) == 0 && t + stride < count) mine[t] += mine[t + stride])
REDUCE_GLOBAL(global_strided, UP(size), const int i = 2 * stride * t;
              if (i + stride < count) mine[i] += mine[i + stride])
REDUCE_GLOBAL(global_sequential, DOWN(size), if (t < stride && t + stride < count) mine[t] += mine[t + stride])

#define REDUCE_SHARED(name, loop, step)                                                                          \
    kernel void name(global const int *values, global int *sums, int n) {                                        \
        local int part[BLOCK];                                                                                   \
        const int t = get_local_id(0), mine = get_global_id(0);                                                  \
        part[t] = mine < n ? values[mine] : 0;                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        for (loop) {                                                                                             \
            step;                                                                                                \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        }                                                                                                        \
        if (t == 0) sums[get_group_id(0)] = part[0];                                                             \
    }
REDUCE_SHARED(shared_interleaved, UP(BLOCK), if (t % (2 * stride) == 0) part[t] += part[t + stride])
REDUCE_SHARED(shared_strided, UP(BLOCK), const int i = 2 * stride * t; if (i < BLOCK) part[i] += part[i + stride])
REDUCE_SHARED(shared_sequential, DOWN(BLOCK), if (t < stride) part[t] += part[t + stride])

kernel void product_naive(global const int *a, global const int *b, global int *c, int rows, int inner,
                          int columns) {
    const int i = get_global_id(0);
    if (i >= rows * columns) return;
    const int row = i / columns, column = i % columns;
    int sum = 0;
    for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
    c[i] = sum;
}

#define PRODUCT_TILED(T)                                                                                         \
    kernel void product_tiled##T(global const int *a, global const int *b, global int *c, int rows, int inner,   \
                                 int columns) {                                                                  \
        local int a_tile[T][T], b_tile[T][T];                                                                    \
        const int x = get_local_id(0), y = get_local_id(1);                                                      \
        const int row = get_group_id(1) * T + y, column = get_group_id(0) * T + x;                               \
        int sum = 0;                                                                                             \
        for (int first = 0; first < inner; first += T) {                                                         \
            const int a_column = first + x, b_row = first + y;                                                   \
            a_tile[y][x] = row < rows && a_column < inner ? a[row * inner + a_column] : 0;                       \
            b_tile[y][x] = b_row < inner && column < columns ? b[b_row * columns + column] : 0;                  \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            for (int k = 0; k < T; k++) sum += a_tile[y][k] * b_tile[k][x];                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        }                                                                                                        \
        if (row < rows && column < columns) c[row * columns + column] = sum;                                     \
    }
PRODUCT_TILED(16)
PRODUCT_TILED(32)

#define MEAN_BLOCK 128

#define MEAN_GLOBAL(name, reach)                                                                                 \
    kernel void name(global const uchar *in, global uchar *out, int width, int height) {                         \
        const int x = get_global_id(0), y = get_global_id(1);                                                    \
        if (x < reach || y < reach || x >= width - reach || y >= height - reach) return;                         \
        uint sum = 0;                                                                                            \
        for (int dy = -reach; dy <= reach; dy++)                                                                 \
            for (int dx = -reach; dx <= reach; dx++) sum += in[(y + dy) * width + x + dx];                       \
        out[y * width + x] = sum / ((2 * reach + 1) * (2 * reach + 1));                                          \
    }
MEAN_GLOBAL(mean3_global, 1)
MEAN_GLOBAL(mean5_global, 2)

#define MEAN_SHARED(name, reach)                                                                                 \
    kernel void name(global const uchar *in, global uchar *out, int width, int height) {                         \
        local int rows[2 * reach + 1][MEAN_BLOCK];                                                               \
        const int t = get_local_id(0);                                                                           \
        const int x = get_group_id(0) * (MEAN_BLOCK - 2 * reach) + t, y = get_group_id(1);                       \
        const bool inside = x < width && y >= reach && y < height - reach;                                       \
        if (inside)                                                                                              \
            for (int j = 0; j < 2 * reach + 1; j++) rows[j][t] = in[(y + j - reach) * width + x];                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        if (!inside || t < reach || t >= MEAN_BLOCK - reach || x >= width - reach) return;                       \
        uint sum = 0;                                                                                            \
        for (int j = 0; j < 2 * reach + 1; j++)                                                                  \
            for (int dx = -reach; dx <= reach; dx++) sum += rows[j][t + dx];                                     \
        out[y * width + x] = sum / ((2 * reach + 1) * (2 * reach + 1));                                          \
    }
MEAN_SHARED(mean3_shared, 1)
MEAN_SHARED(mean5_shared, 2)

kernel void histogram_global(global int *bins, global const int *values, int n) {
    const int step = get_global_size(0);
    for (int i = get_global_id(0); i < n; i += step) atomic_add(&bins[values[i]], 1);
}

kernel void histogram_shared(global int *bins, global const int *values, int n, int bin_count, local int *mine) {
    for (int i = get_local_id(0); i < bin_count; i += get_local_size(0)) mine[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int step = get_global_size(0);
    for (int i = get_global_id(0); i < n; i += step) atomic_add(&mine[values[i]], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < bin_count; i += get_local_size(0)) atomic_add(&bins[i], mine[i]);
}
