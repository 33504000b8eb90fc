#ifndef MEMPLAN_PLANNING_MOVES_PROBLEM_H
#define MEMPLAN_PLANNING_MOVES_PROBLEM_H

#include <assert.h>

#include "planning/graph/graph.h"
#include "planning/memories/memory_problem.h"

/* A graph whose tensors and weights may move between memories while it runs, see docs/memories.md,
   "Moves". The graph has one stream. Its steps are

       0           the inputs of the graph are written
       1 ..        operators run in their order; one with regions has a step at which it is entered,
                   and one, behind those of what its regions hold, at which it is left
       steps - 1   the outputs of the graph are read

   An item is a tensor in the arena, or all weights of an operator; results of operators with
   regions are none: they are where what was handed on is. Weights are off chip at first: that is
   one more memory, behind those of the chip, from which they can be read and copied, and in which
   nothing else lies. All times are in thousandths of ns. */

struct move_item {
    uint32_t tensor, op; /* a tensor, and GRAPH_NONE; or GRAPH_NONE, and the operator of weights */
    uint64_t bytes, alignment;
    uint32_t from, to; /* it is needed in steps [from, to); from is the step that writes it */
    uint32_t first_to; /* its first stay lasts at least until this step; 0: no such limit */
};

/* An access: a step reads or writes an item. */
struct move_access {
    uint32_t item;
    bool is_write;
    bool is_free;   /* takes no time: something is handed on */
    bool is_handed; /* read in the first stay */
    bool is_other;  /* of this read and the one before it in the list only one is made: the branch
                       taken decides */
};

enum { MOVE_RUN_PARTS = 1000000 };

/* What transfers cost: struct hardware says what these are. */
struct move_channel {
    uint64_t start, start_instruction, wait_instruction;
    uint64_t contention; /* in millionths */
};

struct move_problem {
    const struct graph *graph;
    const struct memory_problem *chip; /* only its memories matter, not its buffers */
    struct move_channel channel;
    uint32_t steps, items, memories;  /* memories: the chip's and, as the last one, that off chip */
    uint32_t *enter, *leave;          /* [operators] steps; the same for one without regions */
    uint32_t *op;                     /* [steps] GRAPH_NONE for the first and the last one */
    uint32_t *region;                 /* [steps] of the graph */
    uint32_t *section;                /* [steps] ascending; no region begins or ends in a section */
    uint64_t *runs;                   /* [steps] on average, in 1 / MOVE_RUN_PARTS */
    struct move_item *item;           /* [items] tensors first, then weights */
    uint32_t *first;                  /* [steps + 1] into access */
    struct move_access *access;       /* what each step reads and writes */
    uint64_t *compute;                /* [steps] without what reading and writing take */
    uint64_t *read_cost, *write_cost; /* [memories] of a byte; UINT64_MAX: not written there */
};

void move_problem_free(struct move_problem *problem); /* NULL is fine */
SCOPED_POINTER(struct move_problem, move_problem_release, move_problem_free);

static inline bool move_is_weights(const struct move_problem *problem, uint32_t item)
{
    assert(item < problem->items);
    return problem->item[item].tensor == GRAPH_NONE;
}
static inline bool move_is_off_chip(const struct move_problem *problem, uint32_t memory)
{
    assert(memory < problem->memories);
    return memory + 1 == problem->memories;
}
/* The name of an item, which is that of the tensor or of the operator with the weights; and the
   name of a memory. */
const char *move_item_name(const struct move_problem *problem, uint32_t item);
const char *move_memory_name(const struct move_problem *problem, uint32_t memory);

/* Whether a region of the graph is or lies in another one. O(depth). */
bool move_region_contains(const struct move_problem *problem, uint32_t outer, uint32_t region);
/* The upper end that a stay [lower, upper) needs at least: it has to last to the end of each loop
   that holds `upper` but not `lower`, since the next turn needs it. O(depth). */
uint32_t move_end_of_loops(const struct move_problem *problem, uint32_t lower, uint32_t upper);
/* The time that something takes on all runs of the step's section together, if it takes `time` on
   one of them; UINT64_MAX where that is too much. */
uint64_t move_time_of_runs(const struct move_problem *problem, uint32_t step, uint64_t time);

/* The time of a transfer of an item from one memory to another one: the start-up, and its bytes
   times the larger of what a byte costs to read there and to write here. */
uint64_t move_transfer_time(const struct move_problem *problem, uint32_t item, uint32_t from,
                            uint32_t to);

/* Adds the time of an access to *time; `cost` is its time if it is made. *last is the time of the
   access before it in the step's list: of several reads of which only one is made, the longest
   counts. */
static inline void move_add_access(const struct move_access *access, uint64_t cost, uint64_t *last,
                                   uint64_t *time)
{
    cost = access->is_free ? 0 : cost;
    assert(!access->is_other || *time >= *last);
    if (access->is_other)
        *time -= cost < *last ? cost : *last;
    *last = access->is_other && *last > cost ? *last : cost;
    *time += cost;
}

/* A lower bound on the time of every plan: all computing, and each access in the cheapest memory
   that is large enough, as often as both are expected. O(accesses * memories). */
uint64_t move_time_bound(const struct move_problem *problem);

#endif
