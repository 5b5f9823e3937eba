/* Code for the value of a symbolic sum. See expand.h. */
#include "jit/emit/expand.h"
#include "analysis/grid_loop.h"

static LLVMValueRef number(struct wg_emit *e, const struct wg_env *env, int64_t x) {
    return LLVMConstInt(LLVMIntTypeInContext(e->L.ctx, env->bits), (uint64_t)x, 1);
}

static LLVMValueRef resized(struct wg_emit *e, const struct wg_env *env, LLVMValueRef x, bool is_signed) {
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, env->bits);
    uint32_t bits = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    if (bits == env->bits) return x;
    if (bits > env->bits) return LLVMBuildTrunc(env->b, x, t, "");
    return is_signed ? LLVMBuildSExt(env->b, x, t, "") : LLVMBuildZExt(env->b, x, t, "");
}

static LLVMValueRef parameter(struct wg_emit *e, const struct wg_form_var *v) {
    LLVMValueRef at = LLVMBuildIntToPtr(e->entry_b, wg_params(e), e->ptr, "");
    return wg_load_field(e, e->entry_b, LLVMIntTypeInContext(e->L.ctx, v->unit), at, v->reg, true, "");
}

/* The operation that makes the register, of the values that its operands have in the environment. */
static LLVMValueRef remade(struct wg_emit *e, struct wg_scev *s, uint32_t reg, struct wg_env *env) {
    const struct wg_ir_instr *in = e->an->cfg.def[reg];
    LLVMValueRef src[3], dst[2] = {NULL};
    if (!in || in->guard != WG_NO_REG || in->nsrc > 3 || !wg_is_index_arithmetic(in)) return NULL;
    uint32_t block = e->an->cfg.def_block[reg], bits = env->bits;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        struct wg_sum f = wg_scev_at(s, &in->src[i], block, (uint32_t)(in - e->func->blocks[block].instrs));
        env->bits = wg_ir_source_bits(in, i);
        src[i] = env->bits < 16 ? NULL : wg_expand(e, s, &f, env);
        env->bits = bits;
        if (!src[i]) return NULL;
    }
    LLVMBuilderRef b = e->L.b;
    e->L.b = env->b;
    wg_set_lanes(e, 1);
    bool made = wg_lower_pure(&e->L, in, src, dst);
    e->L.b = b;
    return made ? dst[0] : NULL;
}

static LLVMValueRef register_of(struct wg_emit *e, struct wg_scev *s, uint32_t reg, struct wg_env *env) {
    const struct wg_ir_instr *in = e->an->cfg.def[reg];
    if (in && in->op == WG_OP_MOV_SREG) return wg_block_field(e, in->sreg);
    LLVMValueRef x = env->reg ? env->reg(e, reg) : NULL;
    if (x) return x;
    for (uint32_t i = 0; i < env->nmade; i++)
        if (env->made[i].reg == reg) return env->made[i].x;
    if (env->nmade == WG_MOST_MADE) return NULL;
    uint32_t i = env->nmade++;
    env->made[i].reg = reg;
    env->made[i].x = NULL; /* so it is while its operands are looked at */
    return env->made[i].x = remade(e, s, reg, env);
}

static LLVMValueRef value_of(struct wg_emit *e, struct wg_scev *s, const struct wg_form_var *v,
                             struct wg_env *env) {
    LLVMValueRef x = NULL;
    if (v->kind < WG_VAR_AXES) {
        x = env->axis[v->kind];
        env->used |= 1u << v->kind;
    }
    if (v->kind == WG_VAR_NCTAID) x = wg_block_field(e, WG_SR_nctaid_x + v->reg);
    if (v->kind == WG_VAR_PARAM) x = parameter(e, v);
    if (v->kind == WG_VAR_REG) x = register_of(e, s, v->reg, env);
    return x ? resized(e, env, x, v->lo < 0) : NULL;
}

static LLVMValueRef plus(const struct wg_env *env, LLVMValueRef sum, LLVMValueRef x) {
    return sum ? LLVMBuildAdd(env->b, sum, x, "") : x;
}

/* The products that have this variable as their second factor, from the sum's i-th term on, as one product. */
static LLVMValueRef products(struct wg_emit *e, struct wg_scev *s, const struct wg_sum *f, uint32_t i,
                             struct wg_env *env) {
    uint32_t by = wg_scev_var(s, f->term[i].var)->loop;
    LLVMValueRef sum = NULL, factor = value_of(e, s, wg_scev_var(s, by), env);
    for (; i < f->nterms && factor; i++) {
        const struct wg_form_var *v = wg_scev_var(s, f->term[i].var);
        if (v->kind != WG_VAR_PRODUCT || v->loop != by) continue;
        LLVMValueRef x = value_of(e, s, wg_scev_var(s, v->reg), env);
        if (!x) return NULL;
        sum = plus(env, sum, LLVMBuildMul(env->b, x, number(e, env, f->term[i].times), ""));
    }
    return factor ? LLVMBuildMul(env->b, sum, factor, "") : NULL;
}

/* Whether an earlier product has the same second factor. */
static bool is_done(const struct wg_scev *s, const struct wg_sum *f, uint32_t i) {
    const struct wg_form_var *v = wg_scev_var(s, f->term[i].var);
    for (uint32_t k = 0; k < i; k++) {
        const struct wg_form_var *w = wg_scev_var(s, f->term[k].var);
        if (w->kind == WG_VAR_PRODUCT && w->loop == v->loop) return true;
    }
    return false;
}

LLVMValueRef wg_expand(struct wg_emit *e, struct wg_scev *s, const struct wg_sum *f, struct wg_env *env) {
    if (!f->known || f->base) return NULL;
    LLVMValueRef sum = f->constant || !f->nterms ? number(e, env, f->constant) : NULL;
    for (uint32_t i = 0; i < f->nterms; i++) {
        const struct wg_form_var *v = wg_scev_var(s, f->term[i].var);
        bool is_product = v->kind == WG_VAR_PRODUCT;
        if (is_product && is_done(s, f, i)) continue;
        LLVMValueRef x = is_product ? products(e, s, f, i, env) : value_of(e, s, v, env);
        if (!x) return NULL;
        if (!is_product) x = LLVMBuildMul(env->b, x, number(e, env, f->term[i].times), "");
        sum = plus(env, sum, x);
    }
    return sum;
}

void wg_env_of_block(struct wg_emit *e, struct wg_env *env) {
    for (uint32_t i = 0; i < 3; i++) env->axis[WG_VAR_CTAID_X + i] = wg_block_field(e, WG_SR_ctaid_x + i);
}
