#include "planning/liveness/stream_lifetimes.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "planning/execute/execute.h"
#include "planning/graph/critical_path.h"
#include "planning/graph/value_bytes.h"
#include "planning/lowering/stream_level.h"
#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "planning/problem/conflicts.h"
#include "planning/random_graph.h"
#include "planning/stream_reference.h"
#include "planning/verify/paths.h"
#include "support/testing.h"

enum { MOST_TENSORS = 40, MOST_WAYS = 64, MOST_STATES_STEPS = 11, STATES = 177147 /* 3^11 */ };

/* Which tensors are in use at once in some interleaving of the streams, found by trying all of
   them: each step starts when what it waits for has ended, and ends some time later. */
struct interleavings {
    const struct graph *graph;
    const struct happens_before *order;
    struct stream_reference reference;
    uint32_t steps, step[MOST_STATES_STEPS]; /* on the way, with their numbers */
    uint32_t place[MOST_TENSORS];            /* the tensor in whose place it is, GRAPH_NONE */
    uint64_t born[MOST_TENSORS]; /* the step that first writes its place, 0 from the start */
    uint64_t uses[MOST_TENSORS]; /* all steps that use it */
    bool kept[MOST_TENSORS], there[MOST_TENSORS];
    bool seen[STATES];
    uint64_t together[MOST_TENSORS]; /* tensors as bits */
    uint64_t *bytes;                 /* [tensors] of a place */
};

static uint64_t bit_of(uint32_t step)
{
    return UINT64_C(1) << step;
}

/* A use at a step, as a bit, if the way comes by; none for 0. Another turn of a loop may come by
   where this one does not. */
static void use(struct interleavings *all, uint32_t tensor, uint64_t step, uint32_t region)
{
    const struct graph *graph = all->graph;
    uint32_t producer = graph->tensor[tensor].producer, place = all->place[tensor];
    if (place == GRAPH_NONE)
        return;
    all->uses[place] |= step & all->reference.runs;
    for (uint32_t r = region; r != 0; r = graph->op[graph->region[r].owner].region) {
        uint32_t owner = graph->region[r].owner;
        if (graph->op[owner].loop && all->reference.way->taken[owner] != GRAPH_NONE &&
            (producer == GRAPH_NONE || producer < owner || producer >= graph->op[owner].end))
            all->uses[place] |= bit_of(all->order->leave_step[owner]) & all->reference.runs;
    }
}

static void make(struct interleavings *all, uint32_t tensor, uint32_t step, uint32_t last)
{
    uint32_t place = all->place[tensor];
    if (place == GRAPH_NONE)
        return;
    if (place == tensor)
        all->born[tensor] = bit_of(step);
    all->there[place] = true;
    all->uses[place] |= bit_of(step) | bit_of(last);
}

static void make_outputs(struct interleavings *all, uint32_t o)
{
    const struct graph *graph = all->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t enter = all->order->enter_step[o], leave = all->order->leave_step[o];
    for (uint32_t i = 0; i < op->carried.count; i++)
        make(all, graph->carried[op->carried.first + i].argument, enter, leave);
    for (uint32_t i = 0; i < op->outputs.count; i++)
        make(all, graph->list[op->outputs.first + i], op->loop ? enter : leave, leave);
}

static void use_inputs(struct interleavings *all, uint32_t o)
{
    const struct graph *graph = all->graph;
    const struct graph_operator *op = &graph->op[o];
    uint64_t enter = bit_of(all->order->enter_step[o]), leave = bit_of(all->order->leave_step[o]);
    uint32_t taken = all->reference.way->taken[o];
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        use(all, carried->init, enter, op->region);
        use(all, carried->yield, taken != GRAPH_NONE ? leave : 0, op->first_region);
    }
    for (uint32_t i = 0; i < op->inputs.count; i++)
        use(all, graph->list[op->inputs.first + i], enter, op->region);
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
            use(all, graph->list[graph->region[r].yields.first + i],
                taken == r || (op->loop && taken != GRAPH_NONE) ? leave : 0, r);
}

static void find_uses(struct interleavings *all)
{
    const struct graph *graph = all->graph;
    memset(all->born, 0, sizeof all->born);
    memset(all->uses, 0, sizeof all->uses);
    memset(all->kept, 0, sizeof all->kept);
    memset(all->there, 0, sizeof all->there);
    for (uint32_t t = 0; t < graph->tensors; t++)
        all->place[t] = graph->tensor[t].external ? GRAPH_NONE : t;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (!graph->tensor[graph->carried[c].result].external)
            all->place[graph->carried[c].result] = graph->carried[c].argument;
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        all->there[graph->list[graph->inputs.first + i]] = true;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (all->reference.runs >> all->order->enter_step[o] & 1)
            make_outputs(all, o);
    for (uint32_t o = 0; o < graph->operators; o++)
        use_inputs(all, o);
    for (uint32_t i = 0; i < graph->region[0].yields.count; i++)
        if (all->place[graph->list[graph->region[0].yields.first + i]] != GRAPH_NONE)
            all->kept[all->place[graph->list[graph->region[0].yields.first + i]]] = true;
}

/* Steps that have started and those that have ended. */
static void note_state(struct interleavings *all, uint64_t started, uint64_t ended)
{
    uint64_t live = 0;
    for (uint32_t t = 0; t < all->graph->tensors; t++) {
        bool begun = all->there[t] && all->place[t] == t && (all->born[t] & ~started) == 0;
        bool is_handed_in = !started && all->graph->tensor[t].producer == GRAPH_NONE;
        if (begun && (all->kept[t] || is_handed_in || (all->uses[t] & ~ended)))
            live |= UINT64_C(1) << t;
    }
    for (uint32_t t = 0; t < all->graph->tensors; t++)
        if (live >> t & 1)
            all->together[t] |= live;
}

static void explore(struct interleavings *all, uint64_t started, uint64_t ended)
{
    uint32_t state = 0;
    for (uint32_t i = all->steps; i-- > 0;)
        state = 3 * state + (uint32_t)(started >> all->step[i] & 1) +
                (uint32_t)(ended >> all->step[i] & 1);
    if (all->seen[state])
        return;
    all->seen[state] = true;
    note_state(all, started, ended);
    for (uint32_t i = 0; i < all->steps; i++) {
        uint64_t step = bit_of(all->step[i]);
        if (started & step && !(ended & step))
            explore(all, started, ended | step);
        else if (!(started & step) && !(all->reference.waits[all->step[i]] & ~ended))
            explore(all, started | step, ended);
    }
}

static bool run_way(struct interleavings *all, const struct stream_way *way)
{
    stream_reference_run(&all->reference, all->graph, all->order, way);
    all->steps = 0;
    for (uint32_t s = 0; s < all->order->steps; s++)
        if (all->reference.runs >> s & 1) {
            if (all->steps == MOST_STATES_STEPS)
                return false;
            all->step[all->steps++] = s;
        }
    memset(all->seen, 0, sizeof all->seen);
    find_uses(all);
    explore(all, 0, 0);
    return true;
}

/* False for a graph that is too large for this. */
static bool run_all(struct interleavings *all, const struct graph *graph,
                    const struct happens_before *order)
{
    struct stream_way way = stream_way_first(graph);
    uint32_t ways = 0;
    *all = (struct interleavings){.graph = graph, .order = order, .bytes = all->bytes};
    if (graph->tensors > MOST_TENSORS || order->steps > STREAM_MOST_STEPS)
        return false;
    do {
        if (++ways > MOST_WAYS || !run_way(all, &way))
            return false;
    } while (stream_way_next(graph, &way));
    return true;
}

/* How many pairs conflict although no interleaving has both at once; never the other way round. */
static uint32_t compare_conflicts(const struct interleavings *all)
{
    struct stream_lifetimes *lifetimes;
    struct error error;
    uint32_t more = 0;
    CU_ASSERT_EQUAL_FATAL(stream_lifetimes_create(all->graph, NULL, &lifetimes, &error), STATUS_OK);
    for (uint32_t a = 0; a < all->graph->tensors; a++)
        for (uint32_t b = 0; b < a; b++) {
            if (lifetimes->place[a] != a || lifetimes->place[b] != b)
                continue;
            bool conflict = stream_lifetimes_conflict(lifetimes, all->graph, a, b);
            bool together = all->together[a] >> b & 1;
            CU_ASSERT(conflict || !together);
            more += conflict && !together;
        }
    stream_lifetimes_free(lifetimes);
    return more;
}

/* The policy's problem has exactly the pairs that some interleaving on some way has at once. */
static void compare_level(const struct interleavings *all)
{
    struct level *level;
    struct conflicts *conflicts;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(stream_level_create(&(struct stream_level_source){.graph = all->graph,
                                                                            .alignment_bytes = 1},
                                              &level, &error),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(conflicts_create(level->problem, &conflicts, &error), STATUS_OK);
    for (uint32_t a = 0; a < level->problem->buffers; a++) {
        uint64_t others = 0, together = all->together[level->tensor[a]];
        for (uint64_t i = conflicts->first[a]; i < conflicts->first[a + 1]; i++)
            others |= UINT64_C(1) << level->tensor[conflicts->other[i]];
        CU_ASSERT_EQUAL(others, together & ~(UINT64_C(1) << level->tensor[a]));
    }
    conflicts_free(conflicts);
    level_free(level);
}

static bool share_bytes(const struct interleavings *all, const struct placement *placement,
                        uint32_t a, uint32_t b)
{
    if (placement->offset[a] == PROBLEM_FREE || placement->offset[b] == PROBLEM_FREE)
        return false;
    return placement->offset[a] < placement->offset[b] + all->bytes[b] &&
           placement->offset[b] < placement->offset[a] + all->bytes[a];
}

static bool is_safe(const struct interleavings *all, const struct placement *placement)
{
    for (uint32_t a = 0; a < all->graph->tensors; a++)
        for (uint32_t b = 0; b < a; b++)
            if (all->together[a] >> b & 1 && share_bytes(all, placement, a, b))
                return false;
    return true;
}

/* Where some branch yields another number of bytes than the result has, execution looks only at
   those that are there; and it knows which turn of a loop is the last that reads something. */
static bool execution_knows_more(const struct graph *graph)
{
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].loop)
            return true;
    for (uint32_t r = 1; r < graph->regions; r++) {
        const struct graph_operator *op = &graph->op[graph->region[r].owner];
        for (uint32_t i = 0; !op->loop && i < op->outputs.count; i++)
            if (graph->tensor[graph->list[op->outputs.first + i]].bytes !=
                graph->tensor[graph->list[graph->region[r].yields.first + i]].bytes)
                return true;
    }
    return false;
}

static bool both_accept(const struct graph *graph, const struct placement *placement)
{
    struct verdict verdict;
    struct execution execution;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(verify_paths(graph, placement, &verdict, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        execute_placement(graph, placement, &EXECUTE_DEFAULTS, &execution, &error), STATUS_OK);
    CU_ASSERT(execution.intact || verdict.fault != VERIFY_VALID);
    CU_ASSERT(verdict.fault == VERIFY_VALID || !execution.intact || execution_knows_more(graph));
    return verdict.fault == VERIFY_VALID;
}

/* What is copied to bytes that it is in already may overlap them; execution knows that, the other
   check does not. */
static bool is_copied_onto_itself(const struct interleavings *all,
                                  const struct placement *placement)
{
    const struct graph *graph = all->graph;
    for (uint32_t r = 1; r < graph->regions; r++) {
        const struct graph_operator *op = &graph->op[graph->region[r].owner];
        for (uint32_t i = 0; !op->loop && i < op->outputs.count; i++)
            if (share_bytes(all, placement, graph->list[op->outputs.first + i],
                            graph->list[graph->region[r].yields.first + i]))
                return true;
    }
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (share_bytes(all, placement, graph->carried[c].argument, graph->carried[c].yield))
            return true;
    return false;
}

/* Tensors anywhere in an arena in which some have to overlap: both checks accept exactly what no
   interleaving harms. */
static uint32_t compare_checks(const struct interleavings *all, struct random_state *random)
{
    const struct graph *graph = all->graph;
    struct placement *placement;
    struct error error;
    uint32_t accepted = 0;
    uint64_t sum = 0;
    CU_ASSERT_EQUAL_FATAL(placement_create(graph, &placement, &error), STATUS_OK);
    for (uint32_t t = 0; t < graph->tensors; t++)
        sum += graph->tensor[t].bytes;
    for (int i = 0; i < 20; i++) {
        for (uint32_t t = 0; t < graph->tensors; t++)
            placement->offset[t] = all->place[t] == t
                                       ? random_below(random, 1 + sum * (uint64_t)(i + 1) / 4)
                                       : PROBLEM_FREE;
        CU_ASSERT_EQUAL(
            placement_find_peak(graph, placement, &placement->measures.peak_bytes, &error),
            STATUS_OK);
        if (is_copied_onto_itself(all, placement))
            continue;
        bool accept = both_accept(graph, placement);
        CU_ASSERT_EQUAL(accept, is_safe(all, placement));
        accepted += accept;
    }
    placement_free(placement);
    return accepted;
}

static enum status plan_first_fit(void *context, const struct level *level, struct plan *plan,
                                  struct error *error)
{
    (void)context;
    plan->status = PLAN_FEASIBLE;
    TRY(placing_first_fit(level->problem, plan, error));
    return plan_set_peak(plan, level->problem, error);
}

/* Whoever runs after another one in the graph does so when it is launched. */
static void check_refines(const struct graph *graph, const struct graph *launched)
{
    struct happens_before *order, *after;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(happens_before_create(graph, NULL, &order, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(happens_before_create(launched, NULL, &after, &error), STATUS_OK);
    for (uint32_t a = 0; a < graph->tensors; a++)
        for (uint32_t b = 0; b < graph->tensors; b++) {
            uint32_t first = graph->tensor[a].producer, second = graph->tensor[b].producer;
            if (first == GRAPH_NONE || second == GRAPH_NONE ||
                !happens_before_is(order, order->leave_step[first], order->enter_step[second]))
                continue;
            first = launched->tensor[a].producer;
            second = launched->tensor[b].producer;
            CU_ASSERT(
                happens_before_is(after, after->leave_step[first], after->enter_step[second]));
        }
    happens_before_free(order);
    happens_before_free(after);
}

static void check_launched(const struct graph *graph, const struct policy *policy,
                           const struct placement *placement)
{
    struct critical_path path, launched_path;
    struct graph *launched;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(policy->launch(graph, placement, &launched, &error), STATUS_OK);
    check_refines(graph, launched);
    CU_ASSERT(both_accept(launched, placement));
    CU_ASSERT_EQUAL(critical_path_find(graph, &path, &error), STATUS_OK);
    CU_ASSERT_EQUAL(critical_path_find(launched, &launched_path, &error), STATUS_OK);
    CU_ASSERT_EQUAL(path.work, launched_path.work);
    CU_ASSERT(path.longest <= launched_path.longest && launched_path.longest <= path.work);
    graph_free(launched);
}

/* What the policy plans is accepted by both checks. */
static void check_policy(const struct graph *graph, const char *name)
{
    const struct policy *policy = policy_find(name);
    const struct level_planner planner = {.plan = plan_first_fit, .alignment_bytes = 1};
    struct placement *placement;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(placement_create(graph, &placement, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(policy_place(policy, graph, &planner, placement, &error), STATUS_OK);
    if (policy->launch)
        check_launched(graph, policy, placement);
    else
        CU_ASSERT(both_accept(graph, placement));
    placement_free(placement);
}

static void check_policies(const struct graph *graph)
{
    for (uint32_t p = 0; p < policy_count(); p++)
        if (policy_at(p)->flags & POLICY_STREAMS && !(policy_at(p)->flags & POLICY_UNSAFE))
            check_policy(graph, policy_at(p)->name);
}

struct tally {
    uint32_t graphs, conflicts_more, accepted;
};

static void check_graph(const struct graph *graph, struct random_state *random, struct tally *tally)
{
    static struct interleavings all;
    struct happens_before *order;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(happens_before_create(graph, NULL, &order, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(value_bytes_create(graph, &all.bytes, &error), STATUS_OK);
    if (graph_has_streams(graph) && run_all(&all, graph, order)) {
        tally->graphs++;
        tally->conflicts_more += compare_conflicts(&all);
        compare_level(&all);
        tally->accepted += compare_checks(&all, random);
    }
    memory_free(all.bytes);
    happens_before_free(order);
    check_policies(graph);
}

static struct tally check_graphs(const struct random_graph_shape *shape, uint64_t seed, int graphs)
{
    struct random_state random = random_seed(seed);
    struct tally tally = {0};
    for (int i = 0; i < graphs; i++) {
        struct graph *graph = random_graph_create(&random, shape);
        stream_reference_spread(graph, &random, 3);
        check_graph(graph, &random, &tally);
        graph_free(graph);
    }
    printf("\n    %u graphs, %u plans accepted, %u conflicts too many ", tally.graphs,
           tally.accepted, tally.conflicts_more);
    return tally;
}

static void test_straight(void)
{
    struct tally tally = check_graphs(&(struct random_graph_shape){.operators = 7}, 11, 400);
    CU_ASSERT(tally.graphs > 100);
    CU_ASSERT(tally.accepted > 100);
    CU_ASSERT_EQUAL(tally.conflicts_more, 0);
}

/* Deeper regions have too many steps for all interleavings; the checks have to agree with the
   policy all the same. */
static void test_nested(void)
{
    struct random_state random = random_seed(13);
    const struct random_graph_shape shape = {.operators = 12, .depth = 3, .loops = true};
    for (uint32_t i = 0; i < 1000; i++) {
        struct graph *graph = random_graph_create(&random, &shape);
        stream_reference_spread(graph, &random, 1 + i % 3);
        check_policies(graph);
        graph_free(graph);
    }
}

static void test_branches(void)
{
    struct tally tally = check_graphs(
        &(struct random_graph_shape){.operators = 7, .depth = 1, .loops = true}, 12, 1500);
    CU_ASSERT(tally.graphs > 300);
    CU_ASSERT(tally.accepted > 300);
    CU_ASSERT(tally.conflicts_more < 2 * tally.graphs);
}

static const struct test_case cases[] = {
    {"graphs without branches against all interleavings", test_straight},
    {"graphs with branches and loops against all interleavings", test_branches},
    {"what is planned in nested branches and loops", test_nested},
};

TESTING_MAIN("planning/policies/streams", cases)
