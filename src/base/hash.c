/* Cache-key hashing: see hash.h. */
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

/* Eight bytes at a time, by other factors than one: a byte is no eight of them. */
void wg_hash_add(struct wg_hash *h, const void *bytes, size_t len) {
    const unsigned char *p = bytes;
    uint64_t word;
    for (; len >= sizeof word; p += sizeof word, len -= sizeof word) {
        memcpy(&word, p, sizeof word);
        h->a = (h->a ^ word) * 0xff51afd7ed558ccdu;
        h->a ^= h->a >> 32;
        h->b = (h->b ^ word) * 0xc4ceb9fe1a85ec53u;
        h->b ^= h->b >> 29;
    }
    for (size_t i = 0; i < len; i++) {
        h->a = (h->a ^ p[i]) * 0x100000001b3u;
        h->b = (h->b ^ p[i]) * 0x9e3779b97f4a7c15u;
        h->b ^= h->b >> 29;
    }
}

void wg_hash_str(struct wg_hash *h, const char *s) { wg_hash_add(h, s, strlen(s) + 1); }

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void wg_hash_hex(const struct wg_hash *h, char out[33]) {
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)mix(h->a), (unsigned long long)mix(h->b ^ h->a));
}
