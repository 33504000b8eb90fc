#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_H

#include "planning/problem/conflicts.h"
#include "planning/problem/sections.h"

/* Turns ranks of buffers into the order in which to place them from the bottom up.

   Every buffer has a lowest offset: the end of the highest placed one that conflicts with it. A
   dive chooses a section by its rule, in it, of the buffers that are left and can lie lowest, the
   one of least rank, puts it there, and goes on. It never turns back. The choice by section goes
   after the steps that are hard to fill, where an order alone goes after the buffers. */

enum dive_rule {
    DIVE_FULLEST, /* the section with most bytes left to place */
    DIVE_HARDEST, /* the same, but a section counts for more the more dives have failed there */
    DIVE_LOWEST,  /* no section: of all buffers that are left */
    DIVE_RULES
};

struct dive {
    const struct problem *problem;
    const struct conflicts *conflicts;
    struct sections *sections;
    uint64_t *first;      /* [buffers + 1] into section */
    uint32_t *section;    /* the sections of each buffer, ascending */
    uint64_t *lowest;     /* [buffers] least offset above what is placed */
    bool *placed;         /* [buffers] */
    uint32_t *member;     /* as in sections, and once more all movable buffers */
    uint32_t *listed;     /* [sections + 1] how many of these may still be left to place */
    uint64_t *bytes_left; /* [sections] */
    double *factor;       /* [sections] of bytes_left, for the choice */
    uint64_t *failures;   /* [sections] of all dives */
    uint64_t most_failures;
    uint32_t failed; /* the section at which the last dive that failed did so */
};

/* *dive is NULL, with STATUS_OK, where the sections have more than DIVE_MOST_MEMBERS members. */
enum { DIVE_MOST_MEMBERS = 1 << 24 };
enum status dive_create(const struct problem *problem, const struct conflicts *conflicts,
                        struct dive **dive, struct error *error);
void dive_free(struct dive *dive); /* NULL is fine */

/* Fills order with the movable buffers, [movables], and returns the peak; UINT64_MAX as soon as it
   is sure to be above limit_bytes. rank [buffers]. Fixed buffers are left out of everything.
   O(movables * (sections
   + members of a section + conflicts of a buffer)); allocates nothing. */
uint64_t dive_order(struct dive *dive, enum dive_rule rule, const uint32_t *rank,
                    uint64_t limit_bytes, uint32_t *order);

#endif
