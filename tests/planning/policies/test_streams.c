#include "planning/liveness/stream_lifetimes.h"

#include <stdio.h>

#include "core/memory.h"
#include "core/text.h"
#include "planning/graph/build.h"
#include "planning/graph/critical_path.h"
#include "planning/interleavings.h"
#include "planning/lowering/stream_level.h"
#include "planning/problem/conflicts.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "planning/stream_checks.h"
#include "planning/verify/paths/paths.h"
#include "planning/verify/streams/pairs.h"
#include "support/must.h"
#include "support/testing.h"

/* How many pairs conflict although no interleaving has both at once; never the other way round. */
static uint32_t compare_conflicts(const struct interleavings *all)
{
    SCOPED(stream_lifetimes_release) struct stream_lifetimes *lifetimes = NULL;
    uint32_t more = 0;
    must(stream_lifetimes_create(all->graph, NULL, &lifetimes, &error));
    for (uint32_t a = 0; a < all->graph->tensors; a++)
        for (uint32_t b = 0; b < a; b++) {
            if (lifetimes->place[a] != a || lifetimes->place[b] != b)
                continue;
            bool conflict = stream_lifetimes_conflict(lifetimes, all->graph, a, b);
            bool together = all->together[a] >> b & 1;
            CU_ASSERT(conflict || !together);
            more += conflict && !together;
        }
    return more;
}

/* The policy's problem has exactly the pairs that some interleaving on some way has at once. */
static void compare_level(const struct interleavings *all)
{
    SCOPED(level_release) struct level *level = NULL;
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    must(stream_level_create(
        &(struct stream_level_source){.graph = all->graph, .alignment_bytes = 1}, &level, &error));
    must(conflicts_create(level->problem, &conflicts, &error));
    for (uint32_t a = 0; a < level->problem->buffers; a++) {
        uint64_t others = 0, together = all->together[level->tensor[a]];
        for (uint64_t i = conflicts->first[a]; i < conflicts->first[a + 1]; i++)
            others |= UINT64_C(1) << level->tensor[conflicts->other[i]];
        CU_ASSERT_EQUAL(others, together & ~(UINT64_C(1) << level->tensor[a]));
    }
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
            if (interleavings_share_bytes(all, placement, graph->list[op->outputs.first + i],
                                          graph->list[graph->region[r].yields.first + i]))
                return true;
    }
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (interleavings_share_bytes(all, placement, graph->carried[c].argument,
                                      graph->carried[c].yield))
            return true;
    return false;
}

/* Deciding all ways at once says what looking at each of them does. */
static void check_decision(const struct graph *graph, const struct placement *placement,
                           bool accept)
{
    enum stream_pairs_answer answer;
    SCOPED(memory_release) uint32_t *way = NULL;
    must(memory_create(&way, graph->operators, sizeof *way, &error));
    must(stream_pairs_decide(graph, placement, way, &answer, &error));
    CU_ASSERT_EQUAL(answer, accept ? STREAM_PAIRS_APART : STREAM_PAIRS_OVERLAP);
}

/* Tensors anywhere in an arena in which some have to overlap: both checks accept exactly what no
   interleaving harms. */
static uint32_t compare_checks(const struct interleavings *all, struct random_state *random)
{
    const struct graph *graph = all->graph;
    SCOPED(placement_release) struct placement *placement = NULL;
    uint32_t accepted = 0;
    uint64_t sum = 0;
    must(placement_create(graph, &placement, &error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        sum += graph->tensor[t].bytes;
    for (int i = 0; i < 20; i++) {
        for (uint32_t t = 0; t < graph->tensors; t++)
            placement->offset[t] = all->place[t] == t
                                       ? random_below(random, 1 + sum * (uint64_t)(i + 1) / 4)
                                       : PROBLEM_FREE;
        must(placement_find_peak(graph, placement, &placement->measures.peak_bytes, &error));
        if (is_copied_onto_itself(all, placement))
            continue;
        bool accept = stream_checks_accept(graph, placement);
        CU_ASSERT_EQUAL(accept, interleavings_are_safe(all, placement));
        check_decision(graph, placement, accept);
        accepted += accept;
    }
    return accepted;
}

/* An operator that runs after another one in the graph does so when the graph is launched. */
static void check_refines(const struct graph *graph, const struct graph *launched)
{
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    SCOPED(happens_before_release) struct happens_before *after = NULL;
    must(happens_before_create(graph, NULL, &order, &error));
    must(happens_before_create(launched, NULL, &after, &error));
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
}

static void check_launched(const struct graph *graph, const struct policy *policy,
                           const struct placement *placement)
{
    struct critical_path path, launched_path;
    SCOPED(graph_release) struct graph *launched = NULL;
    must(policy->launch(graph, placement, &launched, &error));
    check_refines(graph, launched);
    CU_ASSERT(stream_checks_accept(launched, placement));
    must(critical_path_find(graph, &path, &error));
    must(critical_path_find(launched, &launched_path, &error));
    CU_ASSERT_EQUAL(path.work, launched_path.work);
    CU_ASSERT(path.longest <= launched_path.longest && launched_path.longest <= path.work);
}

/* What the policies plan is accepted by both checks. */
static void check_policies(const struct graph *graph)
{
    for (uint32_t p = 0; p < policy_count(); p++) {
        const struct policy *policy = policy_at(p);
        if (!(policy->flags & POLICY_STREAMS) || policy->flags & POLICY_UNSAFE)
            continue;
        SCOPED(placement_release) struct placement *placement = stream_checks_plan(graph, policy);
        if (policy->launch)
            check_launched(graph, policy, placement);
        else
            CU_ASSERT(stream_checks_accept(graph, placement));
    }
}

struct tally {
    uint32_t graphs, conflicts_more, accepted;
};

static struct tally check_graphs(const struct random_graph_shape *shape, uint64_t seed, int graphs)
{
    static struct interleavings all;
    struct random_state random = random_seed(seed);
    struct tally tally = {0};
    for (int i = 0; i < graphs; i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, shape);
        SCOPED(happens_before_release) struct happens_before *order = NULL;
        stream_reference_spread(graph, &random, 3);
        must(happens_before_create(graph, NULL, &order, &error));
        if (graph_has_streams(graph) && interleavings_run(&all, graph, order)) {
            tally.graphs++;
            tally.conflicts_more += compare_conflicts(&all);
            compare_level(&all);
            tally.accepted += compare_checks(&all, &random);
        }
        check_policies(graph);
    }
    printf("\n    %u graphs, %u plans accepted, %u conflicts too many ", tally.graphs,
           tally.accepted, tally.conflicts_more);
    return tally;
}

static void test_straight(void)
{
    struct tally tally =
        check_graphs(&(struct random_graph_shape){.operators = 7}, 11, TESTING_COUNT(400, 180));
    CU_ASSERT(tally.graphs > 100);
    CU_ASSERT(tally.accepted > 100);
    CU_ASSERT_EQUAL(tally.conflicts_more, 0);
}

/* Moves one tensor after another somewhere else. */
static void check_moved(const struct graph *graph, struct random_state *random)
{
    SCOPED(placement_release)
    struct placement *placement = stream_checks_plan(graph, policy_find("streams"));
    struct verdict verdict;
    for (uint32_t t = 0; t < graph->tensors && graph_has_streams(graph); t++) {
        uint64_t kept = placement->offset[t];
        if (kept == PROBLEM_FREE)
            continue;
        placement->offset[t] = random_below(random, placement->measures.peak_bytes);
        must(placement_find_peak(graph, placement, &placement->measures.peak_bytes, &error));
        must(verify_paths(graph, placement, &verdict, &error));
        check_decision(graph, placement, verdict.fault == VERIFY_VALID);
        placement->offset[t] = kept;
    }
}

/* Deeper regions have too many steps for all interleavings; the checks have to agree with the
   policy all the same, and with each other. */
static void test_nested(void)
{
    struct random_state random = random_seed(13);
    const struct random_graph_shape shape = {.operators = 12, .depth = 3, .loops = true};
    for (uint32_t i = 0; i < TESTING_COUNT(1000, 50); i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        stream_reference_spread(graph, &random, 1 + i % 3);
        check_policies(graph);
        check_moved(graph, &random);
    }
}

static void test_branches(void)
{
    struct tally tally =
        check_graphs(&(struct random_graph_shape){.operators = 7, .depth = 1, .loops = true}, 12,
                     TESTING_COUNT(1500, 500));
    CU_ASSERT(tally.graphs > TESTING_COUNT(300, 100));
    CU_ASSERT(tally.accepted > TESTING_COUNT(300, 100));
    CU_ASSERT(tally.conflicts_more < 2 * tally.graphs);
}

/* So many Ifs one after another, beside an operator on another stream. */
static struct graph *make_ifs(unsigned ifs)
{
    struct text tensors = {0}, operators = {0};
    uint32_t stream;
    text_append(&tensors, "x:4 z:4 r0:4");
    text_append(&operators, "beside: x > z; first: x > r0");
    for (unsigned i = 0; i < ifs; i++) {
        text_append(&tensors, " t%u:4 e%u:4 r%u:4", i, i, i + 1);
        text_append(&operators,
                    "; if%u: r%u > r%u {then(a%u: r%u > t%u | t%u) else(b%u: r%u > e%u | e%u)}", i,
                    i, i + 1, i, i, i, i, i, i, i, i);
    }
    char last[32];
    snprintf(last, sizeof last, "z r%u", ifs);
    struct sketch sketch = sketch_read(tensors.bytes, "x", operators.bytes, last);
    must(graph_add_stream(sketch.graph, "side", "", &stream, &error));
    sketch.graph->op[0].stream = stream;
    text_free(&tensors);
    text_free(&operators);
    placement_free(sketch.placement);
    return sketch.graph;
}

/* Beyond some number of ways what is planned is safe, but nothing is claimed of it. */
static void test_many_ways(void)
{
    for (unsigned ifs = 9; ifs <= 17; ifs += 8) {
        SCOPED(graph_release) struct graph *graph = make_ifs(ifs);
        SCOPED(placement_release)
        struct placement *placement = stream_checks_plan(graph, policy_find("streams"));
        CU_ASSERT_EQUAL(placement->measures.lower_bound_bytes > 0, ifs == 9);
        CU_ASSERT(ifs == 9 || placement->status == PLAN_FEASIBLE);
        CU_ASSERT(stream_checks_accept(graph, placement));
    }
}

static const struct test_case cases[] = {
    {"graphs without branches against all interleavings", test_straight},
    {"graphs with branches and loops against all interleavings", test_branches},
    {"what is planned in nested branches and loops", test_nested},
    {"many ways", test_many_ways},
};

TESTING_MAIN("planning/policies/streams", cases)
