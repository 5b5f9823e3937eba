/* A 128-bit non-cryptographic hash for cache keys and tables (after FNV-1a, twice with different bases and
 * factors, then mixed). The result depends on how the input is split into pieces. It names files on disk:
 * changing the hash invalidates them. */
#ifndef WG_BASE_HASH_H
#define WG_BASE_HASH_H
#include <stddef.h>
#include <stdint.h>

struct wg_hash {
    uint64_t a, b;
};
#define WG_HASH_INIT {0xcbf29ce484222325u, 0x84222325cbf29ce4u}
void wg_hash_add(struct wg_hash *h, const void *bytes, size_t len);
void wg_hash_str(struct wg_hash *h, const char *s); /* with its terminator */
/* 32 lower-case hexadecimal digits and a zero byte. */
void wg_hash_hex(const struct wg_hash *h, char out[33]);
#endif
