/* Faults of kernels: found, told, sticky; the process lives on. And what kernels ask of the machine: printf,
 * malloc, assert. */
#include "tests/machine/fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Block p1 and those behind it store to address p0; p2: warp that does. A race, as bad kernels have them. */
__attribute__((no_sanitize("thread"))) static enum wg_warp_status poke(struct wg_warp *w) {
    if (block_index(w) >= param(w, 1) && w->id == param(w, 2)) *(volatile uint32_t *)param(w, 0) = 1;
    return WG_WARP_DONE;
}

static enum wg_warp_status say(struct wg_warp *w) {
    return block_index(w) >= 5 ? fault_at(w, (enum wg_fault_kind)param(w, 0), 3, param(w, 1)) : WG_WARP_DONE;
}

/* What a kernel prints has to lie where kernels can read: in its shared memory, from `at` on. */
static uint64_t in_shared(struct wg_warp *w, uint32_t at, const void *what, size_t bytes) {
    return (uint64_t)memcpy(w->block->cluster_shared + at, what, bytes);
}

/* printf("%d of block %u: %s|%5.2f|%c|%-6x|%lld%%\n", thread, block, "text", 2.5, 'c', 255, -1ll) of lanes 0
 * and 1 */
static enum wg_warp_status print(struct wg_warp *w) {
    static const char format[] = "%d of block %u: %s|%5.2f|%c|%-6x|%lld%%\n", text[] = "text";
    struct {
        int32_t thread;
        uint32_t block;
        uint64_t text;
        double real;
        int32_t letter;
        uint32_t hex;
        int64_t number;
    } args[2];
    uint64_t formats[32], buffers[32];
    uint32_t ret[32];
    for (int32_t l = 0; l < 2; l++) {
        args[l].thread = (int32_t)w->id * 32 + l;
        args[l].block = block_index(w);
        args[l].text = in_shared(w, 128, text, sizeof text);
        args[l].real = 2.5;
        args[l].letter = 'c';
        args[l].hex = 255;
        args[l].number = -1;
        formats[l] = in_shared(w, 0, format, sizeof format);
        buffers[l] = in_shared(w, 256 + 64 * (uint32_t)l, &args[l], sizeof args[l]);
    }
    w->block->services->vprintf(w, 0, 3, formats, buffers, ret);
    return ret[0] == 7 && ret[1] == 7 ? WG_WARP_DONE : fault_at(w, WG_FAULT_TRAP, 0, 0);
}

static enum wg_warp_status bad_print(struct wg_warp *w) {
    uint64_t formats[32] = {16}, buffers[32] = {16};
    uint32_t ret[32];
    w->block->services->vprintf(w, 0, 1, formats, buffers, ret);
    *(uint32_t *)param(w, 0) = ret[0];
    return WG_WARP_DONE;
}

/* Every lane takes 100 bytes, fills them, gives them back. */
static enum wg_warp_status take(struct wg_warp *w) {
    uint64_t size[32], got[32];
    for (int l = 0; l < 32; l++) size[l] = 100 + (uint64_t)l;
    w->block->services->malloc(w, 0, w->live, size, got);
    for (int l = 0; l < 32; l++) {
        if (!got[l]) return fault_at(w, WG_FAULT_TRAP, 0, 0);
        memset((void *)got[l], (int)w->id, size[l]);
    }
    for (int l = 0; l < 32; l++)
        if (((uint8_t *)got[l])[99] != w->id) return fault_at(w, WG_FAULT_TRAP, 0, 0);
    w->block->services->free(w, 0, w->live, got);
    size[0] = (uint64_t)100 << 20;
    w->block->services->malloc(w, 0, 1, size, got);
    return got[0] ? fault_at(w, WG_FAULT_TRAP, 0, 0) : WG_WARP_DONE;
}

static enum wg_warp_status assert_fails(struct wg_warp *w) {
    uint64_t message[32], file[32], function[32];
    uint32_t line[32];
    for (int l = 0; l < 32; l++) {
        message[l] = in_shared(w, 0, "x > 0", 6);
        file[l] = in_shared(w, 16, "k.cu", 5);
        function[l] = in_shared(w, 32, "void k(int)", 12);
        line[l] = 12;
    }
    w->block->services->assertfail(w, 1u << 7, message, file, line, function);
    return fault_at(w, WG_FAULT_ASSERT, 7, 0);
}

/* Touches its local memory from end to end: p0 bytes a lane. */
static enum wg_warp_status local(struct wg_warp *w) {
    if (w->local_stride < 100) return fault_at(w, WG_FAULT_TRAP, 0, 0);
    for (int l = 0; l < 32; l++) memset(w->local + (uint64_t)l * w->local_stride, l, 100);
    for (int l = 0; l < 32; l++)
        if (w->local[(uint64_t)l * w->local_stride + 99] != l) return fault_at(w, WG_FAULT_TRAP, 0, 0);
    return WG_WARP_DONE;
}

/* Writes one byte behind its shared memory's pages. */
static enum wg_warp_status shared_end(struct wg_warp *w) {
    volatile uint8_t *shared = w->block->cluster_shared + w->block->shared_offset;
    shared[999] = 1;
    shared[param(w, 0)] = 1;
    return WG_WARP_DONE;
}

static const struct fake kernels[] = {
    {.name = "poke", .run = poke},
    {.name = "say", .run = say},
    {.name = "print", .run = print, .shared_bytes = 512},
    {.name = "bad_print", .run = bad_print},
    {.name = "take", .run = take},
    {.name = "assert_fails", .run = assert_fails, .shared_bytes = 64},
    {.name = "local", .run = local, .local_bytes = 100},
    {.name = "shared_end", .run = shared_end, .shared_bytes = 1000},
    {0},
};

static const struct wg_fault_record *failing(struct rig *r, const char *kernel, uint32_t blocks,
                                             uint32_t threads, const uint64_t *args, uint32_t nargs,
                                             enum wg_status expected) {
    rig_open(r, kernels, 3);
    assert_int_equal(rig_run(r, kernel, blocks, threads, args, nargs), expected);
    assert_int_equal(wg_device_status(r->dev), expected);
    assert_int_equal(wg_device_sync(r->dev), expected);
    const struct wg_fault_record *f = wg_device_fault(r->dev);
    assert_non_null(f);
    assert_int_equal(f->status, expected);
    assert_string_equal(f->kernel, kernel);
    return f;
}

static void a_bad_address_is_told(void **state) {
    struct rig r;
    rig_open(&r, kernels, 3);
    char *p = rig_alloc(&r, 4096 * 4);
    uint64_t args[] = {(uint64_t)p + 4096 * 5, 7, 1};
    assert_int_equal(rig_run(&r, "poke", 1000, 64, args, 3), WG_ILLEGAL_ADDRESS);
    const struct wg_fault_record *f = wg_device_fault(r.dev);
    assert_int_equal(f->kind, WG_FAULT_ADDRESS);
    assert_int_equal(f->address, args[0]);
    assert_int_equal(f->block[0], 7); /* the lowest block that does it, with any number of threads */
    assert_true(f->block_known);
    assert_non_null(strstr(f->message, "illegal address in kernel poke"));
    assert_non_null(strstr(f->nearest, "4096 bytes past the end of an allocation of 16384 bytes"));
    /* Sticky: everything says so, and nothing runs. */
    void *q;
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 4, &q), WG_ILLEGAL_ADDRESS);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, p), WG_ILLEGAL_ADDRESS);
    assert_int_equal(wg_stream_sync(r.stream), WG_ILLEGAL_ADDRESS);
    assert_int_equal(wg_stream_query(r.stream), WG_ILLEGAL_ADDRESS);
    rig_close(&r);
}

static void null_and_freed_pointers_are_told(void **state) {
    struct rig r;
    const struct wg_fault_record *f =
        failing(&r, "poke", 1, 32, (uint64_t[]){8, 0, 0}, 3, WG_ILLEGAL_ADDRESS);
    assert_non_null(strstr(f->message, "null pointer"));
    rig_close(&r);

    rig_open(&r, kernels, 2);
    char *p = rig_alloc(&r, 100), *q = rig_alloc(&r, 100);
    wg_mem_free(r.dev, WG_MEM_DEVICE, p);
    assert_int_equal(rig_run(&r, "poke", 1, 32, (uint64_t[]){(uint64_t)p + 40, 0, 0}, 3), WG_ILLEGAL_ADDRESS);
    f = wg_device_fault(r.dev);
    assert_non_null(strstr(f->message, "40 bytes into an allocation of 100 bytes"));
    assert_non_null(strstr(f->message, "has been freed"));
    assert_ptr_not_equal(p, q);
    rig_close(&r);

    f = failing(&r, "poke", 1, 32, (uint64_t[]){0xdeadbeefdeadbee0, 0, 0}, 3, WG_ILLEGAL_ADDRESS);
    rig_close(&r);
}

static void shared_memory_ends_where_it_ends(void **state) {
    struct rig r;
    const struct wg_fault_record *f =
        failing(&r, "shared_end", 10, 32, (uint64_t[]){8192}, 1, WG_ILLEGAL_ADDRESS);
    assert_non_null(strstr(f->message, "byte 8192 of the block's shared memory, which has 1000"));
    rig_close(&r);
}

static void faults_that_code_reports(void **state) {
    static const struct {
        enum wg_fault_kind kind;
        enum wg_status status;
        const char *text;
    } cases[] = {
        {WG_FAULT_MISALIGNED, WG_MISALIGNED_ADDRESS, "misaligned address"},
        {WG_FAULT_TRAP, WG_LAUNCH_FAILED, "trap"},
        {WG_FAULT_UNSUPPORTED, WG_ILLEGAL_INSTRUCTION, "not supported by Warpglass yet"},
        {WG_FAULT_CALL, WG_INVALID_PC, "not a function"},
        {WG_FAULT_STACK, WG_ILLEGAL_ADDRESS, "stack"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig r;
        const struct wg_fault_record *f =
            failing(&r, "say", 100, 96, (uint64_t[]){cases[i].kind, 0x1003}, 2, cases[i].status);
        assert_non_null(strstr(f->message, cases[i].text));
        assert_int_equal(f->block[0], 5);
        assert_true(f->thread_known);
        assert_int_equal(f->thread[0], 3);
        assert_int_equal(f->nplaces, 2);
        assert_string_equal(f->places[0].file, "fake.cu");
        assert_int_equal(f->places[0].line, 22);
        assert_string_equal(f->places[0].function, "inner");
        assert_int_equal(f->places[1].line, 11);
        assert_non_null(strstr(f->message, "fake.cu:22:3: "));
        assert_non_null(strstr(f->message, "in inner, inlined at fake.cu:11:5"));
        rig_close(&r);
    }
}

/* What `fn` writes to the file descriptor. */
static char *output_of(int fd, void (*fn)(void *), void *arg) {
    static char text[1 << 16];
    char name[] = "/tmp/warpglass-test-XXXXXX";
    int file = mkstemp(name), saved = dup(fd);
    fflush(NULL);
    dup2(file, fd);
    fn(arg);
    fflush(NULL);
    dup2(saved, fd);
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    close(file);
    close(saved);
    unlink(name);
    return text;
}

static void run_print(void *arg) {
    struct rig *r = arg;
    assert_int_equal(rig_run(r, "print", 50, 64, NULL, 0), WG_OK);
}

static void printf_is_in_the_order_of_blocks(void **state) {
    struct rig r;
    char expected[1 << 16] = "";
    rig_open(&r, kernels, 4);
    for (int b = 0; b < 50; b++)
        for (int t = 0; t < 64; t += t % 32 ? 31 : 1)
            sprintf(expected + strlen(expected), "%d of block %d: text| 2.50|c|ff    |-1%%\n", t, b);
    assert_string_equal(output_of(1, run_print, &r), expected);
    uint32_t *ret = rig_alloc(&r, 4);
    assert_int_equal(rig_run(&r, "bad_print", 1, 32, &ret, 1), WG_OK);
    assert_int_equal(*ret, UINT32_MAX);
    rig_close(&r);
}

static void run_assert(void *arg) {
    struct rig *r = arg;
    assert_int_equal(rig_run(r, "assert_fails", 1, 64, NULL, 0), WG_ASSERT);
}

static void failed_assertions_are_printed(void **state) {
    struct rig r;
    rig_open(&r, kernels, 1);
    assert_string_equal(output_of(2, run_assert, &r),
                        "k.cu:12: void k(int): block: [0,0,0], thread: [7,0,0] Assertion `x > 0` failed.\n");
    rig_close(&r);
}

static void kernels_allocate_memory(void **state) {
    struct rig r;
    size_t limit;
    rig_open(&r, kernels, 3);
    assert_int_equal(wg_limit_get(r.dev, WG_LIMIT_MALLOC_HEAP, &limit), WG_OK);
    assert_int_equal(limit, 8 << 20);
    assert_int_equal(rig_run(&r, "take", 200, 256, NULL, 0), WG_OK);
    assert_int_equal(wg_limit_set(r.dev, WG_LIMIT_MALLOC_HEAP, 1 << 20), WG_INVALID_VALUE);
    assert_int_equal(rig_run(&r, "local", 200, 1024, NULL, 0), WG_OK);
    rig_close(&r);
}

/* What an H200 (driver 580.159.04) answered. */
static void limits_have_a_least_and_a_most(void **state) {
    static const struct {
        enum wg_limit limit;
        size_t asked, got;
    } set[] = {{WG_LIMIT_STACK, 523712, 523712},
               {WG_LIMIT_MALLOC_HEAP, 1, 4 << 20},
               {WG_LIMIT_MALLOC_HEAP, 5 << 20, 5 << 20},
               {WG_LIMIT_PRINTF_BUFFER, 0, 512 << 10},
               {WG_LIMIT_PRINTF_BUFFER, 5 << 20, 5 << 20},
               {WG_LIMIT_PRINTF_BUFFER, (size_t)8 << 30, (size_t)2 << 30}};
    struct rig r;
    size_t limit;
    rig_open(&r, kernels, 1);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        assert_int_equal(wg_limit_set(r.dev, set[i].limit, set[i].asked), WG_OK);
        assert_int_equal(wg_limit_get(r.dev, set[i].limit, &limit), WG_OK);
        assert_int_equal(limit, set[i].got);
    }
    assert_int_equal(wg_limit_set(r.dev, WG_LIMIT_STACK, 523713), WG_INVALID_VALUE);
    rig_close(&r);
}

static void told(void *user, const char *message) { *(const char **)user = message; }

static void a_fault_is_reported_at_once(void **state) {
    struct wg_options o;
    struct rig r;
    const char *message = NULL;
    wg_options_init(&o);
    o.on_fault = told;
    o.on_fault_user = &message;
    rig_open_with(&r, kernels, &o);
    assert_int_equal(rig_run(&r, "poke", 1, 32, (uint64_t[]){8, 0, 0}, 3), WG_ILLEGAL_ADDRESS);
    assert_ptr_equal(message, wg_device_fault(r.dev)->message);
    rig_close(&r);
}

/* A fault of the program's own still kills it, or reaches its own handler. */
static volatile uintptr_t nowhere = 16;
static void own_handler(int number) { _exit(42); }
static void the_programs_own_faults_stay_its_own(void **state) {
    for (int handled = 0; handled < 2; handled++) {
        pid_t child = fork();
        if (child == 0) {
            struct rig r;
            signal(SIGSEGV, handled ? own_handler : SIG_DFL);
            rig_open(&r, kernels, 2);
            rig_run(&r, "poke", 1, 32, (uint64_t[]){8, 0, 0}, 3);
            *(volatile int *)(uintptr_t)nowhere = 1;
            _exit(1);
        }
        int how;
        waitpid(child, &how, 0);
        if (handled)
            assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 42);
        else
            assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGSEGV);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_address_is_told),
        cmocka_unit_test(null_and_freed_pointers_are_told),
        cmocka_unit_test(shared_memory_ends_where_it_ends),
        cmocka_unit_test(faults_that_code_reports),
        cmocka_unit_test(printf_is_in_the_order_of_blocks),
        cmocka_unit_test(failed_assertions_are_printed),
        cmocka_unit_test(kernels_allocate_memory),
        cmocka_unit_test(limits_have_a_least_and_a_most),
        cmocka_unit_test(a_fault_is_reported_at_once),
        cmocka_unit_test(the_programs_own_faults_stay_its_own),
    };
    return cmocka_run_group_tests_name("machine.fault", tests, NULL, NULL);
}
