#include "planning/lowering/stream_level.h"
#include "planning/policies/reuse_waits.h"
#include "planning/policies/stream_line.h"

/* First bytes, then time: tensors lie as if the list were the order of time, as under
   planning/policies/launch_order.c, and then operators are made to wait wherever they write over
   what another stream may still use. That takes as few bytes as one stream does, and costs a longer
   critical path.

       main   conv -> a     pool a -> b     d is written over a, so send waits for pool
       copy   recv -> c     send c -> d

   Between that and the policy streams, which waits for nothing more and takes the most bytes, are
   those with a lag: a tensor's bytes go to another stream only so many steps of the list later, by
   when its last reader has probably ended. Where the streams' order keeps two tensors apart anyway,
   there is no lag. */

static enum status make_serialised(const struct policy *policy, const struct policy_input *input,
                                   struct policy_level *made, struct error *error)
{
    TRY(stream_line_create(input->graph, &made->liveness, error));
    if (!policy->lag)
        return stream_line_level(input, made, error);
    for (uint32_t t = 0; t < input->graph->tensors; t++)
        made->liveness->upper[t] += policy->lag;
    const struct stream_level_source source = {
        .graph = input->graph, .alignment_bytes = input->alignment_bytes, .line = made->liveness};
    return stream_level_create(&source, &made->level, error);
}

#define SERIALISED(id, steps, text)                                                                \
    const struct policy policy_##id = {                                                            \
        .name = #id,                                                                               \
        .title = text,                                                                             \
        .source = "ours; without a lag as XLA, where the order of one stream decides addresses",   \
        .flags = POLICY_STREAMS,                                                                   \
        .lag = steps,                                                                              \
        .make_level = make_serialised,                                                             \
        .place = stream_line_place,                                                                \
        .launch = reuse_waits_add,                                                                 \
    }

SERIALISED(serialised, 0,
           "bytes as on one stream, in the order of the list; operators wait for each other where "
           "that asks for it");
SERIALISED(lag_4, 4,
           "as serialised, but bytes go to another stream only 4 steps of the list later");
SERIALISED(lag_16, 16,
           "as serialised, but bytes go to another stream only 16 steps of the list later");
