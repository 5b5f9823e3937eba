/* What the host can give, as files of a made-up /proc and /sys say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/memory/host.h"

#define GB (UINT64_C(1) << 30)

static char root[64];

static void put(const char *path, const char *text) {
    char whole[512];
    snprintf(whole, sizeof whole, "mkdir -p \"$(dirname '%s/%s')\"", root, path);
    assert_int_equal(system(whole), 0);
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int begin(void **state) {
    strcpy(root, "/tmp/warpglass-host.XXXXXX");
    return mkdtemp(root) == NULL;
}
static int end(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void nothing_is_known(void **state) { assert_int_equal(wg_host_available(root), UINT64_MAX); }

static void without_groups(void **state) {
    put("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:    8388608 kB\n");
    assert_int_equal(wg_host_available(root), 8 * GB);
}

static void a_group_of_version_2(void **state) {
    put("proc/meminfo", "MemAvailable:    8388608 kB\n");
    put("proc/self/cgroup", "0::/user/job\n");
    put("sys/fs/cgroup/user/job/memory.max", "max\n");
    put("sys/fs/cgroup/user/job/memory.current", "1073741824\n");
    assert_int_equal(wg_host_available(root), 8 * GB);
    /* One that it is in: of three, one and a half are used, a half by files. */
    put("sys/fs/cgroup/user/memory.max", "3221225472\n");
    put("sys/fs/cgroup/user/memory.current", "1610612736\n");
    put("sys/fs/cgroup/user/memory.stat", "anon 1\ninactive_file 536870912\n");
    assert_int_equal(wg_host_available(root), 2 * GB);
    put("sys/fs/cgroup/user/job/memory.max", "1073741824\n");
    assert_int_equal(wg_host_available(root), 0);
}

static void a_container_of_version_2(void **state) {
    put("proc/meminfo", "MemAvailable:    8388608 kB\n");
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/memory.max", "2147483648\n");
    put("sys/fs/cgroup/memory.current", "1073741824\n");
    assert_int_equal(wg_host_available(root), GB);
}

static void a_container_of_version_1(void **state) {
    put("proc/meminfo", "MemAvailable:    8388608 kB\n");
    put("proc/self/cgroup", "5:devices:/docker/abc\n4:cpu,memory:/docker/abc\n0::/docker/abc\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "3221225472\n");
    put("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 1073741824\n");
    assert_int_equal(wg_host_available(root), 2 * GB);
    /* Seen from outside, it has its own folder. */
    put("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", "536870912\n");
    assert_int_equal(wg_host_available(root), GB / 2);
}

static void without_proc(void **state) {
    put("sys/fs/cgroup/memory.max", "2147483648\n");
    put("sys/fs/cgroup/memory.current", "1073741824\n");
    assert_int_equal(wg_host_available(root), GB);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "536870912\n");
    assert_int_equal(wg_host_available(root), GB / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_known, begin, end),
        cmocka_unit_test_setup_teardown(without_groups, begin, end),
        cmocka_unit_test_setup_teardown(a_group_of_version_2, begin, end),
        cmocka_unit_test_setup_teardown(a_container_of_version_2, begin, end),
        cmocka_unit_test_setup_teardown(a_container_of_version_1, begin, end),
        cmocka_unit_test_setup_teardown(without_proc, begin, end),
    };
    return cmocka_run_group_tests_name("machine.host", tests, NULL, NULL);
}
