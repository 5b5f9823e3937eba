/* cuda_vdpau_interop.h: what a program is told that includes it. */
#error "cuda_vdpau_interop.h: VDPAU interoperability is not supported by Warpglass"
