#ifndef MEMPLAN_SOLVERS_TILES_PAIRS_H
#define MEMPLAN_SOLVERS_TILES_PAIRS_H

#include "core/random.h"
#include "solvers/tiles/tiles.h"

/* Looks for tiles that may be joined. */

enum { PAIRS_MOST_SETS = 16384 };

/* Some of the tiles that end at a border and begin together, or that begin there and end together,
   and perhaps a filler of the same steps, where the free bytes change by just its size at one of
   its ends at least. */
struct pair_set {
    uint64_t sum;
    uint64_t bits;   /* tile item[first + i] for each bit i */
    uint64_t filler; /* its size, 0 for none */
    uint32_t first;  /* into item */
    uint32_t count;  /* of its tiles */
    uint32_t rank;   /* the lesser of count and one more than how many of those steps it lacks; one
                        more with a filler */
    uint32_t other;  /* the border of its other end */
    bool is_sure;    /* the free bytes change so at both ends of the filler */
};

struct pair_side {
    struct pair_set set[PAIRS_MOST_SETS];
    uint64_t sum[PAIRS_MOST_SETS];    /* [sets] of the sets, ascending, */
    uint32_t of_sum[PAIRS_MOST_SETS]; /* [sets] and the set of each */
    uint32_t sets;
    uint32_t fewer[TILES_MOST_PARTS + 2]; /* how many sets have at most this rank */
    uint32_t *item;                       /* [items] the tiles of the side */
    uint32_t items;
    size_t room;
};

/* Zero-initialise it, but for the two. */
struct pairs {
    const struct tiles *tiles;
    uint64_t unit_bytes; /* a divisor of all sizes */
    struct random_state random;
    double noise; /* each doubt is multiplied by a number drawn from e^-noise to e^noise */
    struct pair_side side[2];
    uint64_t spare_sum[PAIRS_MOST_SETS]; /* for sorting */
    uint32_t spare_set[PAIRS_MOST_SETS];
};

/* Frees what it holds; it is not freed itself. */
void pairs_clear(struct pairs *pairs);

/* Finds the pair of least doubt at the border. The doubt is about how many pairs of sets of so few
   tiles would have the same sum by chance. O(sets log sets). */
enum status pairs_find(struct pairs *pairs, uint32_t border, struct tile_pair *pair,
                       struct error *error);

#endif
