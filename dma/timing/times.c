#include "dma/timing/times.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "dma/program/paths.h"

enum { MOST_FLOWS = 256, MOST_TURNS = 1024, NO_RESULT = 0 };

/* All paths that reach a point of the graph in the same state. */
struct flow {
    uint32_t state;
    double probability;
    double expected_ns; /* sum over these paths of probability times time */
    uint64_t worst_ns;
};

struct flows {
    struct flow *flow; /* [count] */
    uint32_t count;
    size_t capacity;
};

/* The flows that leave a region of the graph if it is entered in a given state with probability 1.
   The results of a region are a linked list. */
struct result {
    uint32_t entered, next;
    struct span out; /* its part of composer.out */
};

struct composer {
    struct region_times *region_times;
    const struct transfer_regions *regions;
    const uint32_t *chosen;
    uint32_t *newest; /* [graph->regions] the newest result of its list; NO_RESULT: none */
    struct result *result;
    struct flow *out;
    uint32_t results, out_count;
    size_t result_capacity, out_capacity;
    bool overflow;
    struct error *error;
};

/* A flow that first takes the time of `before` and then that of `after`, whose time and probability
   are counted from where it begins. */
static struct flow append(struct composer *composer, const struct flow *before,
                          const struct flow *after)
{
    struct flow both = {.state = after->state,
                        .probability = before->probability * after->probability,
                        .expected_ns = before->expected_ns * after->probability +
                                       before->probability * after->expected_ns};
    composer->overflow |= !checked_add(before->worst_ns, after->worst_ns, &both.worst_ns);
    return both;
}

static enum status add_flow(struct composer *composer, struct flows *flows, const struct flow *flow)
{
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flow *same = &flows->flow[i];
        if (!region_times_same(composer->region_times, same->state, flow->state))
            continue;
        same->probability += flow->probability;
        same->expected_ns += flow->expected_ns;
        same->worst_ns = flow->worst_ns > same->worst_ns ? flow->worst_ns : same->worst_ns;
        return STATUS_OK;
    }
    if (flows->count == MOST_FLOWS)
        return error_set(composer->error, STATUS_LIMIT,
                         "more than %d states of transfers under way meet", MOST_FLOWS);
    TRY(memory_reserve(&flows->flow, &flows->capacity, (size_t)flows->count + 1,
                       sizeof *flows->flow, composer->error));
    flows->flow[flows->count++] = *flow;
    return STATUS_OK;
}

/* Makes `by` the flows at hand, and reuses the old list, emptied, for the next step. */
static void replace(struct flows *flows, struct flows *by)
{
    struct flows old = *flows;
    assert(by->count > 0);
    *flows = *by;
    *by = old;
    by->count = 0;
}

static enum status find_result(struct composer *composer, uint32_t g, uint32_t state,
                               struct span *out);

/* Sends a flow through a region of the graph that is taken with a certain probability, and adds
   what comes out to `next`. */
static enum status pass_graph_region(struct composer *composer, uint32_t g, double probability,
                                     const struct flow *flow, struct flows *next)
{
    struct span out;
    TRY(find_result(composer, g, flow->state, &out));
    for (uint32_t i = 0; i < out.count; i++) {
        struct flow after = composer->out[out.first + i];
        after.probability *= probability;
        after.expected_ns *= probability;
        after = append(composer, flow, &after);
        TRY(add_flow(composer, next, &after));
    }
    return STATUS_OK;
}

/* Sends the flows through a loop, turn after turn. Once a turn has led from a single state back to
   the same state, all further turns take equally long and are added at once. */
static enum status pass_loop(struct composer *composer, uint32_t owner, struct flows *flows,
                             struct flows *next)
{
    const struct graph *graph = composer->regions->graph;
    uint64_t turns = transfer_paths_turns(&graph->op[owner]), product;
    for (uint64_t turn = 1; turn <= turns; turn++) {
        const struct flow before = flows->flow[0];
        bool single = flows->count == 1;
        if (turn > MOST_TURNS)
            return error_set(composer->error, STATUS_LIMIT,
                             "%d turns of a loop do not come to one state", MOST_TURNS);
        for (uint32_t g = graph->op[owner].first_region; g != GRAPH_NONE;
             g = graph->region[g].next) {
            for (uint32_t i = 0; i < flows->count; i++)
                TRY(pass_graph_region(composer, g, 1, &flows->flow[i], next));
            replace(flows, next);
        }
        struct flow *after = &flows->flow[0];
        if (!single || flows->count > 1 ||
            !region_times_same(composer->region_times, before.state, after->state))
            continue;
        assert(after->worst_ns >= before.worst_ns || composer->overflow);
        composer->overflow |=
            !checked_multiply(after->worst_ns - before.worst_ns, turns - turn, &product) ||
            !checked_add(after->worst_ns, product, &after->worst_ns);
        after->expected_ns += (after->expected_ns - before.expected_ns) * (double)(turns - turn);
        break;
    }
    return STATUS_OK;
}

static enum status pass_all(struct composer *composer, uint32_t g, struct flows *flows,
                            struct flows *next)
{
    const struct transfer_regions *regions = composer->regions;
    const uint32_t *chosen = composer->chosen;
    for (uint32_t r = regions->first_of[g]; r != GRAPH_NONE; r = regions->region[r].next) {
        for (uint32_t i = 0; i < flows->count; i++) {
            struct region_passage passage;
            TRY(region_times_run(composer->region_times, r, flows->flow[i].state, &passage,
                                 composer->error));
            const struct flow after = {passage.left, 1, (double)passage.time_ns, passage.time_ns};
            const struct flow both = append(composer, &flows->flow[i], &after);
            TRY(add_flow(composer, next, &both));
        }
        replace(flows, next);
        uint32_t owner = regions->region[r].owner;
        if (owner == GRAPH_NONE)
            continue;
        if (regions->graph->op[owner].loop) {
            TRY(pass_loop(composer, owner, flows, next));
            continue;
        }
        for (uint32_t i = 0; i < flows->count; i++)
            for (uint32_t b = regions->graph->op[owner].first_region; b != GRAPH_NONE;
                 b = regions->graph->region[b].next)
                if (!chosen || chosen[owner] == b)
                    TRY(pass_graph_region(composer, b, chosen ? 1 : regions->probability[b],
                                          &flows->flow[i], next));
        replace(flows, next);
    }
    return STATUS_OK;
}

static void clear_flows(struct flows *flows)
{
    memory_free(flows->flow);
}

static enum status find_result(struct composer *composer, uint32_t g, uint32_t state,
                               struct span *out)
{
    for (uint32_t i = composer->newest[g]; i != NO_RESULT; i = composer->result[i].next)
        if (region_times_same(composer->region_times, composer->result[i].entered, state)) {
            *out = composer->result[i].out;
            return STATUS_OK;
        }
    SCOPED(clear_flows) struct flows flows = {0};
    SCOPED(clear_flows) struct flows next = {0};
    const struct flow first = {state, 1, 0, 0};
    TRY(add_flow(composer, &flows, &first));
    TRY(pass_all(composer, g, &flows, &next));
    TRY(memory_reserve(&composer->result, &composer->result_capacity, (size_t)composer->results + 1,
                       sizeof *composer->result, composer->error));
    TRY(memory_reserve(&composer->out, &composer->out_capacity,
                       (size_t)composer->out_count + flows.count, sizeof *composer->out,
                       composer->error));
    *out = (struct span){composer->out_count, flows.count};
    for (uint32_t i = 0; i < flows.count; i++)
        composer->out[composer->out_count++] = flows.flow[i];
    composer->result[composer->results] = (struct result){state, composer->newest[g], *out};
    composer->newest[g] = composer->results++;
    return STATUS_OK;
}

static void clear_composer(struct composer *composer)
{
    memory_free_all(composer->newest, composer->result, composer->out);
}

enum status transfer_times_compose(struct region_times *region_times, const uint32_t *chosen,
                                   struct transfer_times *times, struct error *error)
{
    const struct transfer_regions *regions = region_times_regions(region_times);
    SCOPED(clear_composer)
    struct composer composer = {.region_times = region_times,
                                .regions = regions,
                                .chosen = chosen,
                                .results = 1,
                                .error = error};
    struct span out;
    double expected_ns = 0;
    TRY(memory_create(&composer.newest, regions->graph->regions, sizeof *composer.newest, error));
    TRY(find_result(&composer, 0, REGION_TIMES_IDLE, &out));
    times->worst_ns = 0;
    for (uint32_t i = out.first; i < out.first + out.count; i++) {
        uint64_t worst_ns = composer.out[i].worst_ns;
        expected_ns += composer.out[i].expected_ns;
        times->worst_ns = worst_ns > times->worst_ns ? worst_ns : times->worst_ns;
    }
    if (composer.overflow || times->worst_ns > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the times add up to 2^63 ns or more");
    times->expected_ns = (uint64_t)(expected_ns + 0.5);
    if (chosen || times->expected_ns > times->worst_ns)
        times->expected_ns = times->worst_ns;
    return STATUS_OK;
}
