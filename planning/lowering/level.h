#ifndef MEMPLAN_PLANNING_LOWERING_LEVEL_H
#define MEMPLAN_PLANNING_LOWERING_LEVEL_H

#include "planning/liveness/liveness.h"
#include "planning/plan/plan.h"

/* The problem of one level of a graph, and which tensor or block each of its buffers is for. The
   buffer of a tensor is the place of all tensors that have it as their root, see liveness.h. */
struct level {
    const struct graph *graph;
    const struct liveness *liveness; /* from which it was created; must outlive the level */
    struct problem *problem;
    uint32_t region;  /* the region planned; for a loop its first one; 0 for the whole graph */
    uint32_t *tensor; /* [buffers] or GRAPH_NONE for a block */
    uint32_t *op;     /* [buffers] the operator whose regions share the block, or GRAPH_NONE */
    bool is_cautious; /* it may have conflicts that no way through the graph has, so that its bounds
                         say nothing of the graph */
    uint32_t more_plans; /* other problems of the whole graph that are planned after this one: the
                            planner leaves an equal share of its time to each. 0 for the level of a
                            region, whose planner may take all that is left */
};

/* Plans the problem of one level; a policy calls it for each level. The policy has created the
   plan, and checks it with verify_plan afterwards unless `unchecked` is set. */
struct level_planner {
    enum status (*plan)(void *context, const struct level *level, struct plan *plan,
                        struct error *error);
    void *context;
    uint64_t alignment_bytes; /* as in level_source */
    bool unchecked;           /* its plans may be wrong: the placement has to be checked */
};

/* What a level is made of. */
struct level_source {
    const struct graph *graph;
    const struct liveness *liveness; /* outlives the level */
    /* Divides every offset. 0: each offset is aligned as the dtypes of the tensors there need, as
       far as they are known (graph_alignment). */
    uint64_t alignment_bytes;
};

/* The alignment that the block of an operator with regions needs. O(what is nested in it). */
uint64_t level_block_alignment(const struct graph *graph, uint32_t op, uint64_t alignment_bytes);

/* A level that is being made, whose problem gets buffers one after another: shared by the files
   that make levels. */
struct level_maker {
    const struct level_source *source;
    struct level *level;
    size_t tensor_capacity, op_capacity;
    struct error *error;
};

/* level_begin makes an empty problem of this name. level_add_buffer adds the buffer of a tensor or,
   where the tensor is GRAPH_NONE, the block of an operator; the caller adds its segments to the
   problem. */
enum status level_begin(struct level_maker *maker, const char *name);
enum status level_add_buffer(struct level_maker *maker, uint32_t tensor, uint32_t op,
                             uint64_t bytes);
/* Adds a buffer that may lie anywhere to a problem, the level's or another one. */
enum status level_add_bytes(const struct level_maker *maker, struct problem *problem,
                            const char *name, uint64_t bytes);
/* Finishes the problem and hands out the level. `status` is that of making the level: where it, or
   finishing the problem, is a failure, the level is freed and the failure returned. */
enum status level_end(struct level_maker *maker, enum status status, struct level **level);

/* Makes a buffer for each tensor of the graph that has a place, live while anything in that place
   is needed, in the order in which the tensors are defined. O(graph). */
enum status level_create_flat(const struct level_source *source, struct level **level,
                              struct error *error);

/* Makes the level of what the region holds directly; for the first region of a loop also of the
   loop's other regions, which run after it in the same turn. Its buffers are its tensors, live
   within its steps, and for each operator with block_bytes[operator] > 0 a block, live from the
   step that enters the operator to the last one that reads any of its results. O(region). */
enum status level_create_region(const struct level_source *source, uint32_t region,
                                const uint64_t *block_bytes, struct level **level,
                                struct error *error);
/* Gives the blocks of such a level other sizes, none of them 0. O(buffers). */
enum status level_resize_blocks(struct level *level, const uint64_t *block_bytes,
                                struct error *error);
void level_free(struct level *level);
SCOPED_POINTER(struct level, level_release, level_free);

/* Plans the level and, unless the planner is unchecked, verifies the plan. The plan is created and
   owned by the caller. */
enum status level_plan(const struct level *level, const struct level_planner *planner,
                       struct plan **plan, struct error *error);

#endif
