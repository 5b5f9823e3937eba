/*
 * array_of_structures: one computation on pixels of eight fields, laid out in two ways.
 *
 *   array of structures    r g b hue .. | r g b hue .. | ...      neighbouring threads 32 bytes apart
 *   structure of arrays    r r r ... g g g ... b b b ...           neighbouring threads 4 bytes apart
 *
 * Both kernels do the same arithmetic. In the first, one load of a warp touches 32 sectors to use 4
 * bytes of each; in the second, it touches 4 sectors and uses every byte.
 *
 *   array_of_structures            2^20 pixels
 *   array_of_structures 1000003
 */
#include "../gallery.h"

struct Pixel {
    int red, green, blue;
    int hue, saturation, brightest, darkest, mixed;
};

struct PixelArrays {
    int *red, *green, *blue;
    int *hue, *saturation, *brightest, *darkest, *mixed;
};

static const int field_count = sizeof(Pixel) / sizeof(int);

__global__ void array_of_structures(Pixel *pixels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int gray = (pixels[i].red + pixels[i].green + pixels[i].blue) / 3;
    pixels[i].hue = gray * 10 / 4;
    pixels[i].saturation = gray % 15;
    pixels[i].brightest = max(max(pixels[i].red, pixels[i].green), pixels[i].blue);
    pixels[i].darkest = min(min(pixels[i].red, pixels[i].green), pixels[i].blue);
    pixels[i].mixed = gray * pixels[i].hue + pixels[i].saturation;
}

__global__ void structure_of_arrays(PixelArrays pixels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int gray = (pixels.red[i] + pixels.green[i] + pixels.blue[i]) / 3;
    pixels.hue[i] = gray * 10 / 4;
    pixels.saturation[i] = gray % 15;
    pixels.brightest[i] = max(max(pixels.red[i], pixels.green[i]), pixels.blue[i]);
    pixels.darkest[i] = min(min(pixels.red[i], pixels.green[i]), pixels.blue[i]);
    pixels.mixed[i] = gray * pixels.hue[i] + pixels.saturation[i];
}

/* Plain C: what both kernels must give. */
static void expect(Pixel *pixels, int n) {
    for (int i = 0; i < n; i++) {
        Pixel &p = pixels[i];
        const int gray = (p.red + p.green + p.blue) / 3;
        p.hue = gray * 10 / 4;
        p.saturation = gray % 15;
        p.brightest = p.red > p.green ? p.red : p.green;
        p.brightest = p.brightest > p.blue ? p.brightest : p.blue;
        p.darkest = p.red < p.green ? p.red : p.green;
        p.darkest = p.darkest < p.blue ? p.darkest : p.blue;
        p.mixed = gray * p.hue + p.saturation;
    }
}

/* arrays[field * n + i] is field `field` of pixel i. */
static void split(const Pixel *pixels, int *arrays, int n) {
    for (int i = 0; i < n; i++) {
        int fields[field_count];
        memcpy(fields, &pixels[i], sizeof(Pixel));
        for (int field = 0; field < field_count; field++)
            arrays[static_cast<size_t>(field) * n + i] = fields[field];
    }
}

int main(int argc, char **argv) {
    int n = 1 << 20;
    const gallery::Size sizes[] = {{"N", "number of pixels", &n, 1, 1 << 26}};
    gallery::Program program(argc, argv, "array_of_structures",
                             "One computation on pixels of eight fields, in two layouts.", sizes);

    const size_t values = static_cast<size_t>(n) * field_count, bytes = values * sizeof(int);
    Pixel *pixels = gallery::host_array<Pixel>(n);
    int *arrays = gallery::host_array<int>(values), *result = gallery::host_array<int>(values);
    gallery::fill(reinterpret_cast<int *>(pixels), values, 0, 255, 1);
    split(pixels, arrays, n);

    int *device;
    CHECK(cudaMalloc(&device, bytes));
    const int threads = 256, blocks = gallery::blocks_for(n, threads);
    printf("array_of_structures: %d pixels of %d int, %d blocks of %d threads\n", n, field_count, blocks,
           threads);

    if (program.wants("array_of_structures")) {
        CHECK(cudaMemcpy(device, pixels, bytes, cudaMemcpyHostToDevice));
        program.time("array_of_structures",
                     [&] { array_of_structures<<<blocks, threads>>>(reinterpret_cast<Pixel *>(device), n); });
        CHECK(cudaMemcpy(result, device, bytes, cudaMemcpyDeviceToHost));
        expect(pixels, n);
        program.compare(result, reinterpret_cast<int *>(pixels), values);
        program.verdict();
    }
    if (program.wants("structure_of_arrays")) {
        int *part[field_count];
        for (int field = 0; field < field_count; field++)
            part[field] = device + static_cast<size_t>(field) * n;
        const PixelArrays all = {part[0], part[1], part[2], part[3], part[4], part[5], part[6], part[7]};
        CHECK(cudaMemcpy(device, arrays, bytes, cudaMemcpyHostToDevice));
        program.time("structure_of_arrays", [&] { structure_of_arrays<<<blocks, threads>>>(all, n); });
        CHECK(cudaMemcpy(result, device, bytes, cudaMemcpyDeviceToHost));
        expect(pixels, n);
        split(pixels, arrays, n);
        program.compare(result, arrays, values);
        program.verdict();
    }

    CHECK(cudaFree(device));
    free(pixels);
    free(arrays);
    free(result);
    return program.finish();
}
