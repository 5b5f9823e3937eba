/* Opcodes and modifiers as enums, made from ops.def.
 *
 *     enum wg_op      one value a row of the table: WG_OP_ADD_I ...; from WG_OP_COUNT on, those of own.def
 *     enum wg_mod     one value a spelling: WG_M_rn, WG_M_wide, ... (with _ for : and ., see WG_MODS)
 *     enum wg_modc    classes: an instruction carries one value a class, mod[WG_MC_RND] == WG_M_rz.
 */
#ifndef WG_PTX_OP_H
#define WG_PTX_OP_H
#include "ptx/types.h"
#include <stdbool.h>

enum wg_op {
    WG_OP_NONE,
#define OP(id, opcode, mods, types, operands, flags) WG_OP_##id,
#include "ptx/ops.def"
    WG_OP_COUNT,
    WG_OP_OWN = WG_OP_COUNT - 1, /* instructions of our own: own.def */
#define OP(id, opcode, mods, types, operands, flags) WG_OP_##id,
#include "ptx/own.def"
    WG_OP_ALL
};

enum {
    WG_F_MEM = 1,
    WG_F_SYNC = 2,
    WG_F_WAIT = 4,
    WG_F_FLOW = 8,
    WG_F_CC = 16,
    WG_F_EFFECT = 32,
    WG_F_BULK = 64,
    WG_F_MATRIX = 128
};
/* What an instruction is, as ops.def says. */
enum {
    WG_IS_LOAD = 0x100,
    WG_IS_STORE = 0x200,
    WG_IS_ATOMIC = 0x400,
    WG_IS_ACCESS = WG_IS_LOAD | WG_IS_STORE | WG_IS_ATOMIC,
    WG_IS_FENCE = 0x800,
    WG_IS_BARRIER = 0x1000,
    WG_IS_HINT = 0x2000,
    WG_IS_MATRIX = 0x4000,
    WG_IS_COPY = 0x8000,
    WG_IS_LINEAR = 0x10000,
    WG_IS_BITWISE = 0x20000,
    WG_IS_TEXTURE = 0x40000
};
extern const uint32_t wg_op_traits[WG_OP_ALL]; /* both */
/* What an instruction is more than a function of registers: WG_F_... */
static inline uint32_t wg_op_flags(enum wg_op op) { return wg_op_traits[op] & 0xff; }
/* Whether it is one of these: WG_IS_... */
static inline bool wg_op_is(enum wg_op op, uint32_t kinds) { return (wg_op_traits[op] & kinds) != 0; }

/* Classes: the fields that an instruction's modifiers land in. CACHE2 holds a second .CACHE
 * (ld.global.ca.nc), SPACE2 a second .SPACE (cp.async.ca.shared.global). */
/* clang-format off */
#define WG_MOD_CLASSES(X)                                                                                     \
    X(RND) X(FTZ) X(SAT) X(RELU) X(APPROX) X(NAN) X(XORSIGN) X(CMP) X(BOOL) X(MULW) X(SPACE) X(SEM) X(SCOPE)   \
    X(CACHE) X(CACHE2) X(EVICT) X(EVICT2) X(PREFETCH) X(VEC) X(AOP) X(SHFL) X(VOTE) X(DIR) X(CLAMP) X(PRMT)    \
    X(TESTP) X(UNI) X(SYNC) X(ALIGNED) X(CC) X(TO) X(SHIFTAMT) X(TYPES) X(SPACE2) X(EXPECT) X(PARITY) X(NOINC)   \
    X(SHAPE) X(LAYOUT) X(LAYOUT2) X(TRANS) X(NUMBER) X(MATRIX) X(DIMS) X(MULTICAST)
/* clang-format on */
enum wg_modc {
#define X(c) WG_MC_##c,
    WG_MOD_CLASSES(X)
#undef X
        WG_MC_COUNT
};

/* Shapes of matrix instructions. X(id, "spelled") */
/* clang-format off */
#define WG_SHAPES(X)                                                                                          \
    X(m8n8k4, "m8n8k4") X(m8n8k16, "m8n8k16") X(m16n8k4, "m16n8k4") X(m16n8k8, "m16n8k8")                      \
    X(m16n8k16, "m16n8k16") X(m16n8k32, "m16n8k32") X(m16n16k8, "m16n16k8") X(m16n16k16, "m16n16k16")          \
    X(m32n8k16, "m32n8k16") X(m8n32k16, "m8n32k16")
/* clang-format on */

/* Every spelling once. X(id, "spelled") */
/* clang-format off */
#define WG_MODS(X)                                                                                            \
    X(rn, "rn") X(rz, "rz") X(rm, "rm") X(rp, "rp") X(rna, "rna")                                              \
    X(rni, "rni") X(rzi, "rzi") X(rmi, "rmi") X(rpi, "rpi")                                                    \
    X(ftz, "ftz") X(noftz, "noftz") X(sat, "sat") X(satfinite, "satfinite") X(relu, "relu")                    \
    X(approx, "approx") X(full, "full") X(NaN, "NaN") X(xorsign_abs, "xorsign.abs")                            \
    X(eq, "eq") X(ne, "ne") X(lt, "lt") X(le, "le") X(gt, "gt") X(ge, "ge")                                    \
    X(ls, "ls") X(hs, "hs") X(equ, "equ") X(neu, "neu") X(ltu, "ltu") X(leu, "leu") X(gtu, "gtu")              \
    X(geu, "geu") X(num, "num") X(nan, "nan")                                                                  \
    X(and, "and") X(or, "or") X(xor, "xor") X(lo, "lo") X(hi, "hi") X(wide, "wide")                            \
    X(global, "global") X(shared, "shared") X(shared_cta, "shared::cta")                                       \
    X(shared_cluster, "shared::cluster") X(local, "local") X(const, "const") X(param, "param")                 \
    X(param_entry, "param::entry") X(param_func, "param::func")                                                \
    X(weak, "weak") X(volatile, "volatile") X(relaxed, "relaxed") X(acquire, "acquire")                        \
    X(release, "release") X(acq_rel, "acq_rel") X(sc, "sc") X(mmio, "mmio")                                    \
    X(cta, "cta") X(cluster, "cluster") X(gpu, "gpu") X(sys, "sys") X(gl, "gl")                                \
    X(ca, "ca") X(cg, "cg") X(cs, "cs") X(lu, "lu") X(cv, "cv") X(wb, "wb") X(wt, "wt") X(nc, "nc")            \
    X(l1_evict_normal, "L1::evict_normal") X(l1_evict_unchanged, "L1::evict_unchanged")                        \
    X(l1_evict_first, "L1::evict_first") X(l1_evict_last, "L1::evict_last")                                    \
    X(l1_no_allocate, "L1::no_allocate") X(l2_evict_normal, "L2::evict_normal")                                \
    X(l2_evict_first, "L2::evict_first") X(l2_evict_last, "L2::evict_last")                                    \
    X(l2_cache_hint, "L2::cache_hint") X(l2_64B, "L2::64B") X(l2_128B, "L2::128B") X(l2_256B, "L2::256B")      \
    X(L1, "L1") X(L2, "L2") X(v2, "v2") X(v4, "v4") X(v8, "v8")                                                \
    X(cas, "cas") X(exch, "exch") X(add, "add") X(inc, "inc") X(dec, "dec") X(min, "min") X(max, "max")        \
    X(popc, "popc") X(up, "up") X(down, "down") X(bfly, "bfly") X(idx, "idx")                                  \
    X(all, "all") X(any, "any") X(uni, "uni") X(ballot, "ballot") X(l, "l") X(r, "r")                          \
    X(clamp, "clamp") X(wrap, "wrap") X(f4e, "f4e") X(b4e, "b4e") X(rc8, "rc8") X(ecl, "ecl") X(ecr, "ecr")    \
    X(rc16, "rc16") X(finite, "finite") X(infinite, "infinite") X(number, "number")                            \
    X(notanumber, "notanumber") X(normal, "normal") X(subnormal, "subnormal")                                  \
    X(sync, "sync") X(arrive, "arrive") X(red, "red") X(wait, "wait") X(aligned, "aligned") X(cc, "cc")        \
    X(to, "to") X(shiftamt, "shiftamt") X(warp, "warp") X(pack, "pack")                                    \
    X(async, "async") X(commit_group, "commit_group") X(wait_group, "wait_group") X(wait_all, "wait_all")      \
    X(mbarrier, "mbarrier") X(noinc, "noinc") X(init, "init") X(inval, "inval") X(expect_tx, "expect_tx")      \
    X(complete_tx, "complete_tx") X(arrive_drop, "arrive_drop") X(test_wait, "test_wait")                      \
    X(try_wait, "try_wait") X(parity, "parity") X(noComplete, "noComplete") X(pending_count, "pending_count")   \
    WG_SHAPES(X) X(m8n8, "m8n8") X(x1, "x1") X(x2, "x2") X(x4, "x4") X(trans, "trans") X(row, "row") X(col, "col")   \
    X(mat_a, "a") X(mat_b, "b") X(mat_c, "c") X(mat_d, "d") X(load, "load") X(store, "store") X(mma, "mma")                                              \
    X(bulk, "bulk") X(tensor, "tensor") X(bulk_group, "bulk_group") X(read, "read") X(reduce, "reduce")        \
    X(prefetch, "prefetch") X(completes_tx, "mbarrier::complete_tx::bytes") X(multicast, "multicast::cluster") \
    X(tile, "tile") X(d1, "1d") X(d2, "2d") X(d3, "3d") X(d4, "4d") X(d5, "5d") X(tensormap, "tensormap")    \
    X(proxy, "proxy") X(alias, "alias") X(tensormap_generic, "tensormap::generic") X(mbarrier_init, "mbarrier_init")  \
    X(launch_dependents, "launch_dependents")  \
    X(mma_async, "mma_async") X(fence, "fence") X(m64k8, "m64nNk8") X(m64k16, "m64nNk16") X(m64k32, "m64nNk32")                                    \
    X(u32, "u32") X(b32, "b32") X(base, "base") X(level, "level") X(grad, "grad") X(a1d, "a1d") X(a2d, "a2d") X(cube, "cube") X(acube, "acube")   \
    X(g, "g") X(trap, "trap") X(zero, "zero") X(width, "width") X(height, "height") X(depth, "depth")          \
    X(array_size, "array_size") X(normalized_coords, "normalized_coords")
/* clang-format on */
enum wg_mod {
    WG_M_none,
#define X(id, spelled) WG_M_##id,
    WG_MODS(X)
#undef X
        WG_M_COUNT
};

const char *wg_op_name(enum wg_op op);  /* the opcode's spelling: "add" */
const char *wg_op_id(enum wg_op op);    /* the row's id: "ADD_I" */
const char *wg_mod_name(enum wg_mod m); /* "shared::cta"; "" for none */
/* Rows, columns and depth of a shape: m16n8k32 is {16, 8, 32}. */
struct wg_matrix_shape {
    uint8_t m, n, k;
};
struct wg_matrix_shape wg_mod_shape(enum wg_mod m);

/* Special registers. X(id, "spelled", type) */
/* clang-format off */
#define WG_SREGS(X)                                                                                           \
    X(tid_x, "%tid.x", U32) X(tid_y, "%tid.y", U32) X(tid_z, "%tid.z", U32)                                    \
    X(ntid_x, "%ntid.x", U32) X(ntid_y, "%ntid.y", U32) X(ntid_z, "%ntid.z", U32)                              \
    X(ctaid_x, "%ctaid.x", U32) X(ctaid_y, "%ctaid.y", U32) X(ctaid_z, "%ctaid.z", U32)                        \
    X(nctaid_x, "%nctaid.x", U32) X(nctaid_y, "%nctaid.y", U32) X(nctaid_z, "%nctaid.z", U32)                  \
    X(laneid, "%laneid", U32) X(warpid, "%warpid", U32) X(nwarpid, "%nwarpid", U32)                            \
    X(smid, "%smid", U32) X(nsmid, "%nsmid", U32) X(gridid, "%gridid", U64)                                    \
    X(is_explicit_cluster, "%is_explicit_cluster", PRED)                                                       \
    X(clusterid_x, "%clusterid.x", U32) X(clusterid_y, "%clusterid.y", U32) X(clusterid_z, "%clusterid.z", U32) \
    X(nclusterid_x, "%nclusterid.x", U32) X(nclusterid_y, "%nclusterid.y", U32)                                \
    X(nclusterid_z, "%nclusterid.z", U32)                                                                      \
    X(cluster_ctaid_x, "%cluster_ctaid.x", U32) X(cluster_ctaid_y, "%cluster_ctaid.y", U32)                    \
    X(cluster_ctaid_z, "%cluster_ctaid.z", U32) X(cluster_nctaid_x, "%cluster_nctaid.x", U32)                  \
    X(cluster_nctaid_y, "%cluster_nctaid.y", U32) X(cluster_nctaid_z, "%cluster_nctaid.z", U32)                \
    X(cluster_ctarank, "%cluster_ctarank", U32) X(cluster_nctarank, "%cluster_nctarank", U32)                  \
    X(lanemask_eq, "%lanemask_eq", U32) X(lanemask_lt, "%lanemask_lt", U32) X(lanemask_le, "%lanemask_le", U32) \
    X(lanemask_gt, "%lanemask_gt", U32) X(lanemask_ge, "%lanemask_ge", U32)                                    \
    X(clock, "%clock", U32) X(clock_hi, "%clock_hi", U32) X(clock64, "%clock64", U64)                          \
    X(globaltimer, "%globaltimer", U64) X(globaltimer_lo, "%globaltimer_lo", U32)                              \
    X(globaltimer_hi, "%globaltimer_hi", U32)                                                                  \
    X(total_smem_size, "%total_smem_size", U32) X(aggr_smem_size, "%aggr_smem_size", U32)                      \
    X(dynamic_smem_size, "%dynamic_smem_size", U32)                                                            \
    X(reserved_smem_cap, "%reserved_smem_offset_cap", B32) X(reserved_smem_0, "%reserved_smem_offset_0", B32)  \
    X(reserved_smem_1, "%reserved_smem_offset_1", B32)                                                         \
    X(envreg1, "%envreg1", U32) X(envreg2, "%envreg2", U32)                                                    \
    X(reserved_smem_begin, "%reserved_smem_offset_begin", B32) X(reserved_smem_end, "%reserved_smem_offset_end", B32)
/* clang-format on */
enum wg_sreg {
#define X(id, spelled, type) WG_SR_##id,
    WG_SREGS(X)
#undef X
        WG_SR_COUNT,
    /* Of our own, which no text can name: see struct wg_block. */
    WG_SR_iteration = WG_SR_COUNT,
    WG_SR_last_x,
    WG_SR_stage,
    WG_SR_saves, /* see struct wg_warp */
    WG_SR_save_bytes,
    WG_SR_local_stride,
    WG_SR_ALL
};
const char *wg_sreg_name(enum wg_sreg s);
#endif
