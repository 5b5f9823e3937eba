/* synchronization.h: barriers of a block and of a warp, fences, time, and ways to stop.
 *
 * Device code only. Each function is one PTX instruction: bar.sync, bar.red, bar.warp.sync, membar,
 * nanosleep, ...
 * __syncthreads() itself is known to clang.
 */
#ifndef WARPGLASS_SYNCHRONIZATION_H
#define WARPGLASS_SYNCHRONIZATION_H

#include "../host_defines.h"

#define WG_DEVICE static __device__ __forceinline__

/* All threads of the block wait; each learns about the predicates of all. */
WG_DEVICE int __syncthreads_count(int __predicate) { return __nvvm_bar0_popc(__predicate); }
WG_DEVICE int __syncthreads_and(int __predicate) { return __nvvm_bar0_and(__predicate); }
WG_DEVICE int __syncthreads_or(int __predicate) { return __nvvm_bar0_or(__predicate); }
WG_DEVICE void __barrier_sync(unsigned int __barrier) { __nvvm_barrier_sync(__barrier); }
WG_DEVICE void __barrier_sync_count(unsigned int __barrier, unsigned int __threads) {
    __nvvm_barrier_sync_cnt(__barrier, __threads);
}
WG_DEVICE void __syncwarp(unsigned int __mask = 0xffffffffu) { __nvvm_bar_warp_sync(__mask); }

WG_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
WG_DEVICE void __threadfence() { __nvvm_membar_gl(); }
WG_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

/* CUDA calls the type clock_t; its value is the low half of the cycle counter. */
WG_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }
WG_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
WG_DEVICE void __nanosleep(unsigned int __nanoseconds) {
    asm volatile("nanosleep.u32 %0;" ::"r"(__nanoseconds));
}

WG_DEVICE void __trap() { asm volatile("trap;"); }
WG_DEVICE void __brkpt() { asm volatile("brkpt;"); }
WG_DEVICE void __prof_trigger(int) {} /* hardware counters of a profiler that is not here */

/* Programmatic dependent launch: a kernel never starts before its predecessor has ended, so there is nothing
 * to wait for. */
WG_DEVICE void cudaGridDependencySynchronize() {}
WG_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}

#undef WG_DEVICE

#endif
