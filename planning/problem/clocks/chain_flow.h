#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_CHAIN_FLOW_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_CHAIN_FLOW_H

#include "planning/problem/clocks/precedence.h"

/* A flow of bytes: each buffer takes as many bytes as it has from buffers that are over before it
   begins, and hands as many on to buffers that begin when it is over. A piece says how many bytes a
   giver hands on to one taker; the pieces of a taker are a list. */
struct flow_piece {
    uint32_t giver, next; /* next piece of the same taker, or FLOW_NONE */
    uint64_t bytes;
};

#define FLOW_NONE UINT32_MAX

struct chain_flow {
    const struct precedence *precedence;
    uint64_t *left, *wanted;  /* [buffers] bytes that each has not handed on, and not taken */
    uint32_t *head;           /* [buffers] the taker's first piece, or FLOW_NONE */
    struct flow_piece *piece; /* [pieces] */
    uint32_t pieces, spare;   /* spare: the first of a list of unused ones, or FLOW_NONE */
    size_t piece_capacity;
    uint64_t unfed_bytes; /* the sum of `wanted`: what nobody hands on to its taker */
    /* The last layering (see the source): the layers of givers, and how far each chain was
       reached. */
    uint32_t *layer;   /* [buffers] of each giver, or FLOW_NONE */
    uint32_t *reached; /* [(layers + 1) * chains] the first position of each chain that the layers
                          before reach */
    uint32_t layers;
    size_t reached_capacity;
};

/* Finds a flow that hands on the most bytes, where buffer b has size[b] bytes. The caller clears
 *flow, also where this fails. */
enum status chain_flow_maximise(const struct precedence *precedence, const uint64_t *size,
                                struct chain_flow *flow, struct error *error);
void chain_flow_clear(struct chain_flow *flow);

/* Of a maximum flow: whether the minimal cut goes through the buffer, so that it is in the heaviest
   antichain. */
bool chain_flow_is_cut(const struct chain_flow *flow, uint32_t buffer);

#endif
