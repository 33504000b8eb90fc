#ifndef MEMPLAN_SOLVERS_MIP_MODEL_PAIRS_H
#define MEMPLAN_SOLVERS_MIP_MODEL_PAIRS_H

#include "planning/problem/sections.h"

/* Two windows of different buffers that are live together; one of them lies below the other. */
struct mip_pair {
    uint32_t first, second;                                        /* buffers, first < second */
    uint64_t first_lower, first_upper, second_lower, second_upper; /* windows, scaled bytes */
};

/* What is known of a pair in all plans that are searched for. */
enum mip_direction { MIP_OPEN, MIP_FIRST_BELOW, MIP_SECOND_BELOW };

/* All distinct pairs of a problem, and between which offsets each buffer lies. */
struct mip_pairs {
    const struct problem *problem;
    const struct sections *sections;
    uint64_t scale; /* bytes */
    uint32_t count;
    struct mip_pair *pair;    /* [count] sorted */
    uint32_t *of_members;     /* pairs of the members of each section; mip_pairs_at reads them */
    uint64_t *first_of;       /* [members] where those of a member are, less its own place */
    unsigned char *direction; /* [count] of mip_direction */
    int64_t *lowest,
        *highest;         /* [buffers] offsets, scaled bytes; highest + size is at most upper */
    uint64_t round;       /* counts up; changes of boxes and directions are marked with it */
    uint64_t *changed;    /* [buffers] the round in which its box, or the direction of one of its
                             pairs, changed last */
    uint64_t work;        /* what conclusions have looked at, in pairs */
    uint32_t *twin;       /* [buffers] the first of the buffers that equal it; itself for none */
    uint32_t mirror_pair; /* first below second, in one of a plan and its mirror image; or
                             UINT32_MAX */
};

/* A window of a buffer, in scaled bytes. */
struct mip_window {
    uint32_t buffer;
    uint64_t lower, upper;
};
/* The window of a section's member. */
struct mip_window mip_section_window(const struct mip_pairs *pairs, uint64_t member);

/* Ordered pairs of members over all sections: the entries of clique rows. */
uint64_t mip_count_members(const struct sections *sections);

/* Fills pair, count and the pairs of members; problem, sections and scale are given. O(members log
   members). */
enum status mip_pairs_collect(struct mip_pairs *pairs, struct error *error);
void mip_pairs_clear(struct mip_pairs *pairs);

/* The offset of the buffer is a multiple of this number of units. */
uint64_t mip_pairs_factor(const struct mip_pairs *pairs, uint32_t buffer);

/* Sets boxes, twins, the mirrored pair and directions. upper is the most a peak may be; switches
   are of mip_switch. O(buffers^2 + pairs). */
enum status mip_pairs_settle(struct mip_pairs *pairs, uint64_t upper, unsigned switches,
                             struct error *error);

/* Makes *copy the same pairs with boxes and directions of its own. mip_pairs_copy_free frees these,
   also after an error; all else stays that of `pairs`. */
enum status mip_pairs_copy(const struct mip_pairs *pairs, struct mip_pairs *copy,
                           struct error *error);
void mip_pairs_copy_free(struct mip_pairs *copy);
/* Gives a copy the boxes and directions of the pairs, or of another copy, as ones from which all
   conclusions are drawn. */
void mip_pairs_restore(const struct mip_pairs *pairs, struct mip_pairs *copy);

/* Draws once, for each pair of a buffer that has changed in round `since` or later, what its boxes
   say of its direction, and that of its boxes. Returns whether anything changed. */
bool mip_pairs_conclude(struct mip_pairs *pairs, uint64_t since, bool *is_infeasible);
/* Narrows the box of a buffer to offsets between two numbers. Returns whether that changed it. */
bool mip_pairs_narrow(struct mip_pairs *pairs, uint32_t buffer, int64_t least, int64_t most);
/* Sets the direction of a pair. Returns whether that changed it. */
bool mip_pairs_direct(struct mip_pairs *pairs, uint32_t pair, enum mip_direction direction);

/* The pair of two members of one section, the first of which is the one with the lower number. */
static inline uint32_t mip_pairs_at(const struct mip_pairs *pairs, uint64_t one, uint64_t other)
{
    return pairs
        ->of_members[one < other ? pairs->first_of[one] + other : pairs->first_of[other] + one];
}

/* How far the first has to lie below the second, and the second below the first, in offsets. */
static inline int64_t mip_first_below(const struct mip_pair *pair)
{
    return (int64_t)pair->first_upper - (int64_t)pair->second_lower;
}
static inline int64_t mip_second_below(const struct mip_pair *pair)
{
    return (int64_t)pair->second_upper - (int64_t)pair->first_lower;
}

#endif
