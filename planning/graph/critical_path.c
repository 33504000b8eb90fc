#include "planning/graph/critical_path.h"

#include "core/memory.h"
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
    struct error *error;
};

static int64_t get_time(const struct graph_operator *op)
{
    return op->compute_ns;
}

static int64_t get_work(const struct graph_operator *op)
{
    return op->flops;
}

static bool is_known(const struct graph *graph, int64_t (*get)(const struct graph_operator *op))
{
    for (uint32_t o = 0; o < graph->operators; o++)
        if (get(&graph->op[o]) > 0)
            return true;
    return false;
}

static void find_durations(const struct graph *graph, uint64_t *duration)
{
    bool times = is_known(graph, get_time), work = is_known(graph, get_work);
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        int64_t known = times ? op->compute_ns : work ? op->flops : 1;
        duration[o] = op->first_region == GRAPH_NONE && known > 0 ? (uint64_t)known : 0;
    }
}

/* Marks the regions that the way runs. The region that holds a region's owner has a lower number,
   so it is marked before. */
static void find_reached(const struct graph *graph, const uint32_t *way, bool *reached)
{
    reached[0] = true;
    for (uint32_t r = 1; r < graph->regions; r++) {
        uint32_t owner = graph->region[r].owner;
        bool taken = graph->op[owner].loop ? way[owner] != GRAPH_NONE : way[owner] == r;
        reached[r] = taken && reached[graph->op[owner].region];
    }
}

/* When the last of the stream's steps before `step` has ended. */
static uint64_t find_end(const struct launches *launches, uint32_t step)
{
    uint32_t low = 0, high = launches->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (launches->step[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? launches->ended[low - 1] : 0;
}

static uint64_t run_step(struct timing *timing, const struct happens_before *order, uint32_t step)
{
    struct launches *own = &timing->stream[order->step_stream[step]];
    uint64_t ended = 0;
    for (uint32_t s = 0; s < order->streams; s++) {
        uint64_t end = find_end(&timing->stream[s], order->clock[step * order->streams + s]);
        ended = ended < end ? end : ended;
    }
    uint32_t op = timing->op_of[step];
    if (order->enter_step[op] == step)
        ended += timing->duration[op];
    own->step[own->count] = step;
    own->ended[own->count++] = ended;
    return ended;
}

static void run_steps(struct timing *timing, const struct happens_before *order)
{
    const struct graph *graph = timing->graph;
    struct critical_path *path = timing->path;
    uint64_t work = 0;
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
        path->longest = path->longest < ended ? ended : path->longest;
    }
}

static enum status time_way(void *context, const uint32_t *way)
{
    struct timing *timing = context;
    struct happens_before *order;
    TRY(happens_before_create(timing->graph, way, &order, timing->error));
    find_reached(timing->graph, way, timing->reached);
    run_steps(timing, order);
    happens_before_free(order);
    return STATUS_OK;
}

static enum status create_timing(struct timing *timing)
{
    const struct graph *graph = timing->graph;
    size_t most_steps = (size_t)graph->operators * 2;
    TRY(memory_create(&timing->duration, graph->operators, sizeof(uint64_t), timing->error));
    TRY(memory_create(&timing->op_of, most_steps, sizeof(uint32_t), timing->error));
    TRY(memory_create(&timing->reached, graph->regions, sizeof(bool), timing->error));
    TRY(memory_create(&timing->stream, graph->streams.count, sizeof *timing->stream,
                      timing->error));
    for (uint32_t s = 0; s < graph->streams.count; s++) {
        TRY(memory_create(&timing->stream[s].step, most_steps, sizeof(uint32_t), timing->error));
        TRY(memory_create(&timing->stream[s].ended, most_steps, sizeof(uint64_t), timing->error));
    }
    return STATUS_OK;
}

static void free_timing(struct timing *timing)
{
    for (uint32_t s = 0; timing->stream && s < timing->graph->streams.count; s++) {
        memory_free(timing->stream[s].step);
        memory_free(timing->stream[s].ended);
    }
    memory_free(timing->stream);
    memory_free(timing->duration);
    memory_free(timing->op_of);
    memory_free(timing->reached);
}

enum status critical_path_find(const struct graph *graph, struct critical_path *path,
                               struct error *error)
{
    struct timing timing = {.graph = graph, .path = path, .error = error};
    const struct graph_way_visitor visitor = {time_way, &timing};
    *path = (struct critical_path){0};
    enum status status = create_timing(&timing);
    if (!status) {
        find_durations(graph, timing.duration);
        status = graph_visit_ways(graph, MOST_WAYS, &visitor, error);
    }
    free_timing(&timing);
    return status;
}
