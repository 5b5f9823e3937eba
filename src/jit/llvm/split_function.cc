/* Function splitting. See split_function.h. In C++, because LLVM's C API cannot take a function apart. */
#include "jit/llvm/split_function.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <string>
#include <vector>

using namespace llvm;

namespace {

constexpr double least_work = 1500;     /* host instructions: less is compiled in 50 ms as it is */
constexpr double least_share = 0.28;    /* of the code, on either side of the split point */
constexpr double most_overhead = 0.01;  /* of what runs */
constexpr double most_of_long = 0.1;    /* the same, where a function is longer than most_in_one */
constexpr double lane_cost = 3;         /* of a gather: an access, at two vector instructions a cycle */
constexpr double call_cost = 12;        /* for a call, its return and the branch after it */
constexpr double most_added = 0.2;      /* of such a function's instructions, to pass live values */
constexpr double most_left = 0.95;      /* of them, in either part then: or splitting does not terminate */
constexpr unsigned most_in_one = 12000; /* instructions: register allocation is quadratic in them */
constexpr size_t most_places = 32;      /* that are evaluated */
constexpr double care = 4;              /* weight of run time against compile time */

/* Roughly the number of host instructions; the compile time is proportional to it. */
double work_of(const Instruction &in) {
    if (isa<PHINode>(in)) return 1;
    uint64_t most = 0;
    if (const auto *v = dyn_cast<FixedVectorType>(in.getType()))
        most = v->getNumElements() * v->getScalarSizeInBits();
    for (const Value *operand : in.operands())
        if (const auto *v = dyn_cast<FixedVectorType>(operand->getType()))
            most = std::max<uint64_t>(most, v->getNumElements() * v->getScalarSizeInBits());
    return most <= 512 ? 1 : double(most) / 512;
}

/* The same for the run time, where each lane of a gather or scatter counts. */
double run_of(const Instruction &in) {
    const double work = work_of(in);
    const auto *call = dyn_cast<CallInst>(&in);
    const Function *f = call ? call->getCalledFunction() : nullptr;
    if (!f || !f->isIntrinsic()) return work;
    if (!f->getName().contains(".gather") && !f->getName().contains(".scatter")) return work;
    unsigned lanes = 0;
    for (const Value *x : call->args())
        if (const auto *v = dyn_cast<FixedVectorType>(x->getType()))
            lanes = std::max(lanes, v->getNumElements());
    return work + lane_cost * lanes;
}

/* The cost of a store and a load of it, in vector instructions: those are most of the code. */
double cost_of(const Type *type) {
    const auto *v = dyn_cast<FixedVectorType>(type);
    if (!v) return 0.75;
    const double bits = double(v->getNumElements()) * v->getScalarSizeInBits();
    return v->getScalarSizeInBits() == 1 ? 4 : 2 * std::max(1.0, bits / 512);
}

/* Rematerializing costs less than passing it, if its operands are available. */
bool is_cheap(const Instruction &in) {
    if (in.isIntDivRem()) return false;
    if (isa<BitCastInst>(in) && !in.getOperand(0)->getType()->isVectorTy()) return true; /* a mask */
    if (isa<GetElementPtrInst>(in) || isa<CastInst>(in) || isa<BinaryOperator>(in) || isa<CmpInst>(in))
        return !in.getType()->isVectorTy() || isa<SExtInst>(in) || isa<ZExtInst>(in);
    if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(&in)) return shuffle->isZeroEltSplat();
    return isa<InsertElementInst>(in) && isa<PoisonValue>(in.getOperand(0));
}

/* The live-in values of the code after a split point. */
struct Inputs {
    SetVector<Value *> handed;
    std::vector<Instruction *> remade; /* rematerialized, in this order */
};

class Chooser {
  public:
    explicit Chooser(const SetVector<Value *> &wanted) : wanted_(wanted) {}
    Inputs choose();

  private:
    static constexpr unsigned most_depth = 6;
    bool remake(Value *x, unsigned depth);
    void find_missing(Value *x, unsigned depth, SmallPtrSetImpl<Value *> &to) const;
    void hand_over_roots();
    const SetVector<Value *> &wanted_;
    DenseMap<Value *, bool> known_; /* available: passed or rematerialized */
    Inputs out_;
};

bool Chooser::remake(Value *x, unsigned depth) {
    if (isa<Constant>(x)) return true;
    const auto found = known_.find(x);
    if (found != known_.end()) return found->second;
    auto *in = dyn_cast<Instruction>(x);
    if (!in || depth == 0 || !is_cheap(*in)) return false;
    for (Value *operand : in->operands())
        if (!remake(operand, depth - 1)) return false;
    out_.remade.push_back(in);
    return known_[x] = true;
}

/* The operands that are missing for rematerializing it. */
void Chooser::find_missing(Value *x, unsigned depth, SmallPtrSetImpl<Value *> &to) const {
    if (isa<Constant>(x) || known_.contains(x) || to.size() > 1) return;
    const auto *in = dyn_cast<Instruction>(x);
    if (!in || depth == 0 || !is_cheap(*in)) {
        to.insert(x);
        return;
    }
    for (Value *operand : in->operands()) find_missing(operand, depth - 1, to);
}

/* Passes one base value in place of all that is derived from it: rows of a tile are at constant offsets. */
void Chooser::hand_over_roots() {
    MapVector<Value *, unsigned> serves;
    for (Value *x : wanted_) {
        SmallPtrSet<Value *, 2> missing;
        find_missing(x, most_depth, missing);
        if (missing.size() == 1 && !(*missing.begin())->getType()->isVectorTy()) serves[*missing.begin()]++;
    }
    for (const auto &[root, n] : serves) {
        if (n < 2) continue;
        out_.handed.insert(root);
        known_[root] = true;
    }
}

Inputs Chooser::choose() {
    for (Value *x : wanted_) {
        auto *in = dyn_cast<Instruction>(x);
        if (in && is_cheap(*in)) continue;
        out_.handed.insert(x);
        known_[x] = true;
    }
    hand_over_roots();
    for (Value *x : wanted_) {
        if (remake(x, most_depth)) continue;
        out_.handed.insert(x);
        known_[x] = true;
    }
    return std::move(out_);
}

/* The code after a split point, as a range of numbers: see Finder. */
struct Place {
    uint32_t from = 0, to = 0; /* from == to: none */
    double score = 1;          /* the larger part's share, and the cost */
    bool has(uint32_t x) const { return x >= from && x < to; }
};

/* The cost of passing live values at a split point. */
struct Toll {
    double share = 1; /* of what runs */
    size_t added = 0; /* instructions, in both parts */
};

/* Instructions are numbered in preorder of the dominator tree, so that the code that a split point dominates
 * is a range of numbers. */
class Finder {
  public:
    explicit Finder(Function &f);
    Place best() const;
    Instruction *at(uint32_t number) const { return cast<Instruction>(values_[number]); }
    Inputs inputs(const Place &place) const;
    DominatorTree &dominators() { return dominators_; }

  private:
    void number(Function &f);
    std::vector<Place> places() const;
    Toll toll(const Place &place) const;
    bool grows_too_much(const Place &place, const Toll &toll) const;

    DominatorTree dominators_;
    LoopInfo loops_;
    BranchProbabilityInfo probabilities_;
    BlockFrequencyInfo frequencies_;
    std::vector<Value *> values_;                        /* [number] instructions, then arguments */
    std::vector<double> before_;                         /* [number] the work of all before it */
    std::vector<std::pair<uint32_t, uint32_t>> uses_;    /* a value, and an instruction that uses it */
    std::vector<std::pair<uint32_t, uint32_t>> regions_; /* of blocks, the first one's left out */
    double runs_ = 0;
    uint32_t count_ = 0; /* instructions */
    double most_ = most_overhead;
};

Finder::Finder(Function &f)
    : dominators_(f), loops_(dominators_), probabilities_(f, loops_),
      frequencies_(f, probabilities_, loops_) {
    number(f);
    if (count_ > most_in_one) most_ = most_of_long;
    before_.push_back(0);
    for (Value *x : values_) {
        const auto *in = dyn_cast<Instruction>(x);
        if (!in) break;
        before_.push_back(before_.back() + work_of(*in));
        runs_ += run_of(*in) * double(frequencies_.getBlockFreq(in->getParent()).getFrequency());
    }
}

void Finder::number(Function &f) {
    DenseMap<const Value *, uint32_t> numbers;
    const auto add = [&](Value *x) {
        numbers[x] = uint32_t(values_.size());
        values_.push_back(x);
    };
    DenseMap<const BasicBlock *, uint32_t> first;
    for (auto *node : depth_first(&dominators_)) {
        first[node->getBlock()] = uint32_t(values_.size());
        for (Instruction &in : *node->getBlock()) add(&in);
    }
    count_ = uint32_t(values_.size());
    DenseMap<const BasicBlock *, uint32_t> last;
    for (auto *node : post_order(&dominators_)) {
        const BasicBlock *block = node->getBlock();
        uint32_t end = first[block] + uint32_t(block->size());
        for (auto *child : node->children()) end = std::max(end, last[child->getBlock()]);
        last[block] = end;
        if (block != &f.getEntryBlock()) regions_.emplace_back(first[block], end);
    }
    for (Argument &argument : f.args()) add(&argument);
    for (uint32_t use = 0; use < count_; use++)
        for (const Value *operand : at(use)->operands()) {
            const auto def = numbers.find(operand);
            if (def != numbers.end()) uses_.emplace_back(def->second, use);
        }
}

/* Candidates: in each block the first instruction, and the one with about as much code on either side. */
std::vector<Place> Finder::places() const {
    std::vector<Place> list;
    const double total = before_.back();
    for (const auto &[first, end] : regions_) {
        const BasicBlock *block = at(first)->getParent();
        Place begin, middle;
        for (uint32_t from = first; from < end && at(from)->getParent() == block; from++) {
            if (isa<PHINode>(at(from))) continue;
            const double share = (before_[end] - before_[from]) / total;
            const Place place{from, end, std::max(share, 1 - share)};
            if (begin.from == begin.to) begin = place;
            if (place.score < middle.score) middle = place;
        }
        for (const Place &place : {begin, middle})
            if (place.score <= 1 - least_share) list.push_back(place);
    }
    sort(list, [](const Place &a, const Place &b) {
        return a.score != b.score ? a.score < b.score : a.from < b.from;
    });
    if (list.size() > most_places) list.resize(most_places);
    return list;
}

Inputs Finder::inputs(const Place &place) const {
    SetVector<Value *> wanted;
    for (const auto &[def, use] : uses_)
        if (place.has(use) && !place.has(def)) wanted.insert(values_[def]);
    return Chooser(wanted).choose();
}

Toll Finder::toll(const Place &place) const {
    const double once = double(frequencies_.getBlockFreq(at(place.from)->getParent()).getFrequency()) / runs_;
    double cost = call_cost;
    if (cost * once > most_) return {};
    const Inputs in = inputs(place);
    for (const Value *x : in.handed) cost += cost_of(x->getType());
    for (const Instruction *x : in.remade) cost += work_of(*x) / (x->getType()->isVectorTy() ? 1 : 2);
    DenseSet<uint32_t> out;
    for (const auto &[def, use] : uses_)
        if (place.has(def) && !place.has(use) && out.insert(def).second) cost += cost_of(at(def)->getType());
    return {cost * once, 2 * (in.handed.size() + out.size()) + in.remade.size()};
}

/* For repeated splitting: passing live values is code, too. 500 loops in a row share 2,000 values, and parts
 * became no shorter than what they were parts of. */
bool Finder::grows_too_much(const Place &place, const Toll &toll) const {
    const uint32_t part = place.to - place.from, larger = std::max(part, count_ - part);
    return double(toll.added) > most_added * count_ || double(larger + toll.added) > most_left * count_;
}

Place Finder::best() const {
    Place best;
    if (before_.back() < least_work) return best;
    for (Place place : places()) {
        if (place.score >= best.score) break;
        const Toll more = toll(place);
        if (count_ > most_in_one && grows_too_much(place, more)) continue;
        place.score += care * more.share;
        if (more.share <= most_ && place.score < best.score) best = place;
    }
    return best;
}

/* Rematerializes inputs at the start of the split-off code, and rewrites its uses. */
void remake_inputs(const Finder &finder, const Place &place) {
    DenseMap<Value *, Instruction *> made;
    const auto use_made = [&](Instruction *x) {
        for (Use &operand : x->operands())
            if (Instruction *y = made.lookup(operand.get())) operand.set(y);
    };
    for (Instruction *x : finder.inputs(place).remade) {
        Instruction *copy = x->clone();
        use_made(copy);
        copy->insertBefore(finder.at(place.from));
        made[x] = copy;
    }
    for (uint32_t x = place.from; x < place.to; x++) use_made(finder.at(x));
}

/* Puts musttail calls into blocks of their own: they cannot move to another function. */
void set_calls_apart(Function &f) {
    std::vector<CallInst *> calls;
    for (BasicBlock &block : f)
        if (CallInst *call = block.getTerminatingMustTailCall()) calls.push_back(call);
    for (CallInst *call : calls) SplitBlock(call->getParent(), call);
}

class Mover {
  public:
    Mover(Module &to, std::string name) : to_(to), name_(std::move(name)) {}
    void move(Function *f);
    void finish();

  private:
    void meet(Value *x);
    void meet_global(GlobalVariable *g);
    void meet_function(Function *f);

    Module &to_;
    std::string name_;
    ValueToValueMapTy map_;
    DenseSet<const Value *> met_;
    std::vector<Function *> moved_;
};

void Mover::meet_global(GlobalVariable *g) {
    auto *copy = new GlobalVariable(to_, g->getValueType(), g->isConstant(), GlobalValue::PrivateLinkage,
                                    g->getInitializer(), g->getName());
    copy->setAlignment(g->getAlign());
    copy->setUnnamedAddr(g->getUnnamedAddr());
    map_[g] = copy;
}

void Mover::meet_function(Function *f) {
    if (!f->isDeclaration()) {
        f->setLinkage(GlobalValue::ExternalLinkage);
        if (!f->getName().starts_with("wg")) f->setName(name_ + "." + f->getName());
    }
    Function *declared =
        Function::Create(f->getFunctionType(), GlobalValue::ExternalLinkage, f->getName(), to_);
    declared->copyAttributesFrom(f);
    map_[f] = declared;
}

void Mover::meet(Value *x) {
    if (!isa<Constant>(x) || !met_.insert(x).second) return;
    if (auto *g = dyn_cast<GlobalVariable>(x)) return meet_global(g);
    if (auto *f = dyn_cast<Function>(x)) return meet_function(f);
    for (Value *operand : cast<Constant>(x)->operands()) meet(operand);
}

void Mover::move(Function *f) {
    f->removeFromParent();
    to_.getFunctionList().push_back(f);
    moved_.push_back(f);
    for (BasicBlock &block : *f)
        for (Instruction &in : block)
            for (Value *operand : in.operands()) meet(operand);
}

void Mover::finish() {
    for (Function *f : moved_) RemapFunction(*f, map_, RF_IgnoreMissingLocals);
}

/* Outlines the code after the best split point into a function that is called there; nullptr: there is none.
 */
Function *take_apart(Function &f) {
    set_calls_apart(f);
    SmallVector<BasicBlock *, 32> region;
    {
        Finder finder(f);
        const Place place = finder.best();
        if (place.from == place.to) return nullptr;
        Instruction *at = finder.at(place.from);
        BasicBlock *first = SplitBlock(at->getParent(), at, &finder.dominators());
        finder.dominators().getDescendants(first, region);
        erase_if(region, [](BasicBlock *block) { return block->getTerminatingMustTailCall() != nullptr; });
        remake_inputs(finder, place);
    }
    DominatorTree dominators(f);
    CodeExtractor extractor(region, &dominators);
    if (!extractor.isEligible()) return nullptr;
    const CodeExtractorAnalysisCache cache(f);
    Function *part = extractor.extractCodeRegion(cache);
    if (part && f.hasFnAttribute(Attribute::StackAlignment))
        part->addFnAttr(f.getFnAttribute(Attribute::StackAlignment));
    return part;
}

} // namespace

extern "C" LLVMModuleRef wg_split_function(LLVMValueRef function, const char *name) {
    Function &f = *unwrap<Function>(function);
    Module &m = *f.getParent();
    Function *part = take_apart(f);
    if (!part) return nullptr;
    part->setName(name);
    part->setLinkage(GlobalValue::ExternalLinkage);
    auto *to = new Module("warpglass", m.getContext());
    to->setDataLayout(m.getDataLayout());
    to->setTargetTriple(m.getTargetTriple());
    Function *declared = Function::Create(part->getFunctionType(), GlobalValue::ExternalLinkage, "", m);
    declared->copyAttributesFrom(part);
    part->replaceAllUsesWith(declared);
    Mover mover(*to, name);
    mover.move(part);
    mover.finish();
    declared->setName(name);
    return wrap(to);
}

extern "C" void wg_split_long_functions(LLVMModuleRef module) {
    std::vector<Function *> due;
    for (Function &f : *unwrap(module)) due.push_back(&f);
    while (!due.empty()) {
        Function *f = due.back();
        due.pop_back();
        while (f->getInstructionCount() > most_in_one) {
            Function *part = take_apart(*f);
            if (!part) break;
            part->setLinkage(GlobalValue::InternalLinkage);
            due.push_back(part);
        }
    }
}
