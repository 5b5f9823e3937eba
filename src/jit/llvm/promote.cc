/* SSA construction. See promote.h. In C++, because LLVM's C API does not know its dominator tree. */
#include "jit/llvm/promote.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

using namespace llvm;

namespace {

constexpr size_t many_blocks = 2000;
constexpr uint32_t none = UINT32_MAX;

/* A value per block that is valid only for the variable it was set for: nothing has to be cleared. */
template <typename T> class PerBlock {
  public:
    explicit PerBlock(size_t blocks) : of_(blocks, none), value_(blocks) {}
    bool has(uint32_t block, uint32_t variable) const { return of_[block] == variable; }
    T get(uint32_t block) const { return value_[block]; }
    void set(uint32_t block, uint32_t variable, T value) {
        of_[block] = variable;
        value_[block] = value;
    }

  private:
    std::vector<uint32_t> of_;
    std::vector<T> value_;
};

/* A load or store of a variable. */
struct Access {
    uint32_t block;
    Instruction *in;
};

/* Blocks are numbered in preorder of the dominator tree: a block comes after its dominators. */
class Promoter {
  public:
    explicit Promoter(Function &f);
    void run();

  private:
    void find_frontiers();
    void find_accesses(Function &f);
    void promote(uint32_t variable);
    void see_accesses(uint32_t variable);
    void find_alive(uint32_t variable);
    void place_phis(uint32_t variable);
    Value *value_at(uint32_t variable, uint32_t block);
    Value *value_behind(uint32_t variable, uint32_t block);
    Value *resolve(Value *x) const;

    std::vector<BasicBlock *> blocks_;
    std::vector<uint32_t> dominator_;             /* [block] idom; `none` for the entry */
    std::vector<std::vector<uint32_t>> before_;   /* [block] its predecessors, each once */
    std::vector<std::vector<uint32_t>> frontier_; /* [block] */
    std::vector<AllocaInst *> variables_;
    std::vector<std::vector<Access>> accesses_; /* [variable] in the order of blocks, and within them */
    PerBlock<Value *> last_, first_;            /* its value at a block's end, and at its start */
    PerBlock<PHINode *> phi_;
    PerBlock<bool> alive_;
    std::vector<uint32_t> defining_, wanting_, path_;
    std::vector<PHINode *> phis_;
    std::vector<uint32_t> phi_blocks_;
    DenseMap<Value *, Value *> loaded_; /* a load of this variable: its value */
};

Promoter::Promoter(Function &f) : last_(f.size()), first_(f.size()), phi_(f.size()), alive_(f.size()) {
    DominatorTree dominators(f);
    DenseMap<const BasicBlock *, uint32_t> number;
    for (auto *node : depth_first(&dominators)) {
        const auto *above = node->getIDom();
        number[node->getBlock()] = uint32_t(blocks_.size());
        blocks_.push_back(node->getBlock());
        dominator_.push_back(above ? number[above->getBlock()] : none);
    }
    before_.resize(blocks_.size());
    for (uint32_t b = 0; b < blocks_.size(); b++)
        for (const BasicBlock *to : successors(blocks_[b])) {
            std::vector<uint32_t> &list = before_[number[to]];
            if (list.empty() || list.back() != b) list.push_back(b);
        }
    find_frontiers();
    find_accesses(f);
}

/* A join is in the frontier of its predecessors, and of those that dominate them but not the join. */
void Promoter::find_frontiers() {
    frontier_.resize(blocks_.size());
    for (uint32_t join = 0; join < blocks_.size(); join++) {
        if (before_[join].size() < 2) continue;
        for (uint32_t from : before_[join])
            for (uint32_t b = from; b != dominator_[join]; b = dominator_[b]) {
                if (!frontier_[b].empty() && frontier_[b].back() == join) break;
                frontier_[b].push_back(join);
            }
    }
}

void Promoter::find_accesses(Function &f) {
    DenseMap<const Value *, uint32_t> number;
    for (Instruction &in : f.getEntryBlock()) {
        auto *variable = dyn_cast<AllocaInst>(&in);
        if (!variable || !isAllocaPromotable(variable)) continue;
        number[variable] = uint32_t(variables_.size());
        variables_.push_back(variable);
    }
    accesses_.resize(variables_.size());
    for (uint32_t b = 0; b < blocks_.size(); b++)
        for (Instruction &in : *blocks_[b]) {
            const Value *at = getLoadStorePointerOperand(&in);
            const auto found = at ? number.find(at) : number.end();
            if (found != number.end()) accesses_[found->second].push_back({b, &in});
        }
}

/* Loads after a store in their block are known; for other loads the variable is live-in. */
void Promoter::see_accesses(uint32_t variable) {
    defining_.clear();
    wanting_.clear();
    for (const Access &a : accesses_[variable]) {
        if (auto *store = dyn_cast<StoreInst>(a.in)) {
            if (!last_.has(a.block, variable)) defining_.push_back(a.block);
            last_.set(a.block, variable, store->getValueOperand());
        } else if (last_.has(a.block, variable)) {
            loaded_[a.in] = last_.get(a.block);
        } else if (wanting_.empty() || wanting_.back() != a.block) {
            wanting_.push_back(a.block);
        }
    }
}

void Promoter::find_alive(uint32_t variable) {
    std::vector<uint32_t> &due = path_;
    due.assign(wanting_.begin(), wanting_.end());
    for (const uint32_t b : due) alive_.set(b, variable, true);
    while (!due.empty()) {
        const uint32_t b = due.back();
        due.pop_back();
        for (const uint32_t from : before_[b]) {
            if (last_.has(from, variable) || alive_.has(from, variable)) continue;
            alive_.set(from, variable, true);
            due.push_back(from);
        }
    }
}

void Promoter::place_phis(uint32_t variable) {
    phis_.clear();
    phi_blocks_.clear();
    std::vector<uint32_t> &due = path_;
    due.assign(defining_.begin(), defining_.end());
    while (!due.empty()) {
        const uint32_t b = due.back();
        due.pop_back();
        for (const uint32_t join : frontier_[b]) {
            if (!alive_.has(join, variable) || phi_.has(join, variable)) continue;
            PHINode *phi = PHINode::Create(variables_[variable]->getAllocatedType(),
                                           unsigned(before_[join].size()), "", blocks_[join]->begin());
            phi_.set(join, variable, phi);
            phis_.push_back(phi);
            phi_blocks_.push_back(join);
            if (!last_.has(join, variable)) due.push_back(join);
        }
    }
}

/* The value at the block's start. Without a phi it is the value at its idom's end. */
Value *Promoter::value_at(uint32_t variable, uint32_t block) {
    path_.clear();
    Value *x = nullptr;
    for (uint32_t b = block; !x; b = dominator_[b]) {
        if (b != block && last_.has(b, variable))
            x = last_.get(b);
        else if (phi_.has(b, variable))
            x = phi_.get(b);
        else if (first_.has(b, variable))
            x = first_.get(b);
        else if (dominator_[b] == none)
            x = UndefValue::get(variables_[variable]->getAllocatedType());
        else
            path_.push_back(b);
    }
    for (const uint32_t b : path_) first_.set(b, variable, x);
    return x;
}

Value *Promoter::value_behind(uint32_t variable, uint32_t block) {
    return last_.has(block, variable) ? last_.get(block) : value_at(variable, block);
}

/* The stored value may be a load of the same variable. */
Value *Promoter::resolve(Value *x) const {
    for (auto found = loaded_.find(x); found != loaded_.end(); found = loaded_.find(x)) x = found->second;
    return x;
}

void Promoter::promote(uint32_t variable) {
    loaded_.clear();
    see_accesses(variable);
    find_alive(variable);
    place_phis(variable);
    for (const Access &a : accesses_[variable])
        if (isa<LoadInst>(a.in) && !loaded_.count(a.in)) loaded_[a.in] = value_at(variable, a.block);
    for (size_t i = 0; i < phis_.size(); i++) {
        DenseMap<const BasicBlock *, Value *> from;
        for (const uint32_t b : before_[phi_blocks_[i]])
            from[blocks_[b]] = resolve(value_behind(variable, b));
        for (BasicBlock *b : predecessors(blocks_[phi_blocks_[i]])) phis_[i]->addIncoming(from[b], b);
    }
    for (const Access &a : accesses_[variable]) {
        if (isa<LoadInst>(a.in)) a.in->replaceAllUsesWith(resolve(a.in));
    }
    for (const Access &a : accesses_[variable]) a.in->eraseFromParent();
    while (!variables_[variable]->use_empty()) /* lifetime markers */
        cast<Instruction>(variables_[variable]->user_back())->eraseFromParent();
    variables_[variable]->eraseFromParent();
}

void Promoter::run() {
    for (uint32_t v = 0; v < variables_.size(); v++) promote(v);
}

} // namespace

extern "C" void wg_promote_variables(LLVMValueRef function) {
    auto &f = *unwrap<Function>(function);
    if (f.size() < many_blocks) return;
    removeUnreachableBlocks(f);
    Promoter(f).run();
}
