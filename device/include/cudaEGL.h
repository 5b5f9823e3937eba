/* cudaEGL.h: what a program is told that includes it. */
#error "cudaEGL.h: EGL interoperability is not supported by Warpglass"
