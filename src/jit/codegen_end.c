/* exit() destroys what a library has while other threads run, and LLVM has tables that its code generator
 * needs. A program may end while another of its threads compiles, or launch a kernel in what it does at its
 * end. So the code generator's library registers nothing that is to be destroyed: this is its own, nobody
 * else sees it, and compilers call it for each object that has a destructor. The memory goes with the
 * process.
 */
int __cxa_atexit(void (*destroy)(void *), void *object, void *library);

int __cxa_atexit(void (*destroy)(void *), void *object, void *library) {
    (void)destroy, (void)object, (void)library;
    return 0;
}
