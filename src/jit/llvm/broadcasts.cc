/* Load sinking for broadcasts. See broadcasts.h. In C++, because LLVM's C API knows no predecessors. */
#include "jit/llvm/broadcasts.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

using namespace llvm;

namespace {

constexpr int most_blocks = 4; /* that a load is sunk across */

bool may_write(const Instruction &in) {
    const auto *call = dyn_cast<IntrinsicInst>(&in);
    return in.mayWriteToMemory() && !(call && call->getIntrinsicID() == Intrinsic::prefetch);
}

bool writes(BasicBlock::const_iterator from, BasicBlock::const_iterator to) {
    while (from != to)
        if (may_write(*from++)) return true;
    return false;
}

/* The block that broadcasts it, if it is not the load's own and there is no other use. */
BasicBlock *wanted_in(const LoadInst &load) {
    BasicBlock *only = nullptr;
    for (const User *user : load.users()) {
        const auto *insert = dyn_cast<InsertElementInst>(user);
        if (!insert || insert->getOperand(1) != &load || (only && only != insert->getParent()))
            return nullptr;
        only = const_cast<BasicBlock *>(insert->getParent());
    }
    return only == load.getParent() ? nullptr : only;
}

/* The first use in the block, if the load may be sunk to there. */
Instruction *place_for(const LoadInst &load, BasicBlock &block) {
    auto first = block.begin();
    while (!is_contained(first->operands(), &load)) ++first;
    if (writes(block.begin(), first)) return nullptr;
    const BasicBlock *up = block.getUniquePredecessor();
    for (int n = 1; up && up != load.getParent(); n++) {
        if (n == most_blocks || writes(up->begin(), up->end())) return nullptr;
        up = up->getUniquePredecessor();
    }
    if (!up || writes(load.getIterator(), up->end())) return nullptr;
    return &*first;
}

} // namespace

extern "C" void wg_sink_broadcasts(LLVMValueRef function) {
    std::vector<LoadInst *> loads;
    for (BasicBlock &block : *unwrap<Function>(function))
        for (Instruction &in : block)
            if (auto *load = dyn_cast<LoadInst>(&in))
                if (load->isSimple() && !load->getType()->isVectorTy()) loads.push_back(load);
    for (LoadInst *load : loads) {
        BasicBlock *block = wanted_in(*load);
        Instruction *place = block ? place_for(*load, *block) : nullptr;
        if (place) load->moveBefore(place);
    }
}
