/* A __cxa_atexit that does nothing: the code generator's library registers no destructors. exit() runs a
 * library's destructors while other threads still run, and would destroy tables that LLVM's code generator
 * needs: a program may end while another of its threads compiles, or launch a kernel from its own exit
 * handlers. Compilers call this function for each object with a destructor; it is private to the library. The
 * process's end frees the memory.
 */
int __cxa_atexit(void (*destroy)(void *), void *object, void *library);

int __cxa_atexit(void (*destroy)(void *), void *object, void *library) {
    (void)destroy, (void)object, (void)library;
    return 0;
}
