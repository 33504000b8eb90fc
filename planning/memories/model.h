#ifndef MEMPLAN_PLANNING_MEMORIES_MODEL_H
#define MEMPLAN_PLANNING_MEMORIES_MODEL_H

#include <assert.h>

#include "planning/memories/classes.h"
#include "planning/memories/memory_plan.h"

/* What planners look at: nodes, which are the classes of colocated buffers, and arenas, which are
   memories or their chunks. A node lies in one arena. Two nodes that conflict share no byte of an
   arena; an edge says what it costs that two others do. */

struct memory_edge {
    uint32_t first, second; /* nodes, first < second */
    uint64_t cost;          /* at least 1 */
};

struct memory_arena {
    uint32_t memory;
    uint64_t base;     /* where it begins in its memory */
    uint64_t capacity; /* UINT64_MAX: none */
    uint32_t twin;     /* the first arena that is equal to it: without pins and reserved ranges, of
                          the same memory and capacity; or itself */
    uint32_t rank;     /* how many such arenas come before it */
};

struct memory_model {
    const struct memory_problem *problem;
    struct memory_classes classes;
    struct problem *nodes; /* a buffer for each class, which lives while any of its members does */
    uint32_t arenas, edges;
    struct memory_arena *arena; /* [arenas] by memory, then by base */
    uint64_t *traffic;          /* [nodes * memories] cost; UINT64_MAX: not allowed, or too large */
    uint64_t *alignment;        /* [nodes * memories] */
    bool by_pairs;              /* some nodes that are live at once do not conflict */
    uint64_t *first;            /* [nodes + 1] into other */
    uint32_t *other;            /* those that a node conflicts with, ascending */
    struct memory_edge *edge;   /* [edges] */
    uint32_t *first_edge;       /* [nodes + 1] into edge_of */
    uint32_t *edge_of;          /* the edges of each node */
    uint32_t *pinned_arena;     /* [nodes] MEMORY_NONE: not pinned */
    uint64_t *pinned_offset;    /* [nodes] in the arena */
    uint32_t *first_reserved;   /* [arenas + 1] into reserved */
    struct memory_range *reserved; /* offsets in the arena, which is named in the place of the
                                      memory */
};

/* Fails with STATUS_BAD_INPUT where alignments have no common multiple below 2^63 or there are too
   many chunks. O(conflicts + nodes * memories + arenas * reserved ranges). */
enum status memory_model_create(const struct memory_problem *problem, struct memory_model **model,
                                struct error *error);
void memory_model_free(struct memory_model *model); /* NULL is fine */
SCOPED_POINTER(struct memory_model, memory_model_release, memory_model_free);

/* The cost of the node's traffic if it lies in the arena; UINT64_MAX where it may not lie there or
   is larger than the arena. */
uint64_t memory_model_traffic(const struct memory_model *model, uint32_t node, uint32_t arena);
/* The least of all arenas; 0 where it may lie in none. */
uint64_t memory_model_least_traffic(const struct memory_model *model, uint32_t node);
static inline uint64_t memory_model_alignment(const struct memory_model *model, uint32_t node,
                                              uint32_t arena)
{
    assert(node < model->classes.count && arena < model->arenas);
    return model->alignment[(size_t)node * model->problem->memories + model->arena[arena].memory];
}
bool memory_model_conflict(const struct memory_model *model, uint32_t a, uint32_t b);

/* Makes a plan of an arena and an offset in it for each node: places, peaks and cost. The status is
   not changed. O(buffers + edges). */
void memory_model_fill(const struct memory_model *model, const uint32_t *arena,
                       const uint64_t *offset, struct memory_plan *plan);
/* Does the opposite: finds the arena and the offset of each node in a plan. */
void memory_model_read(const struct memory_model *model, const struct memory_plan *plan,
                       uint32_t *arena, uint64_t *offset);

#endif
