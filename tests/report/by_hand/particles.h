/* A structure and functions that give its fields, for filters.cu. */
#pragma once
struct Particle {
    float x, y, z, mass;
    float vx, vy, vz;
    int alive;
};
template <int AXIS> __device__ inline float &axis(Particle &p) {
    return AXIS == 0 ? p.x : AXIS == 1 ? p.y : p.z;
}
__device__ inline float pull(const Particle &p, float at) { return (at - p.x) * p.mass; }
