#ifndef MEMPLAN_SOLVERS_MIP_MODEL_PAIRS_H
#define MEMPLAN_SOLVERS_MIP_MODEL_PAIRS_H

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

/* A segment, whose window it is, and its buffer. */
struct mip_window {
    uint32_t buffer, segment;
};

/* Number of ordered pairs of members over all sections: entries of the clique rows. O(sections). */
uint64_t mip_pairs_entries(const struct sections *sections);

/* Fills pair and count; problem and scale are given. The caller frees pair, also after an error.
   O(entries log entries). */
enum status mip_pairs_collect(struct mip_pairs *pairs, const struct sections *sections,
                              struct error *error);

/* Index of the pair that two windows make, which must be live together, and whether one's buffer is
   the pair's first. O(log pairs). */
uint32_t mip_pairs_find(const struct mip_pairs *pairs, struct mip_window one,
                        struct mip_window other, bool *one_is_first);

#endif
