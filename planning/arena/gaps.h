#ifndef MEMPLAN_PLANNING_ARENA_GAPS_H
#define MEMPLAN_PLANNING_ARENA_GAPS_H

#include <stdbool.h>
#include <stdint.h>

/* The free ranges among taken bytes, which come in several sorted lists. */

/* Bytes [begin, end). */
struct interval {
    uint64_t begin, end;
};

/* A list of intervals, sorted by begin. Not empty at first; a walk moves next forward until it is
   end. */
struct gap_source {
    const struct interval *next, *end;
    bool is_disjoint; /* no two overlap, so that many can be passed over at once */
};

/* Bytes [begin, end) that are taken at steps [lower, upper) alone. */
struct timed_interval {
    uint64_t begin, end;
    uint32_t lower, upper;
};

/* A list of intervals, sorted by begin, which may overlap. Only intervals that are taken at one of
   the steps [lower, upper) count. A walk moves next forward until it is end, and passes over the
   intervals below its own position without looking at each. */
struct timed_source {
    const struct timed_interval *next, *end;
    uint32_t lower, upper;
    uint64_t most_bytes; /* none is longer */
};

struct gap {
    uint64_t begin, end; /* end is UINT64_MAX above everything taken */
    uint64_t offset;     /* the lowest that fits the size and the alignment asked for */
};

struct gap_walk {
    struct gap_source *source; /* [sources] that are not at their end yet */
    uint32_t sources;
    struct timed_source *timed; /* [timed_sources], looked at where the others leave a gap */
    uint32_t timed_sources;
    uint64_t size, alignment; /* at least 1 */
    uint64_t begin;           /* everything below was looked at; 0 at first */
    uint64_t bytes_below;     /* passes over gaps of this many bytes or more; 0 for none */
    uint64_t bytes_above;     /* passes over gaps of up to this many bytes */
};

/* The next gap, in rising order, in which the size fits; the one above everything comes last. False
   after it, and where it would end beyond 2^64. O(taken * sources) for all calls of a walk. */
bool gap_walk_next(struct gap_walk *walk, struct gap *gap);

/* Finds the gap above everything and passes over all other gaps. */
bool gap_walk_top(struct gap_walk *walk, struct gap *gap);

#endif
