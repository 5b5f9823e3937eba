/* See left_out.h. In C++, because LLVM's C API has no word for either. */
#include "jit/left_out.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>

#include <algorithm>
#include <vector>

using namespace llvm;

namespace {

/* Asked before each pass that may be left out. */
class Gate final : public OptPassGate {
  public:
    explicit Gate(uint32_t without) : without_(without) {}
    bool isEnabled() const override { return true; }
    bool shouldRunPass(const StringRef pass, StringRef) override {
        if (pass == "Machine Instruction Scheduler") return !(without_ & WG_PASS_SCHEDULER);
        if (pass == "Loop Strength Reduction") return !(without_ & WG_PASS_LOOP_REDUCE);
        if (pass == "Early Machine Loop Invariant Code Motion") return !(without_ & WG_PASS_HOIST);
        if (pass == "X86 Domain Reassignment Pass") return !(without_ & WG_PASS_DOMAINS);
        return true;
    }

  private:
    uint32_t without_;
};

class Liveness {
  public:
    Liveness(const Function &f, uint32_t vector_bits);
    uint32_t most() const { return most_; }

  private:
    uint32_t registers(const Type *type) const;
    BitVector at_end(const BasicBlock &block) const;
    BitVector at_start(const BasicBlock &block);
    uint32_t vector_bits_, most_ = 0;
    DenseMap<const Value *, uint32_t> index_;
    std::vector<uint32_t> width_; /* [value] in registers */
    DenseMap<const BasicBlock *, BitVector> in_;
};

/* Masks have registers of their own. */
uint32_t Liveness::registers(const Type *type) const {
    if (type->isFloatingPointTy()) return 1;
    const auto *v = dyn_cast<FixedVectorType>(type);
    if (!v || v->getScalarSizeInBits() == 1) return 0;
    return (v->getNumElements() * v->getScalarSizeInBits() + vector_bits_ - 1) / vector_bits_;
}

BitVector Liveness::at_end(const BasicBlock &block) const {
    BitVector live(width_.size());
    for (const BasicBlock *to : successors(&block)) {
        live |= in_.find(to)->second;
        for (const PHINode &phi : to->phis()) {
            const auto x = index_.find(phi.getIncomingValueForBlock(&block));
            if (x != index_.end()) live.set(x->second);
        }
    }
    return live;
}

BitVector Liveness::at_start(const BasicBlock &block) {
    BitVector live = at_end(block);
    uint32_t now = 0;
    for (const uint32_t x : live.set_bits()) now += width_[x];
    most_ = std::max(most_, now);
    for (const Instruction &in : reverse(block)) {
        const auto def = index_.find(&in);
        if (def != index_.end() && live.test(def->second)) {
            live.reset(def->second);
            now -= width_[def->second];
        }
        if (isa<PHINode>(in)) continue;
        for (const Value *operand : in.operands()) {
            const auto use = index_.find(operand);
            if (use == index_.end() || live.test(use->second)) continue;
            live.set(use->second);
            now += width_[use->second];
        }
        most_ = std::max(most_, now);
    }
    return live;
}

Liveness::Liveness(const Function &f, uint32_t vector_bits) : vector_bits_(vector_bits) {
    for (const BasicBlock &block : f)
        for (const Instruction &in : block)
            if (const uint32_t width = registers(in.getType())) {
                index_[&in] = width_.size();
                width_.push_back(width);
            }
    for (const BasicBlock &block : f) in_[&block] = BitVector(width_.size());
    const std::vector<const BasicBlock *> order(po_begin(&f.getEntryBlock()), po_end(&f.getEntryBlock()));
    for (bool grew = true; grew;) {
        grew = false;
        for (const BasicBlock *block : order) {
            BitVector live = at_start(*block);
            if (live == in_[block]) continue;
            in_[block] = std::move(live);
            grew = true;
        }
    }
}

} // namespace

extern "C" uint32_t wg_vectors_alive(LLVMValueRef function, uint32_t vector_bits) {
    return Liveness(*unwrap<Function>(function), vector_bits).most();
}

extern "C" uint32_t wg_instructions_in(LLVMModuleRef module) { return unwrap(module)->getInstructionCount(); }

extern "C" void wg_leave_out(LLVMContextRef context, uint32_t passes) {
    static Gate gates[] = {Gate(0), Gate(1), Gate(2),  Gate(3),  Gate(4),  Gate(5),  Gate(6),  Gate(7),
                           Gate(8), Gate(9), Gate(10), Gate(11), Gate(12), Gate(13), Gate(14), Gate(15)};
    unwrap(context)->setOptPassGate(gates[passes & 15]);
}
