/* One body for the four types that are computed in: as T, and R is the real type that goes with it. IMAGINARY: the number of that
 * part of a T; 0: it has none. */
#ifndef WG_BLAS_BY_TYPE_H
#define WG_BLAS_BY_TYPE_H
#define BY_TYPE(TYPE, ...)                                                                                   \
    switch (wg_blas_index(TYPE)) {                                                                           \
    case 0: BY_TYPE_BODY(float, float, __VA_ARGS__)                                                          \
    case 1: BY_TYPE_BODY(double, double, __VA_ARGS__)                                                        \
    case 2: BY_TYPE_BODY(_Complex float, float, __VA_ARGS__)                                                 \
    default: BY_TYPE_BODY(_Complex double, double, __VA_ARGS__)                                              \
    }
#define BY_TYPE_BODY(T_, R_, ...)                                                                            \
    {                                                                                                        \
        typedef T_ T;                                                                                        \
        typedef R_ R __attribute__((unused));                                                                \
        enum { IMAGINARY = sizeof(T_) != sizeof(R_) };                                                       \
        __VA_ARGS__                                                                                          \
    }                                                                                                        \
    break;
#endif
