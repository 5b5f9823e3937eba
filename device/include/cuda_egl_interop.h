/* cuda_egl_interop.h: what a program is told that includes it. */
#error "cuda_egl_interop.h: EGL interoperability is not supported by Warpglass"
