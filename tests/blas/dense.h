/* Matrices as mathematics has them, to compare cuBLAS with: complex numbers in double precision, and the ways in which BLAS keeps
 * them in memory. What a function must not read is not a number; what it must not write is compared bit by bit.
 */
#ifndef WG_TESTS_BLAS_DENSE_H
#define WG_TESTS_BLAS_DENSE_H
#include <complex.h>
#include <cublas_v2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef _Complex double number;
enum { MOST = 24 };
struct dense {
    int64_t rows, columns;
    number at[MOST][MOST]; /* [row][column] */
};

enum kept { FULL, LOWER, UPPER, BAND, LOWER_BAND, UPPER_BAND, LOWER_PACKED, UPPER_PACKED, VECTOR };
/* A matrix in memory. */
struct stored {
    enum kept kept;
    cudaDataType type;
    int64_t rows, columns, ld; /* a vector: rows, and the distance of its elements, maybe backwards */
    int64_t below, above;      /* a band's diagonals */
    bool unit;                 /* a triangle, whose diagonal counts as ones */
    size_t bytes;
    char *at;     /* the device's */
    char *before; /* as it was */
};

void dense_seed(uint64_t seed);
number dense_random(cudaDataType type);
/* Memory for it, filled at random, and with what is not a number where nothing belongs to it. */
struct stored stored_new(enum kept kept, cudaDataType type, int64_t rows, int64_t columns, int64_t ld,
                         int64_t below, int64_t above);
void stored_free(struct stored *s);
/* What belongs to it becomes not a number, too. */
void stored_spoil(struct stored *s);
/* Its elements; those of a triangle or band that are not there are 0. */
struct dense dense_of(const struct stored *s);
/* The other half of a triangle. hermitian: conjugated, and the diagonal is real. */
struct dense dense_symmetric(const struct stored *s, bool hermitian);
struct dense dense_op(const struct dense *a, cublasOperation_t op);
struct dense dense_product(const struct dense *a, const struct dense *b);
/* alpha a + beta b; of what is multiplied with 0 nothing is taken. */
struct dense dense_sum(number alpha, const struct dense *a, number beta, const struct dense *b);
/* Compares with what is in memory now, and that nothing else is changed. `what`: for messages. */
void dense_compare(const struct stored *s, const struct dense *wanted, const char *what);
/* The same bits as before. */
void stored_unchanged(const struct stored *s, const char *what);
number element_get(const void *p, cudaDataType type);
void element_put(void *p, cudaDataType type, number x);
size_t element_bytes(cudaDataType type);
bool type_is_complex(cudaDataType type);
double type_precision(cudaDataType type);

/* The function of one type: arguments are pointers to void, which C takes for any. */
#define CALL4(TYPE, NAME, ...)                                                                               \
    ((TYPE) == CUDA_R_32F   ? cublasS##NAME(__VA_ARGS__)                                                     \
     : (TYPE) == CUDA_R_64F ? cublasD##NAME(__VA_ARGS__)                                                     \
     : (TYPE) == CUDA_C_32F ? cublasC##NAME(__VA_ARGS__)                                                     \
                            : cublasZ##NAME(__VA_ARGS__))
#define CALL2(TYPE, REAL, COMPLEX, ...)                                                                      \
    ((TYPE) == CUDA_R_32F   ? cublasS##REAL(__VA_ARGS__)                                                     \
     : (TYPE) == CUDA_R_64F ? cublasD##REAL(__VA_ARGS__)                                                     \
     : (TYPE) == CUDA_C_32F ? cublasC##COMPLEX(__VA_ARGS__)                                                  \
                            : cublasZ##COMPLEX(__VA_ARGS__))
#endif
