/* Outlining of vector code. See outline.h. In C++, because LLVM's C API has no hashes and no clones of
 * instructions. */
#include "jit/llvm/outline.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <memory>
#include <unordered_map>
#include <vector>

using namespace llvm;

namespace {

constexpr size_t least_alike = 3;        /* groups, for a function */
constexpr size_t most_instructions = 16; /* of a function: small ones recur */
constexpr size_t most_arguments = 16;    /* of a function: six of them are in registers */

/* Vector instructions of a block of which only the last one has users outside. No vector is an input or an
 * output: vectors of other groups are loaded from the stack. */
struct Group {
    size_t writes;                  /* to memory, from here to the end of the block */
    std::vector<Instruction *> ins; /* in their order */
    std::vector<Use *> inputs;      /* scalars, and constants that are the same in all lanes */
    std::vector<uintptr_t> shape;   /* a key that is equal in groups that are alike */
    explicit Group(size_t writes_below) : writes(writes_below) {}
    Instruction *output() const { return ins.back()->getType()->isVoidTy() ? nullptr : ins.back(); }
};

bool is_vector(const Value *x) { return x->getType()->isVectorTy(); }

bool takes_vectors(const Instruction &in) {
    return is_vector(&in) || any_of(in.operands(), [](const Use &u) { return is_vector(u.get()); });
}

bool may_be_moved(const Instruction &in) {
    if (isa<PHINode>(in) || isa<AllocaInst>(in) || in.isTerminator() || in.isAtomic()) return false;
    if (is_vector(&in) && in.mayHaveSideEffects()) return false; /* it ends a group, and gives a vector */
    const auto *call = dyn_cast<CallInst>(&in);
    if (call && (call->isMustTailCall() || call->isIndirectCall())) return false;
    return takes_vectors(in);
}

/* Of an operation on integers or a call: the number that is the same in all lanes of this constant. */
ConstantInt *splat_argument(const Instruction &in, const Value *operand) {
    if (!isa<BinaryOperator>(in) && !isa<ICmpInst>(in) && !isa<CallInst>(in)) return nullptr;
    const auto *constant = dyn_cast<Constant>(operand);
    if (!constant || !is_vector(constant) || constant->isNullValue()) return nullptr;
    auto *number = dyn_cast_or_null<ConstantInt>(constant->getSplatValue());
    return number && number->getBitWidth() >= 8 && number->getBitWidth() <= 64 ? number : nullptr;
}

/* Widths that LLVM's quick instruction selection hands over. */
Type *argument_type(Type *t) {
    const bool narrow = t->isIntegerTy() && t->getIntegerBitWidth() < 32;
    return narrow ? Type::getInt32Ty(t->getContext()) : t;
}

class Outliner {
  public:
    explicit Outliner(Function &f) : f_(f) {}
    void run();

  private:
    void fold_constants();
    void demote_across_blocks();
    Group *group_of_users(const Instruction &in) const;
    void find_groups(BasicBlock &block);
    void hand_over(size_t first);
    std::pair<AllocaInst *, size_t> pass_on(Instruction *made, size_t maker);
    AllocaInst *take_slot(Type *t);
    bool shares_vectors(const Group &g) const;
    void describe(Group &g) const;
    Function *make(const Group &g);
    void call(Group &g, Function *callee) const;

    Function &f_;
    std::vector<std::unique_ptr<Group>> groups_;
    DenseMap<const Instruction *, size_t> group_of_; /* in the block that is looked at */
    DenseMap<Type *, std::vector<AllocaInst *>> free_;
    unsigned made_ = 0;
};

/* LLVM's builder does not know the memory layout of vectors, so it does not fold bitcasts of constants. */
void Outliner::fold_constants() {
    const DataLayout &layout = f_.getDataLayout();
    for (BasicBlock &block : f_)
        for (Instruction &in : make_early_inc_range(block)) {
            if (isa<PHINode>(in) || !is_vector(&in)) continue;
            for (Use &use : in.operands())
                if (auto *made = dyn_cast<ConstantExpr>(use.get()); made && is_vector(made))
                    use.set(ConstantFoldConstant(made, layout));
            Constant *known = ConstantFoldInstruction(&in, layout);
            if (!known) continue;
            in.replaceAllUsesWith(known);
            in.eraseFromParent();
        }
}

/* Demotes vectors that are live across blocks to the stack. */
void Outliner::demote_across_blocks() {
    std::vector<PHINode *> phis;
    std::vector<Instruction *> others;
    for (BasicBlock &block : f_)
        for (Instruction &in : block)
            if (auto *phi = dyn_cast<PHINode>(&in); phi && is_vector(phi)) phis.push_back(phi);
    for (PHINode *phi : phis) DemotePHIToStack(phi, f_.getEntryBlock().begin());
    for (BasicBlock &block : f_)
        for (Instruction &in : block)
            if (is_vector(&in) && in.isUsedOutsideOfBlock(&block)) others.push_back(&in);
    for (Instruction *in : others) DemoteRegToStack(*in, false, f_.getEntryBlock().begin());
}

/* The one group that all users are in, or NULL. */
Group *Outliner::group_of_users(const Instruction &in) const {
    Group *g = nullptr;
    for (const User *user : in.users()) {
        const auto at = group_of_.find(cast<Instruction>(user));
        if (at == group_of_.end() || (g && g != groups_[at->second].get())) return nullptr;
        g = groups_[at->second].get();
    }
    return g;
}

/* Backwards: an instruction used by one group only belongs to it, if it may be sunk to there. */
void Outliner::find_groups(BasicBlock &block) {
    const size_t first = groups_.size();
    size_t writes = 0;
    for (Instruction &in : reverse(block)) {
        writes += in.mayHaveSideEffects();
        if (!may_be_moved(in)) continue;
        Group *g = in.mayHaveSideEffects() ? nullptr : group_of_users(in);
        if (g && (g->ins.size() == most_instructions || (in.mayReadFromMemory() && g->writes != writes)))
            g = nullptr;
        if (!g) {
            groups_.push_back(std::make_unique<Group>(writes));
            g = groups_.back().get();
            group_of_[&in] = groups_.size() - 1;
        } else {
            group_of_[&in] = group_of_[g->ins.front()];
        }
        g->ins.push_back(&in);
    }
    for (size_t i = first; i < groups_.size(); i++)
        std::reverse(groups_[i]->ins.begin(), groups_[i]->ins.end());
}

AllocaInst *Outliner::take_slot(Type *t) {
    std::vector<AllocaInst *> &slots = free_[t];
    if (slots.empty()) return new AllocaInst(t, 0, "", f_.getEntryBlock().begin());
    AllocaInst *slot = slots.back();
    slots.pop_back();
    return slot;
}

/* Passes a vector in a stack slot, which is free again after the last group that loads it: that one's number.
 */
std::pair<AllocaInst *, size_t> Outliner::pass_on(Instruction *made, size_t maker) {
    MapVector<size_t, std::vector<Instruction *>> wanting;
    for (User *user : made->users()) {
        const auto at = group_of_.find(cast<Instruction>(user));
        if (at == group_of_.end()) return {nullptr, maker}; /* it stays as it is */
        auto &users = wanting[at->second];
        if (!is_contained(users, user)) users.push_back(cast<Instruction>(user));
    }
    AllocaInst *slot = take_slot(made->getType());
    size_t last = maker; /* groups come in the opposite order of their ends */
    for (auto &entry : wanting) {
        const size_t number = entry.first;
        const std::vector<Instruction *> &users = entry.second;
        Group &g = *groups_[number];
        const auto at = find_if(g.ins, [&](Instruction *in) { return is_contained(users, in); });
        auto *load = new LoadInst(made->getType(), slot, "", (*at)->getIterator());
        group_of_[load] = number;
        g.ins.insert(at, load);
        for (Instruction *user : users) user->replaceUsesOfWith(made, load);
        last = std::min(last, number);
    }
    auto *store = new StoreInst(made, slot, std::next(made->getIterator()));
    group_of_[store] = maker;
    groups_[maker]->ins.push_back(store);
    return {slot, last};
}

/* Spills the vectors that the block's groups, from `first` on, pass to each other. */
void Outliner::hand_over(size_t first) {
    std::vector<std::vector<AllocaInst *>> free_after(groups_.size() - first);
    for (size_t i = groups_.size(); i-- > first;) {
        Instruction *made = groups_[i]->output();
        if (made && is_vector(made)) {
            const auto [slot, last] = pass_on(made, i);
            if (slot) free_after[last - first].push_back(slot);
        }
        for (AllocaInst *slot : free_after[i - first]) free_[slot->getAllocatedType()].push_back(slot);
    }
}

/* With instructions that are in no group. */
bool Outliner::shares_vectors(const Group &g) const {
    const size_t own = group_of_.lookup(g.ins.front());
    const auto inside = [&](const Value *x) {
        const auto *in = dyn_cast<Instruction>(x);
        const auto at = in ? group_of_.find(in) : group_of_.end();
        return in ? at != group_of_.end() && at->second == own : !isa<Argument>(x);
    };
    return any_of(g.ins, [&](const Instruction *in) {
        return any_of(in->operands(), [&](const Use &u) { return is_vector(u.get()) && !inside(u.get()); }) ||
               (is_vector(in) && !all_of(in->users(), inside));
    });
}

/* Computes the group's key, and the order of its inputs. */
void Outliner::describe(Group &g) const {
    DenseMap<const Value *, uintptr_t> number;
    for (Instruction *in : g.ins) {
        g.shape.push_back(in->getOpcode());
        g.shape.push_back(in->getRawSubclassOptionalData());
        g.shape.push_back(uintptr_t(in->getType()));
        for (Use &use : in->operands()) {
            const Value *x = use.get();
            if (splat_argument(*in, x)) {
                g.inputs.push_back(&use);
                g.shape.push_back(uintptr_t(x->getType()));
                continue;
            }
            if (!isa<Instruction>(x) && !isa<Argument>(x)) {
                g.shape.push_back(uintptr_t(x));
                continue;
            }
            const auto [at, is_new] = number.try_emplace(x, number.size());
            if (is_new) g.inputs.push_back(&use);
            g.shape.push_back(at->second);
            g.shape.push_back(uintptr_t(x->getType()));
        }
        number[in] = number.size();
    }
}

/* Beside their shapes, which are the same. */
bool have_same_state(const Group &a, const Group &b) {
    for (size_t i = 0; i < a.ins.size(); i++)
        if (!a.ins[i]->isSameOperationAs(b.ins[i])) return false;
    return true;
}

Value *argument(const Use &input) {
    ConstantInt *number = splat_argument(*cast<Instruction>(input.getUser()), input.get());
    return number ? number : input.get();
}

Value *widened(IRBuilder<> &b, Value *x) {
    Type *t = argument_type(x->getType());
    return t == x->getType() ? x : b.CreateZExt(x, t);
}

Value *narrowed(IRBuilder<> &b, Value *x, Type *t) { return t == x->getType() ? x : b.CreateTrunc(x, t); }

Function *Outliner::make(const Group &g) {
    std::vector<Type *> types;
    for (const Use *input : g.inputs) types.push_back(argument_type(argument(*input)->getType()));
    const Instruction *output = g.output();
    Type *result = output ? argument_type(output->getType()) : Type::getVoidTy(f_.getContext());
    Function *made = Function::Create(FunctionType::get(result, types, false), Function::InternalLinkage,
                                      "outlined." + Twine(made_++), f_.getParent());
    for (const char *key : {"prefer-vector-width", "min-legal-vector-width"})
        made->addFnAttr(f_.getFnAttribute(key));
    made->setDoesNotThrow();
    IRBuilder<> b(BasicBlock::Create(f_.getContext(), "", made));
    DenseMap<const Value *, Value *> inside;
    unsigned next = 0;
    const auto take = [&](Type *t) { return narrowed(b, made->getArg(next++), t); };
    for (const Instruction *in : g.ins) {
        Instruction *copy = in->clone();
        for (Use &use : copy->operands()) {
            Value *x = use.get();
            if (const ConstantInt *argument = splat_argument(*in, x)) {
                const auto lanes = cast<VectorType>(x->getType())->getElementCount();
                use.set(b.CreateVectorSplat(lanes, take(argument->getType())));
            } else if (isa<Instruction>(x) || isa<Argument>(x)) {
                Value *&known = inside[x];
                if (!known) known = take(x->getType());
                use.set(known);
            }
        }
        copy->dropUnknownNonDebugMetadata();
        inside[in] = b.Insert(copy);
    }
    if (output)
        b.CreateRet(widened(b, inside[output]));
    else
        b.CreateRetVoid();
    return made;
}

void Outliner::call(Group &g, Function *callee) const {
    IRBuilder<> b(g.ins.back());
    std::vector<Value *> arguments;
    for (const Use *input : g.inputs) arguments.push_back(widened(b, argument(*input)));
    Value *result = b.CreateCall(callee, arguments);
    if (Instruction *output = g.output()) output->replaceAllUsesWith(narrowed(b, result, output->getType()));
    for (auto in = g.ins.rbegin(); in != g.ins.rend(); ++in) (*in)->eraseFromParent();
}

void Outliner::run() {
    fold_constants();
    demote_across_blocks();
    std::vector<std::vector<Group *>> kinds;
    std::unordered_multimap<size_t, size_t> by_hash;
    for (BasicBlock &block : f_) {
        const size_t first = groups_.size();
        group_of_.clear();
        find_groups(block);
        hand_over(first);
        for (size_t i = first; i < groups_.size(); i++) {
            Group &g = *groups_[i];
            if (shares_vectors(g)) continue;
            describe(g);
            if (g.inputs.size() > most_arguments) continue;
            const size_t hash = hash_combine_range(g.shape.begin(), g.shape.end());
            const auto [begin, end] = by_hash.equal_range(hash);
            const auto found = std::find_if(begin, end, [&](const auto &entry) {
                const Group &like = *kinds[entry.second].front();
                return like.shape == g.shape && have_same_state(like, g);
            });
            if (found == end) by_hash.emplace(hash, kinds.size()), kinds.emplace_back();
            kinds[found == end ? kinds.size() - 1 : found->second].push_back(&g);
            if (found != end) std::vector<uintptr_t>().swap(g.shape); /* one of them keeps it */
        }
    }
    for (const std::vector<Group *> &kind : kinds) {
        if (kind.size() < least_alike) continue;
        Function *callee = make(*kind.front());
        for (Group *g : kind) call(*g, callee);
    }
}

} // namespace

extern "C" void wg_outline_vectors(LLVMValueRef function) { Outliner(*unwrap<Function>(function)).run(); }
