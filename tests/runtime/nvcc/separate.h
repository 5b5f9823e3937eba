// Device code that one file has and another calls.
#pragma once
__device__ int twice(int x);
extern __device__ int total;
extern __constant__ int offsets[4];
