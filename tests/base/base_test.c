/* base/: arenas, growing arrays and strings, hashing, diagnostics, whole files. */
#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/mangled.h"
#include "base/record.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void arena_memory_is_zeroed_and_aligned(void **state) {
    struct wg_arena a = {0};
    for (size_t size = 0; size < 5000; size = size * 2 + 1) {
        unsigned char *p = wg_arena_alloc(&a, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    assert_string_equal(wg_arena_strndup(&a, "abcdef", 3), "abc");
    assert_string_equal(wg_arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    wg_arena_free(&a);
    assert_null(a.chunk);
}

/* The address must be taken after the array has moved, whatever order the compiler takes. */
static void push_gives_an_element_of_the_grown_array(void **state) {
    WG_VEC(uint64_t) numbers = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t *last = WG_PUSH(&numbers);
        assert_ptr_equal(last, &numbers.v[numbers.n - 1]);
        assert_int_equal(*last, 0);
        *last = i * i;
    }
    assert_int_equal(numbers.n, 1000);
    for (uint64_t i = 0; i < 1000; i++) assert_int_equal(numbers.v[i], i * i);
    free(numbers.v);
}

static void strings_grow(void **state) {
    struct wg_strbuf b = {0};
    for (int i = 0; i < 1000; i++) wg_strbuf_printf(&b, "%d,", i);
    assert_int_equal(b.n, strlen(b.s));
    assert_memory_equal(b.s, "0,1,2,3,", 8);
    assert_string_equal(b.s + b.n - 4, "999,");
    wg_strbuf_free(&b);
    assert_null(b.s);
}

static void json_texts_are_json(void **state) {
    static const struct {
        const char *text, *json;
    } cases[] = {
        {NULL, "null"},
        {"", "\"\""},
        {"a \"b\" \\ /", "\"a \\\"b\\\" \\\\ /\""},
        {"\t\n\x01\x7f", "\"\\u0009\\u000a\\u0001\\u007f\""},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82\""},
        {"caf\xe9.cu", "\"caf\uFFFD.cu\""},                     /* Latin-1 */
        {"\xe2\x82", "\"\uFFFD\uFFFD\""},                       /* cut off */
        {"\xc0\xaf", "\"\uFFFD\uFFFD\""},                       /* a form too long */
        {"\xed\xa0\x80", "\"\uFFFD\uFFFD\uFFFD\""},             /* half of a pair of UTF-16 */
        {"\xf4\x90\x80\x80x", "\"\uFFFD\uFFFD\uFFFD\uFFFDx\""}, /* past the last character */
        {"\xff\x80", "\"\uFFFD\uFFFD\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wg_strbuf b = {0};
        wg_strbuf_json(&b, cases[i].text);
        assert_string_equal(b.s, cases[i].json);
        wg_strbuf_free(&b);
    }
}

static void diagnostics_show_the_place(void **state) {
    struct wg_diag d = {0};
    wg_diag_error(&d, (struct wg_pos){"k.ptx", 3, 2}, "\tadd %r1;\nnext", "no '%s'", "add");
    wg_diag_error(&d, (struct wg_pos){"k.ptx", 0, 0}, NULL, "empty");
    assert_string_equal(d.text.s,
                        "k.ptx:3:2: error: no 'add'\n    \tadd %r1;\n    \t^\nk.ptx: error: empty\n");
    assert_int_equal(d.errors, 2);
    assert_int_equal(d.first.line, 3);
    wg_diag_free(&d);
}

static void hashes_tell_texts_apart(void **state) {
    char first[33], second[33];
    struct wg_hash a = WG_HASH_INIT, b = WG_HASH_INIT;
    wg_hash_str(&a, "ab"), wg_hash_str(&a, "c");
    wg_hash_str(&b, "a"), wg_hash_str(&b, "bc");
    wg_hash_hex(&a, first), wg_hash_hex(&b, second);
    assert_int_equal(strlen(first), 32);
    assert_string_not_equal(first, second);
}

static void hashes_tell_each_byte(void **state) {
    enum { LENGTH = 27 };
    char digits[LENGTH * 2 + LENGTH + 1][33], text[LENGTH];
    unsigned n = 0;
    for (unsigned at = 0; at < LENGTH; at++)
        for (unsigned bit = 1; bit <= 128; bit *= 128) {
            struct wg_hash h = WG_HASH_INIT;
            memset(text, 0, sizeof text);
            text[at] = (char)bit;
            wg_hash_add(&h, text, sizeof text);
            wg_hash_hex(&h, digits[n++]);
        }
    memset(text, 0, sizeof text);
    for (unsigned length = 0; length <= LENGTH; length++) {
        struct wg_hash h = WG_HASH_INIT;
        wg_hash_add(&h, text, length);
        wg_hash_hex(&h, digits[n++]);
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < i; j++) {
            assert_memory_not_equal(digits[i], digits[j], 16);
            assert_memory_not_equal(digits[i] + 16, digits[j] + 16, 16);
        }
}

static void files_are_written_whole(void **state) {
    char dir[] = "base_test.XXXXXX", path[64];
    struct wg_strbuf text = {0};
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/file", dir);
    assert_true(wg_file_write(path, "a\0b", 3));
    assert_true(wg_file_read(path, &text));
    assert_int_equal(text.n, 3);
    assert_memory_equal(text.s, "a\0b", 4);
    wg_strbuf_free(&text);

    assert_false(wg_file_read(dir, &text));
    assert_int_equal(errno, EISDIR);
    unlink(path);
    assert_false(wg_file_read(path, &text));
    assert_int_equal(errno, ENOENT);
    rmdir(dir);
    assert_false(wg_file_write(path, "x", 1));
    assert_int_equal(errno, ENOENT);
}

/* /dev/stdout, /dev/null, a pipe: these are written to, not put aside by a file of their name. */
static void what_is_no_file_is_written_to(void **state) {
    char dir[] = "/tmp/base_test.XXXXXX", pipe[64], link[64], got[8] = "";
    struct stat st;
    assert_non_null(mkdtemp(dir));
    snprintf(pipe, sizeof pipe, "%s/pipe", dir);
    snprintf(link, sizeof link, "%s/link", dir);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink("pipe", link), 0);
    int fd = open(pipe, O_RDONLY | O_NONBLOCK);
    assert_true(wg_file_write(link, "text", 4));
    assert_int_equal(read(fd, got, sizeof got), 4);
    assert_memory_equal(got, "text", 4);
    assert_true(lstat(pipe, &st) == 0 && S_ISFIFO(st.st_mode));
    assert_true(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    close(fd);
    unlink(pipe);
    unlink(link);
    rmdir(dir);
}

static mode_t mode_of(const char *path) {
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode;
}

/* A link stays what it is, wherever it leads; who may read is for the umask to say, or as it was. */
static void links_are_followed_and_the_umask_obeyed(void **state) {
    char dir[] = "/tmp/base_test.XXXXXX";
    struct wg_strbuf text = {0};
    assert_non_null(mkdtemp(dir));
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(chdir(dir), 0);
    mode_t before = umask(077);
    assert_true(wg_file_write("private", "x", 1));
    umask(002);
    assert_true(wg_file_write("shared", "x", 1));
    umask(022);
    assert_true(wg_file_write("private", "y", 1));
    umask(before);
    assert_int_equal(mode_of("private") & 0777, 0600);
    assert_int_equal(mode_of("shared") & 0777, 0664);
    assert_true(!mkdir("sub", 0700) && !symlink("sub/second", "first") && !symlink("../new", "sub/second"));
    assert_true(wg_file_write("first", "through", 7));
    assert_true(S_ISLNK(mode_of("first")) && S_ISLNK(mode_of("sub/second")) && S_ISREG(mode_of("new")));
    assert_true(wg_file_read("new", &text));
    assert_string_equal(text.s, "through");
    assert_false(symlink("circle", "circle"));
    assert_false(wg_file_write("circle", "x", 1));
    assert_int_equal(errno, ELOOP);
    unlink("private"), unlink("shared"), unlink("first"), unlink("sub/second"), unlink("new"),
        unlink("circle");
    rmdir("sub");
    assert_int_equal(fchdir(here), 0);
    close(here);
    assert_int_equal(rmdir(dir), 0); /* nothing else is left in it */
    wg_strbuf_free(&text);
}

/* An entry of the cache, so many seconds old. */
static void keep(const char *dir, char letter, const char *ending, int bytes, int age) {
    char path[128];
    snprintf(path, sizeof path, "%s/%c%032x%s", dir, letter, (unsigned)letter, ending);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(ftruncate(fd, bytes), 0);
    struct timespec t = {.tv_sec = time(NULL) - age};
    assert_int_equal(futimens(fd, (struct timespec[]){t, t}), 0);
    close(fd);
}
static bool is_kept(const char *dir, char letter, const char *ending) {
    char path[128];
    snprintf(path, sizeof path, "%s/%c%032x%s", dir, letter, (unsigned)letter, ending);
    return access(path, F_OK) == 0;
}

static void the_cache_loses_what_was_not_used_for_longest(void **state) {
    char dir[] = "/tmp/base_test.XXXXXX", mine[64];
    assert_non_null(mkdtemp(dir));
    snprintf(mine, sizeof mine, "%s/thesis.tex", dir);
    assert_true(wg_file_write(mine, "x", 1));
    keep(dir, 'g', ".o", 10, 4000);
    keep(dir, 'w', ".o", 10, 50);
    keep(dir, 'w', ".o.a1b2c3", 10, 7200); /* nobody ended it */
    keep(dir, 'c', ".o", 10, 60);
    keep(dir, 'c', ".o.a1b2c3", 10, 5); /* somebody is at it */
    wg_cache_trim(dir, 3, 1000);
    assert_true(is_kept(dir, 'g', ".o") && is_kept(dir, 'w', ".o") && is_kept(dir, 'c', ".o"));
    assert_false(is_kept(dir, 'w', ".o.a1b2c3"));
    assert_true(is_kept(dir, 'c', ".o.a1b2c3"));
    wg_cache_trim(dir, 2, 1000);
    assert_true(!is_kept(dir, 'g', ".o") && !is_kept(dir, 'w', ".o") && is_kept(dir, 'c', ".o"));
    keep(dir, 'g', ".o", 600, 10);
    keep(dir, 'w', ".o", 600, 1);
    wg_cache_trim(dir, 100, 1000);
    assert_true(!is_kept(dir, 'g', ".o") && !is_kept(dir, 'w', ".o") && !is_kept(dir, 'c', ".o"));
    assert_int_equal(access(mine, F_OK), 0);
    unlink(mine);
    assert_int_equal(rmdir(dir), 0);
}

static void variables_have_their_own_names(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"tile", "tile"},
        {"_ZZ5tiledPKiE4part", "part"},
        {"_ZN12_GLOBAL__N_13dynE", "dyn"},
        {"_ZZN12_GLOBAL__N_11kIfLi64EEEvPT_E4part", "part"},
        {"_ZZ2atIfERT_iE3PfS", "PfS"},
        {"_ZN2ns5flag2E", "flag2"},
        {"_ZZ7productPKfS0_PfiE4left", "left"},
        {"_ZZ1kPK6float4S1_PS_S12_E1s_0", "s"},
        {"_ZZN4BIAS4loadEPS_S0_E3outE", "out"},
        {"_ZZ1kPiE1s_0", "s"},
        {"_ZZ8sgemm_V3PfS_S_iiiE3s_a", "s_a"},
        {"_ZZ1kILi7EEvPiE1a", "a"},
        {"_ZZN12_GLOBAL__N_15shiftIiLi3EEEvPT_E8buffer_2", "buffer_2"},
        {"_ZZNK5TiledIfEclEPfE4tile", "tile"},
        {"_ZZ5totalILi64EfET0_S0_E7partial", "partial"},
        {"__const_$__Z9localoverPii_$_a", "a"},
        {"_Z", "_Z"},
    };
    struct wg_arena a = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(wg_variable_name(&a, names[i][0]), names[i][1]);
    wg_arena_free(&a);
}

static void layouts_are_read_from_names(void **state) {
    struct wg_arena a = {0};
    struct wg_record r;
    assert_true(wg_record_read(&a, "wg_record_16_8_4_8_0_12_16_1", &r));
    assert_int_equal(r.size, 16);
    assert_int_equal(r.align, 8);
    assert_int_equal(r.nholes, 2);
    assert_int_equal(r.holes[1].from, 12);
    assert_int_equal(r.holes[1].to, 16);
    assert_int_equal(r.holes[1].any, 1);
    assert_true(wg_record_read(&a, "wg_record_0_1", &r));
    assert_int_equal(r.nholes, 0);
    for (const char *const *name =
             (const char *[]){"wg_record_8", "wg_record_8_4_1", "wg_record_x_4", "record_8_4", NULL};
         *name; name++)
        assert_false(wg_record_read(&a, *name, &r));
    wg_arena_free(&a);
}

static void functions_are_as_in_the_source(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"_Z3addPi", "add(int*)"},
        {"add", "add"},
        {"_ZN37_INTERNAL_ae5eabdc_7_main_cu_0150f4f513__ballot_syncEji", "__ballot_sync(unsigned int, int)"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = wg_function_name(names[i][0]);
        assert_string_equal(name, names[i][1]);
        free(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_followed_and_the_umask_obeyed),
        cmocka_unit_test(the_cache_loses_what_was_not_used_for_longest),
        cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(push_gives_an_element_of_the_grown_array),
        cmocka_unit_test(strings_grow),
        cmocka_unit_test(json_texts_are_json),
        cmocka_unit_test(diagnostics_show_the_place),
        cmocka_unit_test(hashes_tell_texts_apart),
        cmocka_unit_test(hashes_tell_each_byte),
        cmocka_unit_test(files_are_written_whole),
        cmocka_unit_test(what_is_no_file_is_written_to),
        cmocka_unit_test(variables_have_their_own_names),
        cmocka_unit_test(layouts_are_read_from_names),
        cmocka_unit_test(functions_are_as_in_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
