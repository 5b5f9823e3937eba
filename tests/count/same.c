/* same A.json B.json: two result files say the same of every launch, but for times. Status 0, or 1 with what
 * differs. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

static int differs(json_t *a, json_t *b, const char *kernel) {
    static const char *const parts[] = {"grid",   "block",   "cluster", "status", "like",
                                        "totals", "classes", "sites",   "samples"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        json_t *x = json_object_get(a, parts[i]), *y = json_object_get(b, parts[i]);
        if (json_equal(x, y)) continue;
        bool like = json_object_get(a, "like") != NULL; /* then it has no counters of its own */
        if (!x && !y && like == (i > 4)) continue;
        fprintf(stderr, "%s: '%s' differs:\n", kernel, parts[i]);
        json_dumpf(x, stderr, JSON_COMPACT);
        fputc('\n', stderr);
        json_dumpf(y, stderr, JSON_COMPACT);
        fputc('\n', stderr);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    json_error_t error;
    json_t *file[2];
    size_t launches = 0;
    for (int i = 0; i < 2; i++) {
        file[i] = argc == 3 ? json_load_file(argv[i + 1], 0, &error) : NULL;
        if (!file[i])
            return fprintf(stderr, "usage: same A.json B.json (%s)\n", argc == 3 ? error.text : ""), 2;
    }
    json_t *a = json_object_get(file[0], "kernels"), *b = json_object_get(file[1], "kernels");
    if (json_array_size(a) != json_array_size(b)) return fprintf(stderr, "not the same kernels\n"), 1;
    for (size_t k = 0; k < json_array_size(a); k++) {
        json_t *x = json_array_get(a, k), *y = json_array_get(b, k);
        const char *name = json_string_value(json_object_get(x, "display"));
        if (!json_equal(json_object_get(x, "sites"), json_object_get(y, "sites")))
            return fprintf(stderr, "%s: not the same sites\n", name), 1;
        x = json_object_get(x, "launches"), y = json_object_get(y, "launches");
        if (json_array_size(x) != json_array_size(y)) return fprintf(stderr, "%s: launches\n", name), 1;
        for (size_t l = 0; l < json_array_size(x); l++, launches++)
            if (differs(json_array_get(x, l), json_array_get(y, l), name)) return 1;
    }
    json_decref(file[0]);
    json_decref(file[1]);
    return launches ? 0 : (fprintf(stderr, "no launch\n"), 1);
}
