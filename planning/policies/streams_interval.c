#include "planning/liveness/stream_lifetimes.h"
#include "planning/policies/stream_line.h"

/* Tensors of several streams on one line of steps: each is live from the step of the list at which
   it is first written to the last step that may run before all its uses have ended. Of two that
   conflict the earlier on the list is then still live when the other is written, so that every
   planner for one line of steps makes safe plans; what another order of the list would have shown
   to be apart conflicts, too.

       main   conv 0 -> a    pool 1 a -> b           a is live from 0 to 3, since send and recv may
       copy   send 2 -> c    recv 3 c -> d           run before pool has */

/* The step starts only when all uses of the tensor have ended. */
static bool is_after_uses(const struct stream_lifetimes *lifetimes, uint32_t tensor, uint32_t step)
{
    const struct happens_before *order = lifetimes->order;
    for (uint32_t s = 0; s < order->streams; s++)
        if (lifetimes->end[(size_t)tensor * order->streams + s] >
            order->clock[(size_t)step * order->streams + s])
            return false;
    return true;
}

static void widen_lifetimes(const struct stream_lifetimes *lifetimes, uint32_t tensors,
                            struct liveness *liveness)
{
    for (uint32_t t = 0; t < tensors; t++) {
        uint32_t upper = lifetimes->order->steps;
        if (liveness->lower[t] == liveness->upper[t] || lifetimes->place[t] != t)
            continue;
        while (upper > liveness->upper[t] && is_after_uses(lifetimes, t, upper - 1))
            upper--;
        liveness->upper[t] = upper;
    }
}

static enum status make_streams_interval(const struct policy *policy,
                                         const struct policy_input *input,
                                         struct policy_level *made, struct error *error)
{
    (void)policy;
    struct stream_lifetimes *lifetimes;
    TRY(stream_lifetimes_create(input->graph, NULL, &lifetimes, error));
    enum status status = stream_line_create(input->graph, &made->liveness, error);
    if (!status) {
        widen_lifetimes(lifetimes, input->graph->tensors, made->liveness);
        status = stream_line_level(input, made, error);
    }
    stream_lifetimes_free(lifetimes);
    return status;
}

const struct policy policy_streams_interval = {
    .name = "streams_interval",
    .title =
        "tensors of several streams on the list's one line of steps, live as long as any order of "
        "the streams may need them",
    .source = "ours: the least that makes planners for one stream safe",
    .flags = POLICY_STREAMS,
    .make_level = make_streams_interval,
    .place = stream_line_place,
};
