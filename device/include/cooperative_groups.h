/* cooperative_groups.h: groups of threads as values: a block, a tile of a warp, the lanes that are here, a
 * cluster, a grid.
 *
 * Device code only. Each kind has a file of its own in warpglass/groups/; reduce, scan and memcpy_async come
 * by the headers that CUDA has for them. Groups of a warp speak through shuffles and votes, a block through
 * bar.sync, a cluster through barrier.cluster, a grid through __wg_grid_sync, which the machine itself
 * implements. Example:
 *     auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
 *     sum = cooperative_groups::reduce(warp, sum, cooperative_groups::plus<int>());
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_H
#define WARPGLASS_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_ /* as in host_defines.h */

#if defined(__cplusplus) && defined(__CUDA__)
#if __cplusplus < 201103L
#error "cooperative_groups.h needs C++11 or newer: compile with -std=c++17"
#endif
#include "cuda_runtime.h"
#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#include "warpglass/groups/shuffle.h"
#include "warpglass/groups/block.h"
#include "warpglass/groups/warp.h"
#include "warpglass/groups/cluster.h"
#include "warpglass/groups/grid.h"
#include "warpglass/groups/partition.h"
#pragma clang attribute pop
#endif

#endif
