/* helper_timer.h: the host's timers of NVIDIA's samples, in milliseconds. */
#ifndef WARPGLASS_HELPER_TIMER_H
#define WARPGLASS_HELPER_TIMER_H

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef struct StopWatchInterface {
    double __began, __total;
    int __runs;
    bool __running;
} StopWatchInterface;

static inline double wg_milliseconds(void) {
    struct timespec __now;
    clock_gettime(CLOCK_MONOTONIC, &__now);
    return __now.tv_sec * 1e3 + __now.tv_nsec * 1e-6;
}
static inline bool sdkCreateTimer(StopWatchInterface **__timer) {
    *__timer = (StopWatchInterface *)calloc(1, sizeof **__timer);
    return *__timer != NULL;
}
static inline bool sdkDeleteTimer(StopWatchInterface **__timer) {
    free(*__timer);
    *__timer = NULL;
    return true;
}
static inline bool sdkStartTimer(StopWatchInterface **__timer) {
    (*__timer)->__began = wg_milliseconds();
    (*__timer)->__running = true;
    return true;
}
static inline bool sdkStopTimer(StopWatchInterface **__timer) {
    (*__timer)->__total += wg_milliseconds() - (*__timer)->__began;
    (*__timer)->__running = false;
    (*__timer)->__runs++;
    return true;
}
static inline bool sdkResetTimer(StopWatchInterface **__timer) {
    (*__timer)->__total = 0;
    (*__timer)->__runs = 0;
    (*__timer)->__began = wg_milliseconds();
    return true;
}
static inline float sdkGetTimerValue(StopWatchInterface **__timer) {
    const StopWatchInterface *__t = *__timer;
    return (float)(__t->__total + (__t->__running ? wg_milliseconds() - __t->__began : 0));
}
static inline float sdkGetAverageTimerValue(StopWatchInterface **__timer) {
    return (*__timer)->__runs ? (float)((*__timer)->__total / (*__timer)->__runs) : 0;
}

#endif
