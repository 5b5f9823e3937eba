/* For `warpglass check`: faults stay in device code where they were written. */
#ifndef WG_JIT_LLVM_AS_WRITTEN_H
#define WG_JIT_LLVM_AS_WRITTEN_H
namespace llvm {
class Function;
class Module;
class TargetTransformInfo;
} // namespace llvm
/* Before the optimiser: hides from it what it would take for undefined, or for unused. */
void wg_keep_as_written(llvm::Module &m);
/* After it: what was hidden needlessly is not any more, and copies and fills are loops with a line. */
void wg_drop_kept(llvm::Function &f, const llvm::TargetTransformInfo &target);
#endif
