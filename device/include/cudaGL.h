/* cudaGL.h: what a program is told that includes it. */
#error                                                                                                       \
    "cudaGL.h: OpenGL interoperability in the driver API is not supported by Warpglass; the runtime API's cuda_gl_interop.h compiles"
