/* background: a picture's background as three modes for each pixel, kept in order in a thread's own small arrays. */
#include "launch.h"

static const int modes = 3;

__device__ void swap(float &a, float &b) {
    const float kept = a;
    a = b;
    b = kept;
}

__global__ void learn(float *model, const unsigned char *frame, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float weight[modes], mean[modes], variance[modes], sum = 0;
    for (int k = 0; k < modes; k++) {
        weight[k] = model[k * n + i];
        mean[k] = model[(modes + k) * n + i];
        variance[k] = model[(2 * modes + k) * n + i];
    }
    const float pixel = frame[i];
    int match = 0;
    while (match < modes && (pixel - mean[match]) * (pixel - mean[match]) >= 6.25f * variance[match]) match++;
    for (int k = 0; k < modes; k++) weight[k] *= 0.95f;
    if (match < modes) {
        const float away = pixel - mean[match];
        weight[match] += 0.05f;
        mean[match] += 0.1f * away;
        variance[match] += 0.1f * (away * away - variance[match]);
    } else {
        weight[modes - 1] = 0.05f;
        mean[modes - 1] = pixel;
        variance[modes - 1] = 400;
    }
    for (int k = 0; k < modes; k++) sum += weight[k];
    for (int k = 0; k < modes; k++) weight[k] /= sum;
    for (int last = modes - 1; last > 0; last--)
        for (int k = 0; k < last; k++)
            if (weight[k] < weight[k + 1]) {
                swap(weight[k], weight[k + 1]);
                swap(mean[k], mean[k + 1]);
                swap(variance[k], variance[k + 1]);
            }
    for (int k = 0; k < modes; k++) {
        model[k * n + i] = weight[k];
        model[(modes + k) * n + i] = mean[k];
        model[(2 * modes + k) * n + i] = variance[k];
    }
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "background", [](const launch::Problem &p) {
        const int n = p.n[0] * p.n[1];
        learn<<<gallery::blocks_for(n, 256), 256>>>(p.result<float>(), p.input<unsigned char>(1), n);
    });
}
