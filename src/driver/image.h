/* Images: what a program hands over as device code, and the PTX text inside.
 *
 * An image is one of
 *   PTX text            ends at a zero byte
 *   a fat binary        magic 0xba55ed50; entries of machine code and PTX for several architectures, the PTX
 *                       raw or compressed with LZ4 or zstd
 *   a wrapper           magic 0x466243b1: points to a fat binary (version 1), or to one without PTX and an
 *                       array of those that were linked into it (version 2: nvcc -rdc=true)
 *   machine code (ELF)  cannot be run here
 *
 * It comes as a bare pointer, so its true size is not known: every byte is asked for before it is read
 * (readable.h), and nothing inside is believed.
 *
 *     struct wg_image im = {0};
 *     CUresult r = wg_image_open(pointer, 90, &im);
 *     r == 0: im.texts.v[0].text is PTX for sm_90 or older;  else im.why says what is wrong, for a person
 *     wg_image_close(&im);
 */
#ifndef WG_DRIVER_IMAGE_H
#define WG_DRIVER_IMAGE_H
#include <cuda.h>
#include <stdbool.h>
#include "base/arena.h"
#include "base/strbuf.h"

struct wg_image_text {
    char *text; /* with a zero byte at text[len]; malloc'ed */
    size_t len;
    char *name; /* of the source file, when the fat binary tells; malloc'ed or NULL */
};
struct wg_image {
    WG_VEC(struct wg_image_text) texts; /* more than one: to be linked together */
    struct wg_strbuf why;
};

/* Finds what a device of compute capability `cc` (90) runs best: the newest PTX not newer than it. */
CUresult wg_image_open(const void *image, unsigned cc, struct wg_image *out);
void wg_image_close(struct wg_image *im);
#endif
