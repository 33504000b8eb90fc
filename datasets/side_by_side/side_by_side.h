#ifndef MEMPLAN_DATASETS_SIDE_BY_SIDE_SIDE_BY_SIDE_H
#define MEMPLAN_DATASETS_SIDE_BY_SIDE_SIDE_BY_SIDE_H

#include "planning/graph/graph.h"

/* Graphs of one stream whose operators are put on several streams. The name of a rule before the
   name of the graph asks for it:

       streams:nimble?streams=4:model.onnx     as few waits as possible (assign_streams.h)
       streams:round_robin?streams=4:NAME      branches go to the streams in turn (assign_streams.h)
       streams:copy_engine?ahead=2:NAME        weights are loaded on a stream of their own
                                               (copy_engine.h) */

struct side_by_side_rule;
struct side_by_side {
    const struct side_by_side_rule *rule;
    uint32_t value;   /* of its option */
    const char *name; /* of the instance, within the text that was read */
};

bool side_by_side_is_name(const char *name);
/* STATUS_USAGE where the name is not that of a rule with its option and an instance. */
enum status side_by_side_parse(const char *name, struct side_by_side *side_by_side,
                               struct error *error);
/* Changes *graph or replaces it by another one. STATUS_USAGE where it has streams already. */
enum status side_by_side_apply(const struct side_by_side *side_by_side, struct graph **graph,
                               struct error *error);

#endif
