#include <string.h>

#include "core/memory.h"
#include "planning/graph/add_waits.h"
#include "planning/graph/value_bytes.h"
#include "planning/interleavings.h"
#include "planning/random_graph.h"
#include "planning/stream_checks.h"
#include "support/must.h"
#include "support/testing.h"

/* Plans and graphs of several streams with one fault each. Whether a fault does harm, all
   interleavings of the streams say; where it does, verify and execute both have to see it. */

struct tally {
    uint32_t harmful, harmless;
};

/* Both checks agree with what happens. */
static void judge(const struct graph *graph, const struct placement *placement, struct tally *tally)
{
    static struct interleavings all;
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    must(happens_before_create(graph, NULL, &order, &error));
    if (interleavings_run(&all, graph, order)) {
        bool safe = interleavings_are_safe(&all, placement);
        CU_ASSERT_EQUAL(stream_checks_accept(graph, placement), safe);
        *(safe ? &tally->harmless : &tally->harmful) += 1;
    }
}

static struct graph *make_graph(struct random_state *random, uint32_t depth)
{
    const struct random_graph_shape shape = {.operators = 7, .depth = depth};
    struct graph *graph = random_graph_create(random, &shape);
    stream_reference_spread(graph, random, 3);
    return graph;
}

/* An operator that waits for something, from a random one on; GRAPH_NONE where there is none. */
static uint32_t find_waiting(const struct graph *graph, struct random_state *random)
{
    uint32_t begin = graph->operators ? (uint32_t)random_below(random, graph->operators) : 0;
    for (uint32_t i = 0; i < graph->operators; i++)
        if (graph->op[(begin + i) % graph->operators].after.count)
            return (begin + i) % graph->operators;
    return GRAPH_NONE;
}

static void drop_wait(struct graph *graph, uint32_t op, uint32_t index)
{
    struct span *after = &graph->op[op].after;
    graph->list[after->first + index] = graph->list[after->first + after->count - 1];
    after->count--;
}

/* Of what `serialised` and `waves` let operators wait for, one wait or all of one operator. */
static void drop_some(struct random_state *random, bool all_of_one, struct tally *tally)
{
    const char *policy = random_below(random, 3) ? "serialised" : "waves";
    SCOPED(graph_release)
    struct graph *graph = make_graph(random, (uint32_t)random_below(random, 2));
    SCOPED(placement_release)
    struct placement *placement = stream_checks_plan(graph, policy_find(policy));
    SCOPED(graph_release) struct graph *launched = NULL;
    must(policy_find(policy)->launch(graph, placement, &launched, &error));
    uint32_t op = find_waiting(launched, random);
    if (op != GRAPH_NONE && !all_of_one)
        drop_wait(launched, op, (uint32_t)random_below(random, launched->op[op].after.count));
    while (op != GRAPH_NONE && all_of_one && launched->op[op].after.count)
        drop_wait(launched, op, 0);
    if (op != GRAPH_NONE && graph_has_streams(graph))
        judge(launched, placement, tally);
}

static void drop_one_wait(struct random_state *random, struct tally *tally)
{
    drop_some(random, false, tally);
}

static void drop_waits(struct random_state *random, struct tally *tally)
{
    drop_some(random, true, tally);
}

static void swap_offsets(struct random_state *random, struct tally *tally)
{
    SCOPED(graph_release) struct graph *graph = make_graph(random, 0);
    SCOPED(placement_release)
    struct placement *placement = stream_checks_plan(graph, policy_find("streams"));
    uint64_t *a = &placement->offset[random_below(random, graph->tensors)];
    uint64_t *b = &placement->offset[random_below(random, graph->tensors)], kept = *a;
    if (*a != PROBLEM_FREE && *b != PROBLEM_FREE && *a != *b && graph_has_streams(graph)) {
        *a = *b;
        *b = kept;
        must(placement_find_peak(graph, placement, &placement->measures.peak_bytes, &error));
        judge(graph, placement, tally);
    }
}

/* A join is left out of what the planner knows: it plans as if one operator ran on another stream,
   so that it comes after others there. */
static void plan_other_stream(struct random_state *random, struct tally *tally)
{
    SCOPED(graph_release) struct graph *graph = make_graph(random, 0);
    uint32_t op = (uint32_t)random_below(random, graph->operators);
    uint32_t stream = graph->op[op].stream;
    graph->op[op].stream = (uint32_t)random_below(random, graph->streams.count);
    SCOPED(placement_release)
    struct placement *placement = stream_checks_plan(graph, policy_find("streams"));
    graph->op[op].stream = stream;
    if (graph_has_streams(graph))
        judge(graph, placement, tally);
}

enum { LEAST = TESTING_COUNT(300, 20), TURNS = 20000 };

static void test_faults(void)
{
    static void (*const fault[])(struct random_state * random, struct tally * tally) = {
        drop_one_wait, drop_waits, swap_offsets, plan_other_stream};
    for (uint64_t f = 0; f < sizeof fault / sizeof *fault; f++) {
        struct random_state random = random_seed(f + 1);
        struct tally tally = {0};
        for (int i = 0; i < TURNS && tally.harmful < LEAST; i++)
            fault[f](&random, &tally);
        printf("\n    %u harmful, %u harmless ", tally.harmful, tally.harmless);
        CU_ASSERT(tally.harmful >= LEAST);
    }
}

/* Without implied waits: those that are needed for reading are said, and one is left out. The graph
   itself is then wrong, and refused, unless the others say as much. */
static void test_dropped_reads(void)
{
    struct random_state random = random_seed(5);
    uint32_t refused = 0;
    for (int i = 0; i < TURNS && refused < LEAST; i++) {
        SCOPED(graph_release) struct graph *graph = make_graph(&random, 0), *waiting = NULL;
        struct graph_wait wait[64];
        uint32_t waits = 0, op;
        for (uint32_t o = 0; o < graph->operators; o++)
            for (uint32_t k = 0; k < graph->op[o].inputs.count; k++) {
                uint32_t input = graph->list[graph->op[o].inputs.first + k];
                uint32_t producer = graph->tensor[input].producer;
                if (producer != GRAPH_NONE && waits < 64)
                    wait[waits++] = (struct graph_wait){o, producer};
            }
        must(graph_add_waits(graph, wait, waits, &waiting, &error));
        waiting->waits_implied = false;
        must(happens_before_check(waiting, &op, &error));
        uint32_t waiter = find_waiting(waiting, &random);
        if (waiter != GRAPH_NONE) {
            drop_wait(waiting, waiter, 0);
            refused += happens_before_check(waiting, &op, &error) == STATUS_BAD_INPUT;
        }
    }
    CU_ASSERT(refused >= LEAST);
}

/* A third check, as dumb as can be: operators start and end in a random order that the waits allow,
   on an arena of bytes that remember which tensor wrote them. Each reads all its inputs when it
   starts and once more when it ends, and writes the first half of its outputs when it starts, the
   rest when it ends. */
struct random_run {
    const struct graph *graph;
    const struct placement *placement;
    const uint64_t *bytes;             /* [tensors] */
    struct stream_reference reference; /* what steps wait for */
    uint32_t *arena;                   /* [peak] the tensor that wrote each byte */
    bool intact;
};

static void write_half(struct random_run *run, uint32_t tensor, unsigned half)
{
    uint64_t middle = run->bytes[tensor] / 2, offset = run->placement->offset[tensor];
    uint64_t begin = half ? middle : 0, end = half ? run->bytes[tensor] : middle;
    for (uint64_t i = begin; i < end && offset != PROBLEM_FREE; i++)
        run->arena[offset + i] = tensor;
}

static void read_tensor(struct random_run *run, uint32_t tensor)
{
    uint64_t offset = run->placement->offset[tensor];
    for (uint64_t i = 0; i < run->bytes[tensor] && offset != PROBLEM_FREE; i++)
        run->intact = run->intact && run->arena[offset + i] == tensor;
}

static void run_half(struct random_run *run, uint32_t o, unsigned half)
{
    const struct graph *graph = run->graph;
    const struct graph_operator *op = &graph->op[o];
    for (uint32_t i = 0; i < op->inputs.count; i++)
        read_tensor(run, graph->list[op->inputs.first + i]);
    for (uint32_t i = 0; i < op->outputs.count; i++)
        write_half(run, graph->list[op->outputs.first + i], half);
    for (uint32_t i = 0; half && i < op->outputs.count; i++)
        read_tensor(run, graph->list[op->outputs.first + i]);
}

/* Of a graph without regions, whose steps are its operators. */
static bool is_intact(struct random_run *run, struct random_state *random)
{
    const struct graph *graph = run->graph;
    uint64_t started = 0, ended = 0, all = (UINT64_C(1) << graph->operators) - 1;
    struct span outputs = graph->region[0].yields;
    run->intact = true;
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        for (unsigned half = 0; half < 2; half++)
            write_half(run, graph->list[graph->inputs.first + i], half);
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        read_tensor(run, graph->list[graph->inputs.first + i]);
    while (ended != all) {
        uint32_t o = (uint32_t)random_below(random, graph->operators);
        uint64_t bit = UINT64_C(1) << o;
        if (ended & bit || (!(started & bit) && run->reference.waits[o] & ~ended))
            continue;
        run_half(run, o, (started & bit) != 0);
        *(started & bit ? &ended : &started) |= bit;
    }
    for (uint32_t i = 0; i < outputs.count; i++)
        read_tensor(run, graph->list[outputs.first + i]);
    return run->intact;
}

static uint32_t count_damaged(const struct graph *graph, const struct placement *placement,
                              struct random_state *random, uint32_t turns)
{
    struct random_run run = {.graph = graph, .placement = placement};
    struct stream_way way = stream_way_first(graph);
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    SCOPED(memory_release) uint64_t *bytes = NULL;
    uint32_t damaged = 0;
    must(happens_before_create(graph, NULL, &order, &error));
    must(value_bytes_create(graph, &bytes, &error));
    must(memory_create(&run.arena, placement->measures.peak_bytes + 1, sizeof *run.arena, &error));
    run.bytes = bytes;
    stream_reference_run(&run.reference, graph, order, &way);
    for (uint32_t i = 0; i < turns; i++)
        damaged += !is_intact(&run, random);
    memory_free(run.arena);
    return damaged;
}

/* What is accepted is never damaged; what is planned as if for one stream nearly always is. */
static void test_random_interleavings(void)
{
    const struct random_graph_shape shape = {.operators = 20};
    struct random_state random = random_seed(6);
    uint32_t refused = 0, found = 0;
    for (int i = 0; i < TESTING_COUNT(300, 30); i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        stream_reference_spread(graph, &random, 4);
        SCOPED(placement_release)
        struct placement *placement = stream_checks_plan(graph, policy_find("streams"));
        CU_ASSERT_EQUAL(count_damaged(graph, placement, &random, 20), 0);
        placement_free(placement);
        placement = stream_checks_plan(graph, policy_find("launch_order"));
        uint32_t damaged = count_damaged(graph, placement, &random, 50);
        bool accepted = stream_checks_accept(graph, placement);
        CU_ASSERT(!accepted || !damaged);
        refused += !accepted;
        found += damaged > 0;
        SCOPED(graph_release) struct graph *launched = NULL;
        must(policy_find("serialised")->launch(graph, placement, &launched, &error));
        CU_ASSERT_EQUAL(count_damaged(launched, placement, &random, 20), 0);
    }
    printf("\n    %u refused, of these %u damaged ", refused, found);
    CU_ASSERT(found * 10 >= refused * 8);
}

static const struct test_case cases[] = {
    {"dropped waits, removed joins, swapped offsets, plans for another stream", test_faults},
    {"a dropped wait of a reader", test_dropped_reads},
    {"random interleavings", test_random_interleavings},
};

TESTING_MAIN("planning/policies/stream_mutations", cases)
