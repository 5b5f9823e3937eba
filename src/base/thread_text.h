/* Thread-local text buffers, allocated on the heap and freed with the thread: thread-local arrays would be
 * static TLS, of which a library that is loaded with dlopen gets next to nothing. */
#ifndef WG_BASE_THREAD_TEXT_H
#define WG_BASE_THREAD_TEXT_H

enum wg_thread_text { WG_TEXT_FAILURE, WG_TEXT_LAUNCH, WG_TEXT_ASSERTION, WG_TEXT_REFUSED, WG_TEXTS };
enum { WG_TEXT_BYTES = 4096 }; /* names of instantiated templates are long */

/* WG_TEXT_BYTES, empty at first. */
char *wg_thread_text(enum wg_thread_text which);
#endif
