#ifndef MEMPLAN_PLANNING_PLAN_EXTENTS_H
#define MEMPLAN_PLANNING_PLAN_EXTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Buffers, or the tensors of a graph, that lie in the arena in several pieces: what plans and
   placements have in addition to offsets. The extents of an item hold its bytes in rising position,
   so that with {offset 0, 5 bytes} and {offset 8, 3 bytes} byte 5 of the item is at 8. An item
   without extents is in one piece at its offset; the offset of one that has some is that of its
   first. Nothing here is checked: verify_plan and verify_paths do it. */

struct extent {
    uint64_t offset, bytes;
};

struct extents_span {
    uint32_t first, count; /* of struct extents' extent */
};

struct extents {
    uint32_t items, count;
    struct extents_span *of; /* [items]; count 0 for one piece */
    struct extent *extent;   /* [count] */
    size_t capacity;
};

/* Adds an extent behind those of the item. All extents of an item have to be added before those of
   the next. Creates *extents where it is NULL. O(1) amortised. */
enum status extents_add(struct extents **extents, uint32_t items, uint32_t item,
                        struct extent added, struct error *error);
void extents_free(struct extents *extents); /* NULL is fine */
SCOPED_POINTER(struct extents, extents_release, extents_free);

/* 0 where the item is in one piece; extents may be NULL. */
uint32_t extents_count(const struct extents *extents, uint32_t item);
/* Items that have extents. O(items). */
uint32_t extents_split_items(const struct extents *extents);

/* Goes over the arena's bytes that hold [lower, upper) of an item, piece by piece in rising
   position, whether it is split or not. offset is the item's own, where it is in one piece. */
struct extents_walk {
    const struct extent *next, *end;
    struct extent whole;
    uint64_t position; /* in the item of the next extent's first byte */
    uint64_t lower, upper;
};
struct extents_walk extents_begin(const struct extents *extents, uint32_t item, uint64_t offset,
                                  uint64_t lower, uint64_t upper);
bool extents_next(struct extents_walk *walk, struct extent *found);
/* Whether both go over the same bytes in the same order, however these are divided into extents.
   O(extents of both). */
bool extents_coincide(struct extents_walk a, struct extents_walk b);

/* Where the highest byte of the item ends. O(its extents). */
uint64_t extents_end(const struct extents *extents, uint32_t item, uint64_t offset, uint64_t bytes);

/* Writes what a walk that has not begun will find, "[0, 5)" or "[0, 5) + [8, 11)"; of more than
   four extents the rest is only counted. */
void extents_describe(struct extents_walk walk, char *text, size_t text_bytes);

#endif
