#ifndef MEMPLAN_SOLVERS_FAMILY_PILE_H
#define MEMPLAN_SOLVERS_FAMILY_PILE_H

#include <assert.h>

#include "core/clones.h"
#include "core/random.h"
#include "planning/family/orientation.h"
#include "planning/problem/conflicts.h"
#include "solvers/family/vectors.h"

/* The chains of an order of the buffers at several points at once. The order says who lies below
   whom of those that conflict; the reach of a buffer from below is the end of the heaviest chain up
   to it, itself included, and from above that of the chain from the top down to it. A buffer can be
   taken out, and put back at another place of the order: only the reaches that this changes are
   found again.

   Bytes are counted in loads of their point, as doubles; alignments are left out. */
typedef double pile_lanes __attribute__((vector_size(32), aligned(8), may_alias));
enum { PILE_LANES = 4, PILE_BELOW = 0, PILE_ABOVE = 1 };

struct pile {
    struct orienter *orienter;
    const struct problem *problem;
    uint32_t width;          /* how many vectors of lanes hold a number for each point */
    pile_lanes *size;        /* [buffers * width] */
    pile_lanes *reach[2];    /* [buffers * width] from below and from above; 0 where taken out */
    uint32_t *order, *rank;  /* [buffers] the lowest first; where each stands in it */
    const uint32_t *owner;   /* [segments] the buffer of each */
    uint32_t *when;          /* [segments] its place among all, as they begin */
    uint32_t *link;          /* [2 * segments] as those of the orienter */
    uint32_t *next, *before; /* [2 * segments] the links of the same parity to the same buffer */
    uint32_t *first;         /* [2 * buffers] the first of those, for each parity */
    uint32_t most_near;      /* what conflicts with a buffer is less than this, in segments */
    uint32_t *near;          /* [nears] what conflicts with the buffer last listed, lowest first */
    uint32_t nears, below;   /* how many there are, and how many of them lie below it */
    uint64_t *mark[2];       /* a bit for each place of the order, from below or from above */
    uint32_t *changed_link, *old_link; /* [changed_links] what was changed by taking out */
    uint32_t *changed;                 /* [changes] 2 * buffer + side of the reaches changed by it*/
    pile_lanes *old_reach;             /* [changes * width] */
    uint32_t changed_links, changes;
    uint32_t most_changes;             /* where there are more, all reaches are found again */
    pile_lanes *found;                 /* [width] */
    const struct conflicts *conflicts; /* the caller's, by which pile_list_near need not look at all
                                          buffers; or NULL */
    struct scratch scratch;
};

/* The vectors must not change as long as the pile lives. O(buffers * points). */
enum status pile_create(const struct size_vectors *vectors, struct orienter *orienter,
                        struct pile *pile, struct error *error);
void pile_free(struct pile *pile);

/* Takes over an order of the buffers. As orienter_link, and O(segments * points). */
void pile_set(struct pile *pile, const uint32_t *sorted);

/* Takes all buffers out; they stand in the order by number. O(segments + buffers * points). */
void pile_clear(struct pile *pile);

/* Whether the buffer was not taken out. */
static inline bool pile_has(const struct pile *pile, uint32_t buffer)
{
    return pile->reach[PILE_BELOW][(size_t)buffer * pile->width][0] > 0;
}

/* Lists what is in and conflicts with the buffer. */
void pile_list_near(struct pile *pile, uint32_t buffer);
/* Lists what is near the buffer, and takes it out: links and reaches are as if it conflicted with
   none. */
void pile_take_out(struct pile *pile, uint32_t buffer);
/* Undoes pile_take_out: links and reaches are as before. */
void pile_put_back(struct pile *pile);
/* Puts a buffer that is out above `below` of those near it, which were listed last. */
void pile_put(struct pile *pile, uint32_t buffer, uint32_t below);
/* Puts a buffer that is out in where it stands in the order. */
void pile_return(struct pile *pile, uint32_t buffer);
/* Lets a buffer that is out stand elsewhere in the order. O(places between). */
void pile_set_rank(struct pile *pile, uint32_t buffer, uint32_t rank);

/* A walk along a heaviest chain at a point, down (PILE_BELOW) or up. */
struct pile_walk {
    uint32_t vector, side;
    struct random_state *random; /* draws one of several that are as heavy */
};
/* The one of some buffers whose reach is the greatest; ORIENTER_NONE: there are none. */
uint32_t pile_begin_chain(const struct pile *pile, const struct pile_walk *walk,
                          const uint32_t *buffer, uint32_t count);
/* The next one behind a buffer, or ORIENTER_NONE. */
uint32_t pile_follow_chain(const struct pile *pile, const struct pile_walk *walk, uint32_t buffer);

/* Raises each lane to the other's. */
static inline __attribute__((always_inline)) void pile_raise(pile_lanes *most,
                                                             const pile_lanes *other)
{
    typedef int64_t masks __attribute__((vector_size(32), aligned(8), may_alias));
    masks greater = *most > *other;
    *most = (pile_lanes)(((masks)*most & greater) | ((masks)*other & ~greater));
}

#endif
