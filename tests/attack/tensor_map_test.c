/* Tensor maps that somebody forged: whatever their 128 bytes say, a copy by them copies, or is a fault.
 *
 *     tensor_map_test jit|ref [COUNT]
 *
 * Bytes of a good map are replaced, at random and by values that are at the edge of something. Nothing
 * outside of the device's memory may change, and no map may end the process: one that does is told by its
 * number.
 */
#include "machine/machine.h"
#include "warp/tensor_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 32, BATCH = 20 };

static const char text[] =
    ".version 8.7\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 map, .param .u32 x, .param .u32 y, .param .u32 what)\n{\n"
    " .reg .pred %q, %q2;\n .reg .b32 %r<9>;\n .reg .b64 %rd<3>;\n"
    " .shared .align 1024 .b8 here[32768];\n .shared .align 8 .b64 bar;\n"
    " ld.param.u64 %rd1, [map];\n ld.param.u32 %r1, [x];\n ld.param.u32 %r2, [y];\n ld.param.u32 %r3, "
    "[what];\n"
    " mov.u32 %r4, here;\n mov.u32 %r5, bar;\n mbarrier.init.shared.b64 [%r5], 1;\n"
    " setp.eq.u32 %q, %r3, 0;\n @%q bra LOAD;\n setp.eq.u32 %q, %r3, 1;\n @%q bra STORE;\n"
    " cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd1, {%r1, %r2}], [%r4];\n ret;\n"
    "STORE:\n cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r1, %r2}], [%r4];\n ret;\n"
    "LOAD:\n cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1, {%r1, "
    "%r2}], [%r5];\n"
    " ret;\n}\n";

static uint64_t random_state;
static uint64_t draw(uint64_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % n;
}

static struct wg_tensor_map good_map(uint64_t base) {
    return (struct wg_tensor_map){.magic = WG_TENSOR_MAP_MAGIC,
                                  .rank = 2,
                                  .type = WG_T_U32,
                                  .base = base,
                                  .last = {SIDE - 1, SIDE - 1},
                                  .box = {16, 8},
                                  .step = {1, 1},
                                  .stride = {SIDE * 4}};
}

static void forge(struct wg_tensor_map *m) {
    static const uint8_t edges[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 127, 128, 255};
    uint8_t *bytes = (uint8_t *)m;
    for (uint64_t n = 1 + draw(4); n; n--) {
        /* Fields that there is something to be had of; now and then, any byte. */
        uint64_t at = draw(8) ? draw(offsetof(struct wg_tensor_map, unused2)) : draw(sizeof *m);
        if (at - offsetof(struct wg_tensor_map, magic) < sizeof m->magic && draw(8)) continue;
        bytes[at] = draw(2) ? edges[draw(sizeof edges)] : (uint8_t)draw(256);
    }
}

/* False: this cannot be tried here. */
static bool try(enum wg_backend backend, uint64_t number) {
    struct wg_device *dev;
    struct wg_options o;
    struct wg_module *m;
    struct wg_diag d = {0};
    void *tensor, *map;
    wg_options_init(&o);
    o.backend = backend;
    o.threads = 1;
    random_state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
    if (!wg_options_from_env(&o, NULL) || wg_device_open(&o, &dev, NULL) != WG_OK) return false;
    if (wg_module_load(dev, "maps.ptx", text, sizeof text - 1, &m, &d) != WG_OK) {
        printf("%s\n", d.text.s);
        return false;
    }
    wg_diag_free(&d);
    /* As long as the device lives: most maps leave it as it is. */
    enum wg_status status = WG_OK;
    for (uint64_t i = 0; i < BATCH && status == WG_OK; i++) {
        if (wg_mem_alloc(dev, WG_MEM_DEVICE, SIDE * SIDE * 4, &tensor) != WG_OK ||
            wg_mem_alloc(dev, WG_MEM_DEVICE, sizeof(struct wg_tensor_map), &map) != WG_OK)
            return false;
        struct wg_tensor_map forged = good_map((uint64_t)tensor);
        if (i) forge(&forged);
        memcpy(map, &forged, sizeof forged);
        struct {
            uint64_t map;
            uint32_t x, y, what;
        } p = {(uint64_t)map, draw(2) ? 0 : (uint32_t)draw(UINT32_MAX),
               draw(2) ? 4 : (uint32_t)draw(UINT32_MAX), (uint32_t)draw(3)};
        if (!i) p.x = p.y = 0;
        struct wg_launch l = {.func = wg_module_func(m, "k"),
                              .grid = {1, 1, 1},
                              .block = {1, 1, 1},
                              .params = &p,
                              .param_bytes = sizeof p};
        status = wg_launch(wg_device_stream(dev, WG_STREAM_LEGACY), &l);
        if (status == WG_OK) status = wg_device_sync(dev);
        if (!i && status != WG_OK) {
            printf("the good map: %s\n", wg_status_name(status));
            return false;
        }
    }
    wg_device_close(dev);
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    enum wg_backend backend = strcmp(argv[1], "ref") == 0 ? WG_BACKEND_REF : WG_BACKEND_JIT;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    int bad = 0;
    for (uint64_t from = 0; from < count; from += BATCH) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            for (uint64_t n = from; n < from + BATCH && n < count; n++) {
                printf("map %llu\n", (unsigned long long)n);
                fflush(stdout);
                if (!try(backend, n)) _exit(1);
            }
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (status) printf("the last of these: %s %d\n", WIFSIGNALED(status) ? "signal" : "status", status);
        bad += status != 0;
    }
    return bad != 0;
}
