#ifndef MEMPLAN_PLANNING_GRAPH_GRAPH_H
#define MEMPLAN_PLANNING_GRAPH_GRAPH_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/names.h"

/* Operators in execution order, tensors between them. An operator may own regions (the branches of
   an If, the body of a Loop), which hold operators themselves. Operators are numbered in the order
   in which they are written, an owner before what its regions hold, so that a region is a range:

       conv            operator 0   region 0 = [0, 5), the graph itself
       if              operator 1   end 4
         then: relu    operator 2   region 1 = [2, 3)
         else: pool    operator 3   region 2 = [3, 4)
       dense           operator 4

   To walk what a region holds directly: for (o = begin; o < end; o = graph->op[o].end). */

#define GRAPH_NONE UINT32_MAX
enum { GRAPH_MOST_DIMENSIONS = 8 };
#define GRAPH_MAIN_STREAM "main" /* the stream of a graph that names none */

/* Indices first .. first + count - 1 of the array that the field's comment names. */
struct span {
    uint32_t first, count;
};

struct graph_tensor {
    uint64_t bytes;
    uint64_t dimension[GRAPH_MOST_DIMENSIONS]; /* [rank]; none when only the bytes are known */
    uint8_t rank;
    uint8_t dtype;            /* row of the dtype table */
    uint8_t device;           /* in whose memory it is; devices share no memory */
    bool has_shape, external; /* external: memory outside the arena, not planned */
    uint32_t producer;        /* operator whose output (or carried argument) it is; GRAPH_NONE */
};

struct graph_weight {
    uint32_t name; /* into graph->labels */
    uint8_t dtype;
    uint64_t bytes;
};

/* A value that a loop hands from turn to turn: starts as init, is read in the body as argument,
   continues as yield, leaves as result. All four are tensors; argument and result are one place. */
struct graph_carried {
    uint32_t init, argument, yield, result;
};

struct graph_operator {
    uint32_t name, type;                /* into graph->labels */
    uint32_t region;                    /* region that holds it */
    uint32_t end;                       /* one past the last operator nested in it */
    uint32_t first_region, last_region; /* GRAPH_NONE for a plain operator */
    struct span inputs, outputs;        /* graph->list: tensors */
    struct span ignored;                /* graph->list: tensors that it names but does not read */
    struct span after;   /* graph->list: earlier operators of its region it waits for */
    uint32_t stream;     /* row of graph->streams on which it runs */
    struct span inplace; /* graph->list: pairs of an input's and an output's position */
    struct span weights; /* graph->weight */
    struct span carried; /* graph->carried */
    bool loop;           /* its region runs any number of times, else exactly one region runs */
    int64_t trip_count;  /* turns of a loop, -1 when unknown */
    int64_t compute_ns, flops; /* -1 when unknown */
};

struct graph_region {
    uint32_t owner;      /* operator, GRAPH_NONE for region 0 */
    uint32_t name;       /* into graph->labels */
    uint32_t next;       /* next region of the owner, GRAPH_NONE */
    uint32_t begin, end; /* operators */
    struct span yields;  /* graph->list: tensors; of region 0 the graph's outputs */
    double probability;  /* negative when not given */
};

struct graph {
    struct names name;         /* one name */
    char *note;                /* free text of the file, or NULL */
    struct names tensor_names; /* unique, [tensors] */
    struct names labels;       /* names and types of operators, regions, weights */
    struct names streams;      /* at least one: row 0 is that of operators which name none */
    struct names engines;      /* [streams] what runs the stream, "" where not told */
    bool waits_implied;        /* each reader waits for the producers of what it reads */
    struct graph_tensor *tensor;
    struct graph_weight *weight;
    struct graph_carried *carried;
    struct graph_operator *op;
    struct graph_region *region;
    uint32_t *list;
    struct span inputs; /* list: tensors */
    uint32_t tensors, weights, carried_count, operators, regions, listed;
    struct graph_building *building; /* NULL once it is finished: planning/graph/build.h */
};

void graph_free(struct graph *graph); /* NULL is fine */
SCOPED_POINTER(struct graph, graph_release, graph_free);

/* The operator whose region holds this operator directly; GRAPH_NONE where there is none. */
static inline uint32_t graph_owner(const struct graph *graph, uint32_t op)
{
    assert(op < graph->operators);
    return graph->region[graph->op[op].region].owner;
}

/* One of the regions of the operator runs, the others do not. */
static inline bool graph_has_branches(const struct graph *graph, uint32_t op)
{
    assert(op < graph->operators);
    return graph->op[op].first_region != GRAPH_NONE && !graph->op[op].loop;
}

/* The tensor is the result of an operator with branches. */
static inline bool graph_is_branch_result(const struct graph *graph, uint32_t tensor)
{
    assert(tensor < graph->tensors);
    uint32_t producer = graph->tensor[tensor].producer;
    return producer != GRAPH_NONE && graph_has_branches(graph, producer);
}

/* What the region yields for the output at this position. */
static inline uint32_t graph_yield(const struct graph *graph, uint32_t region, uint32_t output)
{
    assert(region < graph->regions && output < graph->region[region].yields.count);
    return graph->list[graph->region[region].yields.first + output];
}

/* The position of the tensor in a list of tensors; the list's length where it is not in the list.
   O(length). */
uint32_t graph_position(const struct graph *graph, struct span tensors, uint32_t tensor);

/* The carried value of the operator that has this argument, or result; NULL for none. O(its carried
   values). */
const struct graph_carried *graph_find_argument(const struct graph *graph, uint32_t op,
                                                uint32_t tensor);
const struct graph_carried *graph_find_carried_result(const struct graph *graph, uint32_t op,
                                                      uint32_t tensor);

/* Numbers the steps of the line on which the operators run in their order: a step for entering each
   operator, then the steps of what its regions hold and, where it has regions, a step for leaving
   it. enter_step, leave_step [operators]; without regions both are the same. Returns the number of
   steps. O(operators). */
uint32_t graph_number_steps(const struct graph *graph, uint32_t *enter_step, uint32_t *leave_step);

/* Fills op[operators] with the operators that have regions, in the order in which they are left:
   what is nested comes first. Returns how many there are. O(operators). */
uint32_t graph_list_left(const struct graph *graph, uint32_t *op);

const char *graph_label(const struct graph *graph, uint32_t label);
const char *graph_name(const struct graph *graph);
bool graph_has_control_flow(const struct graph *graph);
/* Whether operators run on more than one stream. O(operators). */
bool graph_has_streams(const struct graph *graph);
/* Whether tensors in the arena are on several devices. O(tensors). */
bool graph_has_devices(const struct graph *graph);

#endif
