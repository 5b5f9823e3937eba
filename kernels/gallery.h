/*
 * gallery.h: what every program of the gallery needs besides its kernels.
 *
 * It stands at the very start of the way through the house: a gallery program is a user's .cu file,
 * compiled and run like any other. Nothing here knows Warpglass; the same programs run on a real GPU.
 *
 *   CHECK(call)      a CUDA call that must succeed: a clear message and status 1 otherwise
 *   gallery::Size    one size that the user may give, by position
 *   gallery::Program the arguments, the timing of each kernel variant, the comparison with plain C
 *
 * A whole program, in short:
 *
 *   int n = 1 << 24;
 *   const gallery::Size sizes[] = {{"N", "number of elements", &n, 1, 1 << 30}};
 *   gallery::Program program(argc, argv, "vector_add", "Adds two vectors.", sizes);
 *   ...
 *   if (program.wants("vector_add")) {
 *       program.time("vector_add", [&] { vector_add<<<blocks, threads>>>(a, b, sum, n); });
 *       ...copy the result back...
 *       program.compare(result, expected, n);
 *       program.verdict();
 *   }
 *   return program.finish();
 *
 * Exit status: 0 every variant right, 1 a wrong result or a CUDA error, 2 bad arguments.
 * With --repeat there is one more line for each variant, for other programs to read, the least time first:
 *   time vector_add 0.0512 ms median 0.0517 ms
 *
 * Only C headers are used, so that a program compiles in a moment.
 */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) gallery::check((call), #call, __FILE__, __LINE__)

namespace gallery {

inline void check(cudaError_t status, const char *call, const char *file, int line) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", file, line, call, cudaGetErrorString(status),
            cudaGetErrorName(status));
    exit(1);
}

/* Host memory for `count` values of type T; the program ends with a message when there is none. */
template <class T> T *host_array(size_t count) {
    T *values = static_cast<T *>(calloc(count, sizeof(T)));
    if (!values) {
        fprintf(stderr, "no host memory for %zu values of %zu bytes\n", count, sizeof(T));
        exit(1);
    }
    return values;
}

/* The same numbers from `low` to `high` in every run and on every machine. */
template <class T> void fill(T *values, size_t count, int low, int high, uint32_t seed) {
    const uint64_t range = static_cast<uint64_t>(static_cast<int64_t>(high) - low) + 1;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = static_cast<T>(low + static_cast<int64_t>((seed * range) >> 32));
    }
}

/* Blocks of `block` threads that cover `count` elements, the last one perhaps in part. */
inline int blocks_for(int count, int block) { return count / block + (count % block != 0); }

struct Size {
    const char *name;
    const char *what;
    int *value; /* holds the default until the user gives another */
    int least, most;
};

class Program {
  public:
    template <int count>
    Program(int argc, char **argv, const char *name, const char *what, const Size (&sizes)[count])
        : name_(name), what_(what), sizes_(sizes), size_count_(count) {
        parse(argc, argv);
        CHECK(cudaEventCreate(&start_));
        CHECK(cudaEventCreate(&stop_));
    }

    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;

    /* How many of the sizes came from the command line. */
    int sizes_given() const { return given_; }

    /* Is this variant to be run? All are, unless --only names some. */
    bool wants(const char *variant) {
        if (only_ && !is_in_list(variant, only_)) return false;
        tried_++;
        return true;
    }

    /* Launches a variant as often as --repeat and --for say and keeps the least time. `prepare` runs before
       each launch, outside the measured time: for kernels that change their input. */
    template <class Prepare, class Launch> void time(const char *variant, Prepare prepare, Launch launch) {
        const int room = for_ms_ && repeat_ < most_for_ ? most_for_ : repeat_;
        float *times = host_array<float>(room), all = 0;
        int count = 0;
        while (count < repeat_ || (count < room && all < for_ms_)) {
            prepare();
            CHECK(cudaEventRecord(start_));
            launch();
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(stop_));
            CHECK(cudaEventSynchronize(stop_));
            CHECK(cudaEventElapsedTime(&times[count], start_, stop_));
            all += times[count++];
        }
        qsort(times, count, sizeof *times, [](const void *a, const void *b) {
            const float x = *static_cast<const float *>(a), y = *static_cast<const float *>(b);
            return (x > y) - (x < y);
        });
        variant_ = variant;
        least_ms_ = times[0];
        median_ms_ = times[count / 2];
        free(times);
        printf("  %-28s %10.4f ms", variant, least_ms_);
        fflush(stdout);
    }

    template <class Launch> void time(const char *variant, Launch launch) {
        time(variant, [] {}, launch);
    }

    /* Every element of the variant that time() ran against plain C's. */
    template <class T> void compare(const T *result, const T *expected, size_t count) {
        for (size_t i = 0; i < count; i++) {
            if (result[i] != expected[i] && wrong_values_++ == 0)
                snprintf(first_wrong_, sizeof first_wrong_, "number %zu is %.10g, not %.10g", i,
                         static_cast<double>(result[i]), static_cast<double>(expected[i]));
        }
        values_ += count;
    }

    /* Ends the line that time() began, with what the comparisons since then found. */
    void verdict() {
        if (wrong_values_) {
            wrong_variants_++;
            printf("   WRONG\n");
            fflush(stdout);
            fprintf(stderr, "%s: %s is wrong in %zu of %zu values; the first, %s\n", name_, variant_,
                    wrong_values_, values_, first_wrong_);
        } else {
            printf("   right: %zu of %zu values\n", values_, values_);
            if (repeat_asked_) printf("time %s %.4f ms median %.4f ms\n", variant_, least_ms_, median_ms_);
        }
        values_ = wrong_values_ = 0;
    }

    /* The last line, and the exit status. */
    int finish() {
        CHECK(cudaEventDestroy(start_));
        CHECK(cudaEventDestroy(stop_));
        if (only_ && !tried_) refuse("no variant is named", only_);
        if (wrong_variants_) {
            printf("%s: %d of %d WRONG\n", name_, wrong_variants_, tried_);
            return 1;
        }
        printf("%s: %d of %d right\n", name_, tried_, tried_);
        return 0;
    }

  private:
    /* Is `word` one of the words of "one,two,three"? */
    static bool is_in_list(const char *word, const char *list) {
        const size_t length = strlen(word);
        for (const char *at = list; (at = strstr(at, word)) != nullptr; at++)
            if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length])) return true;
        return false;
    }

    void help() const {
        printf("usage: %s", name_);
        for (int i = 0; i < size_count_; i++) printf(" [%s", sizes_[i].name);
        for (int i = 0; i < size_count_; i++) printf("]");
        printf(" [--repeat N] [--for MS] [--only VARIANT,...]\n%s\n\n", what_);
        for (int i = 0; i < size_count_; i++)
            printf("  %-16s %s, %d to %d (default %d)\n", sizes_[i].name, sizes_[i].what, sizes_[i].least,
                   sizes_[i].most, *sizes_[i].value);
        printf("  --repeat N       launch each kernel N times; print the least time and the median\n"
               "                   on a line of their own, \"time VARIANT MS ms median MS ms\"\n"
               "  --for MS         and more often, until all have taken MS milliseconds\n"
               "  --only VARIANT   run this kernel variant alone, or several: ONE,TWO\n"
               "  --help           print this and exit\n"
               "\nA size may be written as a power: 2^20.\n"
               "Status: 0 every result is right, 1 a wrong result or a CUDA error, "
               "2 bad arguments.\n");
    }

    [[noreturn]] void refuse(const char *why, const char *what) const {
        fflush(stdout);
        fprintf(stderr, "%s: %s '%s'\nTry '%s --help'.\n", name_, why, what, name_);
        exit(2);
    }

    /* "4096" or "2^12", from `least` to `most`. */
    int number(const char *text, const char *of, int least, int most) const {
        char *end;
        long long value = strtoll(text, &end, 10);
        if (end != text && *end == '^') {
            const char *power = end + 1;
            const long long exponent = strtoll(power, &end, 10);
            const bool in_range = value == 2 && exponent >= 0 && exponent < 62;
            value = in_range ? 1LL << exponent : -1;
            if (end == power) end = const_cast<char *>(text);
        }
        if (end == text || *end || value < least || value > most) {
            char why[160];
            snprintf(why, sizeof why, "%s must be a whole number from %d to %d, not", of, least, most);
            refuse(why, text);
        }
        return static_cast<int>(value);
    }

    void parse(int argc, char **argv) {
        for (int i = 1; i < argc; i++) {
            if (!strcmp(argv[i], "--help")) {
                help();
                exit(0);
            }
        }
        for (int i = 1; i < argc; i++) {
            const bool repeat = !strcmp(argv[i], "--repeat"), only = !strcmp(argv[i], "--only"),
                       for_ms = !strcmp(argv[i], "--for");
            if ((repeat || only || for_ms) && i + 1 == argc) {
                refuse("a value is missing after", argv[i]);
            } else if (repeat) {
                repeat_ = number(argv[++i], "--repeat", 1, 1000000);
                repeat_asked_ = true;
            } else if (for_ms) {
                for_ms_ = number(argv[++i], "--for", 1, 1000000);
                repeat_asked_ = true;
            } else if (only) {
                only_ = argv[++i];
            } else if (argv[i][0] == '-' && (argv[i][1] < '0' || argv[i][1] > '9')) {
                refuse("unknown option", argv[i]);
            } else if (given_ == size_count_) {
                refuse("one argument too many:", argv[i]);
            } else {
                const Size &size = sizes_[given_++];
                *size.value = number(argv[i], size.name, size.least, size.most);
            }
        }
    }

    const char *name_, *what_;
    const Size *sizes_;
    int size_count_, given_ = 0;
    static constexpr int most_for_ = 1000; /* launches that --for adds up to */
    int repeat_ = 1, for_ms_ = 0;
    bool repeat_asked_ = false;
    const char *variant_ = "";
    float least_ms_ = 0, median_ms_ = 0;
    size_t values_ = 0, wrong_values_ = 0;
    char first_wrong_[128];
    const char *only_ = nullptr;
    int tried_ = 0, wrong_variants_ = 0;
    cudaEvent_t start_, stop_;
};

} // namespace gallery
