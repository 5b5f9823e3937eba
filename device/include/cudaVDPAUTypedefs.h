/* cudaVDPAUTypedefs.h: what a program is told that includes it. */
#error "cudaVDPAUTypedefs.h: VDPAU interoperability is not supported by Warpglass"
