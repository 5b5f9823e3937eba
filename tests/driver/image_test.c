/* Images: every packing and wrapper is found, what cannot run is said, and nothing broken crashes. */
#include "base/device_code.h"
#include "driver/image.h"
#include "driver/readable.h"
#include "tests/runtime/fat_binary.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

static const char ptx90[] = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n";
static const char ptx70[] = ".version 8.0\n.target sm_70\n.address_size 64\n.entry k() { ret; }\n";
static const char ptx100[] = ".version 8.6\n.target sm_100\n.address_size 64\n.entry k() { ret; }\n";

static struct fat_entry ptx(unsigned arch, const char *text, enum fat_packing packing) {
    return (struct fat_entry){
        .kind = FAT_PTX, .arch = arch, .packing = packing, .data = text, .bytes = strlen(text)};
}
static void expect_text(const void *image, unsigned cc, const char *text) {
    struct wg_image im = {0};
    assert_int_equal(wg_image_open(image, cc, &im), CUDA_SUCCESS);
    assert_int_equal(im.texts.n, 1);
    assert_string_equal(im.texts.v[0].text, text);
    assert_int_equal(im.texts.v[0].len, strlen(text));
    wg_image_close(&im);
}
static void expect_error(const void *image, unsigned cc, CUresult code, const char *says) {
    struct wg_image im = {0};
    assert_int_equal(wg_image_open(image, cc, &im), code);
    assert_non_null(im.why.s);
    if (!strstr(im.why.s, says)) fail_msg("'%s' does not say '%s'", im.why.s, says);
    wg_image_close(&im);
}

static void packings(void **state) {
    for (int packing = FAT_RAW; packing <= FAT_ZSTD; packing++)
        for (unsigned extra = 0; extra <= 40; extra += 8) {
            struct fat_binary f = {0};
            struct fat_entry e = ptx(90, ptx90, (enum fat_packing)packing);
            e.extra_header = extra;
            fat_entry(&f, e);
            fat_finish(&f);
            expect_text(f.bytes.s, 90, ptx90);
            struct fat_wrapper w = {FAT_WRAPPER, 1, f.bytes.s, NULL};
            expect_text(&w, 90, ptx90);
            fat_free(&f);
        }
}

static void best_architecture(void **state) {
    struct fat_binary f = {0};
    struct fat_entry specific = ptx(90, ptx90, FAT_RAW);
    specific.specific = true;
    fat_entry(&f, (struct fat_entry){.kind = FAT_ELF, .arch = 90, .data = "\177ELF....", .bytes = 8});
    fat_entry(&f, ptx(100, ptx100, FAT_ZSTD));
    fat_entry(&f, ptx(70, ptx70, FAT_LZ4));
    fat_entry(&f, specific);
    fat_finish(&f);
    expect_text(f.bytes.s, 90, ptx90);
    expect_text(f.bytes.s, 89, ptx70); /* sm_90a is for 9.0 alone */
    expect_text(f.bytes.s, 103, ptx100);
    expect_text(f.bytes.s, 70, ptx70);
    expect_error(f.bytes.s, 60, CUDA_ERROR_NO_BINARY_FOR_GPU, "--arch sm_70");
    fat_free(&f);
}

static void names(void **state) {
    struct fat_binary f = {0};
    struct wg_image im = {0};
    struct fat_entry e = ptx(90, ptx90, FAT_ZSTD);
    e.name = "dir/kernels.cu";
    fat_entry(&f, e);
    fat_finish(&f);
    assert_int_equal(wg_image_open(f.bytes.s, 90, &im), CUDA_SUCCESS);
    assert_string_equal(im.texts.v[0].name, "dir/kernels.cu");
    wg_image_close(&im);
    fat_free(&f);
}

static void linked(void **state) {
    struct fat_binary a = {0}, b = {0}, final = {0};
    struct wg_image im = {0};
    fat_entry(&a, ptx(90, ptx90, FAT_ZSTD));
    fat_entry(&b, ptx(70, ptx70, FAT_RAW));
    fat_entry(&final, (struct fat_entry){.kind = FAT_ELF, .arch = 90, .data = "\177ELF....", .bytes = 8});
    fat_finish(&a);
    fat_finish(&b);
    fat_finish(&final);
    const void *list[] = {a.bytes.s, b.bytes.s, NULL};
    struct fat_wrapper w = {FAT_WRAPPER, 2, final.bytes.s, list};
    assert_int_equal(wg_image_open(&w, 90, &im), CUDA_SUCCESS);
    assert_int_equal(im.texts.n, 2);
    assert_string_equal(im.texts.v[1].text, ptx70);
    wg_image_close(&im);
    w.linked = NULL;
    expect_error(&w, 90, CUDA_ERROR_NO_BINARY_FOR_GPU, "no PTX");
    fat_free(&a);
    fat_free(&b);
    fat_free(&final);
}

static void no_ptx(void **state) {
    struct fat_binary f = {0};
    fat_entry(&f, (struct fat_entry){.kind = FAT_ELF, .arch = 80, .data = "\177ELF....", .bytes = 8});
    fat_finish(&f);
    expect_error(f.bytes.s, 90, CUDA_ERROR_NO_BINARY_FOR_GPU,
                 "-gencode arch=compute_90,code=[sm_90,compute_90]");
    expect_error("\177ELF machine code of some kind", 90, CUDA_ERROR_NO_BINARY_FOR_GPU, "cubin");
    fat_free(&f);
}

static void texts(void **state) {
    expect_text(ptx90, 90, ptx90);
    expect_text("\n\n  // made by hand\n.version 8.0\n", 90, "\n\n  // made by hand\n.version 8.0\n");
    struct fat_wrapper w = {FAT_WRAPPER, 1, ptx70, NULL}; /* clang -fcuda-include-gpubinary FILE.ptx */
    expect_text(&w, 90, ptx70);
    expect_error("", 90, CUDA_ERROR_INVALID_IMAGE, "neither");
    expect_error("not PTX", 90, CUDA_ERROR_INVALID_IMAGE, "neither");
    expect_error(NULL, 90, CUDA_ERROR_INVALID_IMAGE, "neither");
    expect_error((void *)64, 90, CUDA_ERROR_INVALID_IMAGE, "neither");
    bool specific;
    assert_int_equal(wg_code_target(ptx90, strlen(ptx90), &specific), 90);
    assert_false(specific);
    assert_int_equal(wg_code_target(".target sm_90a", 14, &specific), 90);
    assert_true(specific);
    assert_int_equal(wg_code_target(".target", 7, &specific), 0);
}

enum { PAGE = 4096 };

/* Memory whose last byte is the page's last, and behind it a page that cannot be read: a hole would be taken
 * by the next mapping that fits. */
static char *at_end_of_memory(const void *bytes, size_t n, void **map) {
    char *m = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(m != MAP_FAILED && n <= PAGE);
    mprotect(m + PAGE, PAGE, PROT_NONE);
    *map = m;
    memcpy(m + PAGE - n, bytes, n);
    return m + PAGE - n;
}

static void text_without_an_end(void **state) {
    void *map;
    char *p = at_end_of_memory(ptx90, strlen(ptx90), &map);
    expect_text(p, 90, ptx90);
    assert_int_equal(wg_readable(p, strlen(ptx90)), strlen(ptx90));
    assert_int_equal(wg_readable(p, 1 << 20), strlen(ptx90));
    assert_int_equal(wg_readable(p + strlen(ptx90), 1), 0);
    munmap(map, 2 * PAGE);
}

/* Cut anywhere, and with any byte changed, it must come back with an answer: never a crash, never a read
 * beyond. */
static void broken(void **state) {
    struct fat_binary f = {0};
    uint32_t seed = 1;
    fat_entry(&f, ptx(70, ptx70, FAT_LZ4));
    fat_entry(&f, ptx(90, ptx90, FAT_ZSTD));
    fat_finish(&f);
    for (size_t n = 0; n < f.bytes.n; n++) {
        void *map;
        struct wg_image im = {0};
        char *p = at_end_of_memory(f.bytes.s, n, &map);
        assert_int_not_equal(wg_image_open(p, 90, &im), CUDA_SUCCESS);
        assert_non_null(im.why.s);
        wg_image_close(&im);
        munmap(map, 2 * PAGE);
    }
    for (int i = 0; i < 20000; i++) {
        void *map;
        struct wg_image im = {0};
        char *p = at_end_of_memory(f.bytes.s, f.bytes.n, &map);
        for (int k = 0; k <= i % 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            p[(seed >> 8) % (i % 2 ? f.bytes.n : 200)] = (char)(seed >> 3);
        }
        if (wg_image_open(p, 90, &im) != CUDA_SUCCESS) assert_non_null(im.why.s);
        wg_image_close(&im);
        munmap(map, 2 * PAGE);
    }
    fat_free(&f);
}

static void broken_wrappers(void **state) {
    struct fat_wrapper w = {FAT_WRAPPER, 3, ptx90, NULL};
    expect_error(&w, 90, CUDA_ERROR_INVALID_IMAGE, "version 3");
    w = (struct fat_wrapper){FAT_WRAPPER, 1, (void *)0x1000, NULL};
    expect_error(&w, 90, CUDA_ERROR_INVALID_IMAGE, "neither");
    w = (struct fat_wrapper){FAT_WRAPPER, 1, &w, NULL}; /* a wrapper in a wrapper */
    expect_error(&w, 90, CUDA_ERROR_INVALID_IMAGE, "neither");
    w = (struct fat_wrapper){FAT_WRAPPER, 2, ptx90, (void *)0x1000};
    expect_error(&w, 90, CUDA_ERROR_INVALID_IMAGE, "cannot be read");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(packings),
                                       cmocka_unit_test(best_architecture),
                                       cmocka_unit_test(names),
                                       cmocka_unit_test(linked),
                                       cmocka_unit_test(no_ptx),
                                       cmocka_unit_test(texts),
                                       cmocka_unit_test(text_without_an_end),
                                       cmocka_unit_test(broken),
                                       cmocka_unit_test(broken_wrappers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
