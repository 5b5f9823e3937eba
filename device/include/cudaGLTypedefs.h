/* cudaGLTypedefs.h: what a program is told that includes it. */
#error "cudaGLTypedefs.h: OpenGL interoperability in the driver API is not supported by Warpglass"
