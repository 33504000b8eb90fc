#include "planning/graph/critical_path.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/scratch.h"
#include "planning/graph/happens_before.h"
#include "planning/graph/ways.h"

enum { MOST_WAYS = 256 };

/* The steps of one stream that a way runs, in the order of the list. */
struct launches {
    uint32_t *step;  /* [count] */
    uint64_t *ended; /* [count] when each has ended */
    uint32_t count;
};

struct timing {
    const struct graph *graph;
    uint64_t *duration;      /* [operators] */
    uint32_t *op_of;         /* [steps] */
    bool *reached;           /* [regions] */
    struct launches *stream; /* [streams] each with room for all steps */
    struct critical_path *path;
    struct scratch scratch;
    struct error *error;
};

static void free_timing(struct timing *timing)
{
    scratch_free(&timing->scratch);
}

/* Runs a step when all that its clock says has ended, and says when that has ended. */
static uint64_t run_step(struct timing *timing, const struct happens_before *order, uint32_t step)
{
    const uint32_t *clock = order->clock + (size_t)step * order->streams;
    struct launches *own = &timing->stream[order->step_stream[step]];
    uint32_t op = timing->op_of[step];
    assert(step < order->steps && op < timing->graph->operators);
    uint64_t ended = 0;
    for (uint32_t s = 0; s < order->streams; s++) {
        const struct launches *launches = &timing->stream[s];
        uint32_t before = BINARY_SEARCH(at, 0, launches->count, launches->step[at] >= clock[s]);
        if (before && launches->ended[before - 1] > ended)
            ended = launches->ended[before - 1];
    }
    assert(order->enter_step[op] == step || order->leave_step[op] == step);
    if (order->enter_step[op] == step)
        ended += timing->duration[op];
    assert(!own->count || own->step[own->count - 1] < step);
    own->step[own->count] = step;
    own->ended[own->count++] = ended;
    return ended;
}

static enum status time_way(void *context, const uint32_t *way)
{
    struct timing *timing = context;
    const struct graph *graph = timing->graph;
    struct critical_path *path = timing->path;
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    uint64_t work = 0;
    TRY(happens_before_create(graph, way, &order, timing->error));
    graph_mark_reached(graph, way, timing->reached);
    assert(order->steps <= 2 * graph->operators);
    for (uint32_t s = 0; s < order->streams; s++)
        timing->stream[s].count = 0;
    for (uint32_t o = 0; o < graph->operators; o++) {
        timing->op_of[order->enter_step[o]] = timing->op_of[order->leave_step[o]] = o;
        work += timing->reached[graph->op[o].region] ? timing->duration[o] : 0;
    }
    path->work = path->work < work ? work : path->work;
    for (uint32_t step = 0; step < order->steps; step++) {
        if (!timing->reached[graph->op[timing->op_of[step]].region])
            continue;
        uint64_t ended = run_step(timing, order, step);
        assert(ended <= work);
        path->longest = path->longest < ended ? ended : path->longest;
    }
    assert(path->longest <= path->work);
    return STATUS_OK;
}

enum status critical_path_find(const struct graph *graph, struct critical_path *path,
                               struct error *error)
{
    SCOPED(free_timing) struct timing timing = {.graph = graph, .path = path, .error = error};
    const struct graph_way_visitor visitor = {time_way, &timing};
    struct scratch *scratch = &timing.scratch;
    size_t steps = (size_t)graph->operators * 2, streams = graph->streams.count;
    *path = (struct critical_path){0};
    TRY(scratch_take(scratch, &timing.duration, graph->operators, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &timing.op_of, steps, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &timing.reached, graph->regions, sizeof(bool), error));
    TRY(scratch_take(scratch, &timing.stream, streams, sizeof *timing.stream, error));
    for (uint32_t s = 0; s < streams; s++) {
        TRY(scratch_take_all(scratch, steps, error, &timing.stream[s].step,
                             &timing.stream[s].ended));
    }
    bool times = false, work = false;
    for (uint32_t o = 0; o < graph->operators; o++) {
        times |= graph->op[o].compute_ns > 0;
        work |= graph->op[o].flops > 0;
    }
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        int64_t known = times ? op->compute_ns : work ? op->flops : 1;
        timing.duration[o] = op->first_region == GRAPH_NONE && known > 0 ? (uint64_t)known : 0;
    }
    return graph_visit_ways(graph, MOST_WAYS, &visitor, error);
}
