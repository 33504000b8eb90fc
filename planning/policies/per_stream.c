#include "planning/lowering/stream_level.h"
#include "planning/policies/stream_line.h"

/* Each stream has a pool of its own, in which the tensors lie that it writes first; within a pool
   two may share bytes where every use of one, on whatever stream, has surely ended before the other
   is written. That is what allocators at run time come to which keep a free list for each stream
   and record who else uses a block. */

static enum status make_per_stream(const struct policy *policy, const struct policy_input *input,
                                   struct policy_level *made, struct error *error)
{
    (void)policy;
    const struct stream_level_source source = {
        .graph = input->graph, .alignment_bytes = input->alignment_bytes, .pool_per_stream = true};
    return stream_level_create(&source, &made->level, error);
}

const struct policy policy_per_stream = {
    .name = "per_stream",
    .title = "each stream has a pool of its own, for the tensors that it writes first",
    .source = "PyTorch's c10/cuda/CUDACachingAllocator.cpp; ONNX Runtime's first pass of "
              "allocation_planner.cc",
    .flags = POLICY_STREAMS,
    .make_level = make_per_stream,
    .place = stream_line_place,
};
