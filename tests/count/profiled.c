/* See profiled.h. */
#include "tests/count/profiled.h"
#include "count/result.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void profiled_open(struct profiled *p, const char *ptx, struct profiled_how how) {
    struct wg_options o;
    struct wg_diag d = {0};
    wg_options_init(&o);
    o.backend = how.backend;
    o.threads = how.threads;
    o.width = how.width;
    strcpy(p->path, "/tmp/wg_count_XXXXXX");
    int fd = mkstemp(p->path);
    assert_true(fd >= 0);
    close(fd);
    o.result = p->result = wg_result_new(p->path);
    assert_int_equal(wg_device_open(&o, &p->dev, &d), WG_OK);
    if (wg_module_load(p->dev, "test.ptx", ptx, strlen(ptx), &p->mod, &d) != WG_OK)
        fail_msg("%s", d.text.s ? d.text.s : "the PTX does not load");
    p->stream = wg_device_stream(p->dev, WG_STREAM_LEGACY);
    wg_diag_free(&d);
}

void *profiled_memory(struct profiled *p, size_t bytes) {
    void *at;
    assert_int_equal(wg_mem_alloc(p->dev, WG_MEM_DEVICE, bytes, &at), WG_OK);
    return at;
}

void profiled_launch(struct profiled *p, const char *kernel, struct wg_launch l) {
    l.func = wg_module_func(p->mod, kernel);
    if (!l.func) fail_msg("no kernel %s", kernel);
    if (l.dynamic_shared > 48 * 1024)
        assert_int_equal(wg_func_set(l.func, WG_FUNC_DYNAMIC_SHARED, (int64_t)l.dynamic_shared), WG_OK);
    if (wg_launch(p->stream, &l) != WG_OK) fail_msg("%s: %s", kernel, wg_last_detail());
    assert_int_equal(wg_device_sync(p->dev), WG_OK);
}

json_t *profiled_close(struct profiled *p) {
    json_error_t error;
    wg_device_close(p->dev);
    assert_true(wg_result_write(p->result, "exit", 0));
    wg_result_free(p->result);
    json_t *r = json_load_file(p->path, 0, &error);
    if (!r) fail_msg("%s:%d: %s", p->path, error.line, error.text);
    unlink(p->path);
    return r;
}

json_t *profiled_at(json_t *result, uint32_t index) {
    size_t i, k;
    json_t *kernel, *launch;
    json_array_foreach(json_object_get(result, "kernels"), i, kernel) json_array_foreach(
        json_object_get(kernel, "launches"), k,
        launch) if (json_integer_value(json_object_get(launch, "index")) == (json_int_t)index) return launch;
    fail_msg("no launch %u", index);
    return NULL;
}

uint64_t profiled_count(json_t *result, uint32_t index, const char *class, const char *counter) {
    json_t *l = profiled_at(result, index);
    json_t *of =
        *class ? json_object_get(json_object_get(l, "classes"), class) : json_object_get(l, "totals");
    return (uint64_t)json_integer_value(json_object_get(of, counter));
}
