#ifndef MEMPLAN_SOLVERS_FAMILY_VECTORS_H
#define MEMPLAN_SOLVERS_FAMILY_VECTORS_H

#include "planning/family/family.h"

/* The points of a family's box by which orientations are compared, with the sizes at each. Point 0
   is the greatest. Zero-initialise all but family. */
struct size_vectors {
    struct family *family;
    uint32_t count;
    uint64_t *point; /* [count * parameters] */
    uint64_t *size;  /* [count * buffers] */
    uint64_t *load;  /* [count] */
    size_t point_capacity, size_capacity, load_capacity;
};

/* Adds a point of the box, unless it is there already. O(segments + count). */
enum status size_vectors_add(struct size_vectors *vectors, const uint64_t *point,
                             struct error *error);
void size_vectors_free(struct size_vectors *vectors);

/* Makes the problem of the sizes at a point. It borrows all that it has from the family and the
   vectors, and lasts until these change, but *window_upper, which is NULL at first, is made for it
   where the family has a list of windows; the caller frees that. O(segments). */
enum status size_vectors_problem(const struct size_vectors *vectors, uint32_t point,
                                 struct problem *problem, uint64_t **window_upper,
                                 struct error *error);

/* How good an orientation is at these points. Of two scores the better one is less in the first
   figure in which they differ. */
struct family_score {
    uint64_t peak_bytes;       /* at the greatest point */
    struct family_ratio worst; /* of all points */
    uint32_t worst_vector;
    double sum; /* of all ratios */
};
struct family_score size_vectors_score(const struct size_vectors *vectors,
                                       const struct orientation *orientation);
/* Below 0 where a is better. worst_first: the worst ratio comes before the peak. */
int family_score_compare(const struct family_score *a, const struct family_score *b,
                         bool worst_first);

#endif
