#ifndef MEMPLAN_SOLVERS_MIP_MODEL_MODEL_H
#define MEMPLAN_SOLVERS_MIP_MODEL_MODEL_H

#include "core/error.h"
#include "planning/problem/sections.h"

/* Two windows of different buffers that are live together; one of them lies below the other. */
struct mip_pair {
    uint32_t first, second;                                        /* buffers, first < second */
    uint64_t first_lower, first_upper, second_lower, second_upper; /* windows, scaled bytes */
};

/* All distinct pairs of a problem. */
struct mip_pairs {
    const struct problem *problem;
    uint64_t scale; /* bytes */
    uint32_t count;
    struct mip_pair *pair; /* [count] sorted */
};

/* The integer program whose optimum is the least peak. It has no solver's own form, so that all
   solvers and file formats get the same program.

   Columns: 0 the peak; 1 + b the offset of buffer b; then for each distinct pair of windows that
   are live together one binary, 1 when the first lies below the second; then, for each buffer whose
   alignment is above 1 after scaling, the number by which the alignment is multiplied. All bytes
   are divided by scale, the greatest common divisor of all of them.

   Rows say: sum of coefficient * column >= bound. With U the upper end of the peak (the start's
   peak or the capacity), windows [l, h) of buffers a and b, and z their binary:

     offset b + l_b >= offset a + h_a - M (1 - z)    and the other way round; M no larger than U
     peak >= offset b + size b
     clique rows, for each section and member i (no M in them):
       offset i + l_i >= sum over the others of their bytes where they lie below i
       peak >= offset i + h_i + sum over the others of their bytes where they lie above i

   Where nothing is fixed, aligned or windowed, the mirror image of a plan is a plan too; then one
   binary is fixed. docs/exact.md has the measurements behind the clique rows. */
struct mip_model {
    const struct problem *problem;
    uint64_t scale;        /* bytes */
    uint64_t bound, upper; /* of the peak, scaled bytes */
    uint32_t columns, rows;
    struct mip_pairs pairs;
    uint32_t first_pair; /* column of pair 0 */
    bool *integer;       /* [columns] */
    double *column_lower, *column_upper;
    uint64_t *row_first;  /* [rows + 1] */
    double *row_bound;    /* [rows] */
    uint32_t *row_column; /* [row_first[rows]] */
    double *row_value;
    uint32_t mirror_pair; /* fixed to 1, or UINT32_MAX */
    size_t row_capacity[2], value_capacity[2];
};

/* A model with more row entries than this is not built, since it is too large for any solver
   here. */
#define MIP_MOST_ENTRIES 4000000u

/* The offset of the buffer is a multiple of this number of units; more than 1 where it needs a
 * column. */
uint64_t mip_model_factor(const struct mip_model *model, uint32_t buffer);

/* upper_bytes: no plan above it is looked for; at least bound_peak. *model is NULL, with STATUS_OK,
   when the model would have more than MIP_MOST_ENTRIES entries. O(entries log entries). */
enum status mip_model_create(const struct problem *problem, uint64_t upper_bytes,
                             struct mip_model **model, struct error *error);
void mip_model_free(struct mip_model *model); /* NULL is fine */
SCOPED_POINTER(struct mip_model, mip_model_release, mip_model_free);

#endif
