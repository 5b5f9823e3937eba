/* cudaEGLTypedefs.h: what a program is told that includes it. */
#error "cudaEGLTypedefs.h: EGL interoperability is not supported by Warpglass"
