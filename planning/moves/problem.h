#ifndef MEMPLAN_PLANNING_MOVES_PROBLEM_H
#define MEMPLAN_PLANNING_MOVES_PROBLEM_H

#include "planning/graph/graph.h"
#include "planning/memories/memory_problem.h"

/* A graph whose tensors and weights may move between memories while it runs, see docs/memories.md,
   "Moves". The graph has one stream and no branches or loops. Its steps are

       0                    the inputs of the graph are written
       1 .. operators       operator number step - 1 runs
       operators + 1        the outputs of the graph are read

   An item is a tensor in the arena, or all weights of an operator. Weights are off chip at first:
   that is one more memory, behind those of the chip, from which they can be read and copied, and in
   which nothing else lies. All times are in thousandths of ns. */

struct move_item {
    uint32_t tensor, op; /* a tensor, and GRAPH_NONE; or GRAPH_NONE, and the operator of weights */
    uint64_t bytes, alignment;
    uint32_t from, to; /* it is needed in steps [from, to); from is the step that writes it */
};

/* That a step reads or writes an item. */
struct move_access {
    uint32_t item;
    bool is_write;
};

/* What transfers cost: struct hardware says what these are. */
struct move_channel {
    uint64_t start, start_instruction, wait_instruction;
    uint64_t contention; /* in millionths */
};

struct move_problem {
    const struct graph *graph;
    const struct memory_problem *chip; /* its memories; of its buffers nothing is read */
    struct move_channel channel;
    uint32_t steps, items, memories;  /* memories: with the one off chip, which is the last */
    struct move_item *item;           /* [items] tensors first, then weights */
    uint32_t *first;                  /* [steps + 1] into access */
    struct move_access *access;       /* what each step reads and writes, each item once */
    uint64_t *compute;                /* [steps] without what reading and writing take */
    uint64_t *read_cost, *write_cost; /* [memories] of a byte; UINT64_MAX: not written there */
};

/* The graph has no branches, loops or several streams. STATUS_BAD_INPUT where times add up to more
   than 2^52. alignment_bytes as in struct job. Graph and chip have to outlive it. O(graph). */
struct move_terms {
    const struct graph *graph;
    const struct memory_problem *chip;
    const uint64_t *compute_ns; /* [operators] */
    struct move_channel channel;
    uint64_t off_chip_read_cost, alignment_bytes;
};
enum status move_problem_create(const struct move_terms *terms, struct move_problem **problem,
                                struct error *error);
void move_problem_free(struct move_problem *problem); /* NULL is fine */
SCOPED_POINTER(struct move_problem, move_problem_release, move_problem_free);

static inline bool move_is_weights(const struct move_problem *problem, uint32_t item)
{
    return problem->item[item].tensor == GRAPH_NONE;
}
static inline bool move_is_off_chip(const struct move_problem *problem, uint32_t memory)
{
    return memory + 1 == problem->memories;
}
/* The name of the tensor, or of the operator whose weights they are; and that of a memory. */
const char *move_item_name(const struct move_problem *problem, uint32_t item);
const char *move_memory_name(const struct move_problem *problem, uint32_t memory);

/* The time of a transfer of an item from one memory to another one: the start-up, and its bytes
   times the larger of what a byte costs to read there and to write here. */
uint64_t move_transfer_time(const struct move_problem *problem, uint32_t item, uint32_t from,
                            uint32_t to);

/* A time that no plan is below: all computing, and each access where it costs least among the
   memories that are large enough. O(accesses * memories). */
uint64_t move_time_bound(const struct move_problem *problem);

#endif
