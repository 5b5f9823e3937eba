/* helper_timer.h: the host's timers of NVIDIA's samples, in milliseconds. */
#ifndef WARPGLASS_HELPER_TIMER_H
#define WARPGLASS_HELPER_TIMER_H

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef struct StopWatchInterface {
    double began, total;
    int runs;
    bool running;
} StopWatchInterface;

static inline double wg_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}
static inline bool sdkCreateTimer(StopWatchInterface **timer) {
    *timer = (StopWatchInterface *)calloc(1, sizeof **timer);
    return *timer != NULL;
}
static inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    free(*timer);
    *timer = NULL;
    return true;
}
static inline bool sdkStartTimer(StopWatchInterface **timer) {
    (*timer)->began = wg_milliseconds();
    (*timer)->running = true;
    return true;
}
static inline bool sdkStopTimer(StopWatchInterface **timer) {
    (*timer)->total += wg_milliseconds() - (*timer)->began;
    (*timer)->running = false;
    (*timer)->runs++;
    return true;
}
static inline bool sdkResetTimer(StopWatchInterface **timer) {
    (*timer)->total = 0;
    (*timer)->runs = 0;
    (*timer)->began = wg_milliseconds();
    return true;
}
static inline float sdkGetTimerValue(StopWatchInterface **timer) {
    const StopWatchInterface *t = *timer;
    return (float)(t->total + (t->running ? wg_milliseconds() - t->began : 0));
}
static inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return (*timer)->runs ? (float)((*timer)->total / (*timer)->runs) : 0;
}

#endif
