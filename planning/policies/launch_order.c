#include "planning/policies/stream_line.h"

/* The list as if its operators ran one after another, whatever their streams: what a planner does
   that knows of no streams. Unsafe on several streams, and kept to see it caught:

       main   conv -> a     pool a -> b     d may be written over a, which is read last by pool on
   the copy   recv -> c     send c -> d     list; but send may run before pool does */

static enum status make_launch_order(const struct policy *policy, const struct policy_input *input,
                                     struct policy_level *made, struct error *error)
{
    (void)policy;
    TRY(stream_line_create(input->graph, &made->liveness, error));
    return stream_line_level(input, made, error);
}

const struct policy policy_launch_order = {
    .name = "launch_order",
    .title = "the list taken for the order of time on several streams: unsafe, kept to be caught",
    .source = "ours: what planners for one stream do to such graphs",
    .flags = POLICY_STREAMS | POLICY_UNSAFE,
    .make_level = make_launch_order,
    .place = stream_line_place,
};
