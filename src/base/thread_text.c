/* See thread_text.h. */
#include "base/thread_text.h"
#include "base/arena.h"
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void make_key(void) { pthread_key_create(&key, free); }

char *wg_thread_text(enum wg_thread_text which) {
    pthread_once(&once, make_key);
    char(*texts)[WG_TEXT_BYTES] = pthread_getspecific(key);
    if (!texts) {
        texts = wg_xcalloc(WG_TEXTS, sizeof *texts);
        pthread_setspecific(key, texts);
    }
    return texts[which];
}
