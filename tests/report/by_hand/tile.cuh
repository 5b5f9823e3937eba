/* A function that two files inline, for main.cu and sums.cu. */
#pragma once
template <typename T> __device__ T pick(const T *m, int row, int pitch, int column) {
    return m[row * pitch + column];
}
