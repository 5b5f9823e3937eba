/* Says which structures have padding, for `warpglass check`: see base/record.h. */
#ifndef WG_JIT_LLVM_RECORDS_H
#define WG_JIT_LLVM_RECORDS_H
namespace llvm {
class Module;
}
/* Declares a function for each structure of the module that has padding, in its assembly. */
void wg_say_records(llvm::Module &m);
#endif
