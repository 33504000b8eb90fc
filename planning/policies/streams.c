#include "planning/lowering/stream_level.h"
#include "planning/policies/whole_graph.h"

/* Tensors of operators that run side by side on several streams: two may share bytes where every
   use of one has surely ended before the other is written, by the order on each stream and the
   waits between them, or where they are in different branches. The result of an If is copied when
   it is left. On one stream that is the order of the list.

       main   conv -> a     pool a -> b      b and c may share bytes with nothing that the other
       copy   send a -> c   recv c -> d      stream may still be using */

static enum status make_streams(const struct policy_input *input, struct policy_level *made,
                                struct error *error)
{
    return stream_level_create(input->graph, input->alignment_bytes, &made->level, error);
}

/* Whether an input dies where an output is to be written over it is a matter of all streams, which
   the rules of planning/inplace/inplace.h, made for one line of steps, know nothing of. */
static void forget_overwrites(struct placement *placement)
{
    for (uint32_t t = 0; t < placement->tensors; t++) {
        placement->overwrites[t] = GRAPH_NONE;
        placement->is_view[t] = false;
    }
}

static enum status place_streams(const struct graph *graph, const struct level_planner *planner,
                                 struct placement *placement, struct error *error)
{
    forget_overwrites(placement);
    return policy_level_place(&policy_streams, graph, planner, placement, error);
}

const struct policy policy_streams = {
    .name = "streams",
    .title =
        "operators run side by side on several streams; tensors share bytes where the order of "
        "the streams and the waits between them keep their uses apart",
    .source = "the exact rule, as in MindSpore's SOMAS: ccsrc/backend/common/somas/somas.cc",
    .flags = POLICY_STREAMS,
    .make_level = make_streams,
    .place = place_streams,
};
