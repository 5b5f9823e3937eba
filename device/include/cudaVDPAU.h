/* cudaVDPAU.h: what a program is told that includes it. */
#error "cudaVDPAU.h: VDPAU interoperability is not supported by Warpglass"
