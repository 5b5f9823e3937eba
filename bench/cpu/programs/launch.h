/*
 * launch.h: what the CUDA programs of this folder need besides their kernels: memory on the device, sizes from the
 * command line, the time of one sequence of launches, and the comparison. Nothing here knows Warpglass.
 *
 *   int main(int argc, char **argv) {
 *       return launch::run(argc, argv, "life", [](launch::Problem &p) {
 *           life<<<blocks, threads>>>(p.input<unsigned char>(0), p.result<unsigned char>(), p.n[0], p.n[1]);
 *       });
 *   }
 */
#pragma once

#include "../../../kernels/gallery.h"
#include "programs.h"

namespace launch {

struct Problem : program {
    void *device_in[4] = {}, *device_out = nullptr, *device_work = nullptr;

    template <class T> const T *input(int which) const { return static_cast<const T *>(device_in[which]); }
    template <class T> T *result() const { return static_cast<T *>(device_out); }
    template <class T> T *working() const { return static_cast<T *>(device_work); }
};

inline void *on_device(const void *from, size_t bytes) {
    void *to;
    CHECK(cudaMalloc(&to, bytes ? bytes : 1));
    if (from) CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

inline void restart(const Problem &p) {
    if (p.in_place)
        CHECK(cudaMemcpy(p.device_out, p.device_in[0], p.out_bytes, cudaMemcpyDeviceToDevice));
    else
        CHECK(cudaMemset(p.device_out, 0, p.out_bytes));
}

template <class Launch> int run(int argc, char **argv, const char *name, Launch launches) {
    Problem p;
    if (!program_find(name, &p)) return 2;
    const gallery::Size sizes[] = {{"N0", p.size_names[0], &p.n[0], p.least[0], p.most[0]},
                                   {"N1", p.size_names[1], &p.n[1], p.least[1], p.most[1]}};
    gallery::Program program(argc, argv, name, "One of the benchmark's programs that nobody tuned for.",
                             sizes);
    program_make(&p);
    for (int i = 0; i < 4; i++) p.device_in[i] = on_device(p.in[i], p.in_bytes[i]);
    p.device_out = on_device(nullptr, p.out_bytes);
    p.device_work = on_device(nullptr, p.work_bytes);
    if (program.wants(name)) {
        program.time(name, [&] { restart(p); }, [&] { launches(p); });
        CHECK(cudaMemcpy(p.out, p.device_out, p.out_bytes, cudaMemcpyDeviceToHost));
        const bool yes = true, right = program_is_right(&p, argv[0]);
        program.compare(&right, &yes, 1);
        program.verdict();
    }
    return program.finish();
}

} // namespace launch
