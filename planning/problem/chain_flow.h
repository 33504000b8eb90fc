#ifndef MEMPLAN_PLANNING_PROBLEM_CHAIN_FLOW_H
#define MEMPLAN_PLANNING_PROBLEM_CHAIN_FLOW_H

#include "planning/problem/precedence.h"

/* Bytes handed on: each buffer takes as many bytes as it has from buffers that are over before it
   begins, and hands on as many when it is over. Taken where they are, `left` at the giver and not
   yet had by the taker. */
struct flow_piece {
    uint32_t giver, next; /* next piece of the same taker, or FLOW_NONE */
    uint64_t bytes;
};

#define FLOW_NONE UINT32_MAX

struct chain_flow {
    const struct precedence *precedence;
    uint64_t *left, *wanted;  /* [buffers] not handed on, and not taken */
    uint32_t *head;           /* [buffers] the taker's first piece, or FLOW_NONE */
    struct flow_piece *piece; /* [pieces] */
    uint32_t pieces, spare;   /* spare: the first of those that hold nothing, or FLOW_NONE */
    size_t piece_capacity;
    uint64_t unfed_bytes; /* that nobody hands on to their takers */
    /* The last layering: of givers the layer, of takers where each chain is reached from. */
    uint32_t *layer;   /* [buffers] of givers, or FLOW_NONE */
    uint32_t *reached; /* [(layers + 1) * chains] positions from which on a chain is reached */
    uint32_t layers;
    size_t reached_capacity;
};

/* The most that can be handed on, where buffer b has size[b] bytes. Clear it in any case. */
enum status chain_flow_maximise(const struct precedence *precedence, const uint64_t *size,
                                struct chain_flow *flow, struct error *error);
void chain_flow_clear(struct chain_flow *flow);

/* Of a maximal flow: the buffer is on the cut, as giver on the near side and as taker on the far
   one. */
bool chain_flow_is_cut(const struct chain_flow *flow, uint32_t buffer);

#endif
