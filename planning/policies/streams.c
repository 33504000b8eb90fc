#include "planning/lowering/stream_level.h"
#include "planning/policies/stream_line.h"

/* Tensors of operators that run side by side on several streams: two may share bytes where every
   use of one has surely ended before the other is written, by the order on each stream and the
   waits between them, or where they are in different branches. The result of an If is copied when
   it is left. On one stream that is the order of the list.

       main   conv -> a     pool a -> b      b and c may share bytes with nothing that the other
       copy   send a -> c   recv c -> d      stream may still be using */

static enum status make_streams(const struct policy *policy, const struct policy_input *input,
                                struct policy_level *made, struct error *error)
{
    (void)policy;
    const struct stream_level_source source = {.graph = input->graph,
                                               .alignment_bytes = input->alignment_bytes};
    return stream_level_create(&source, &made->level, error);
}

const struct policy policy_streams = {
    .name = "streams",
    .title =
        "operators run side by side on several streams; tensors share bytes where the order of "
        "the streams and the waits between them keep their uses apart",
    .source = "the exact rule, as in MindSpore's SOMAS: ccsrc/backend/common/somas/somas.cc",
    .flags = POLICY_STREAMS,
    .make_level = make_streams,
    .place = stream_line_place,
};
