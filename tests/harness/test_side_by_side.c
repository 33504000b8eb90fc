#include <string.h>

#include "core/memory.h"
#include "harness/catalogue/planners.h"
#include "harness/job/job.h"
#include "harness/jobs.h"
#include "planning/graph/add_waits.h"
#include "planning/interleavings.h"
#include "planning/random_graph.h"
#include "planning/stream_checks.h"
#include "support/must.h"

/* Jobs on graphs of several streams: what `exact` proves under the policy streams is the least that
   any placement takes which no interleaving harms, found by trying all of them; and jobs on graphs
   that only say so, but have one stream, are those of that one stream. */

enum { MOST_BUFFERS = 11 };

struct packing {
    const struct interleavings *all;
    uint32_t buffers, tensor[MOST_BUFFERS];
    uint64_t bytes[MOST_BUFFERS];
    uint64_t offset[MOST_BUFFERS]; /* of those that are placed */
    uint64_t least, bound;
};

static bool collect_buffers(const struct interleavings *all, struct packing *packing)
{
    *packing = (struct packing){.all = all};
    for (uint32_t t = 0; t < all->graph->tensors; t++) {
        if (!all->together[t])
            continue;
        if (packing->buffers == MOST_BUFFERS)
            return false;
        packing->bytes[packing->buffers] = all->bytes[t];
        packing->least += all->bytes[t];
        packing->tensor[packing->buffers++] = t;
    }
    return true;
}

static bool conflict(const struct packing *packing, const struct interleavings_way *way, uint32_t a,
                     uint32_t b)
{
    return a != b && way->together[packing->tensor[a]] >> packing->tensor[b] & 1;
}

/* The heaviest set of buffers that all conflict with each other on the way. */
static uint64_t find_clique(const struct packing *packing, const struct interleavings_way *way,
                            uint64_t candidates, uint64_t bytes)
{
    uint64_t most = bytes;
    for (uint32_t b = 0; b < packing->buffers; b++) {
        if (!(candidates >> b & 1))
            continue;
        candidates &= ~(UINT64_C(1) << b);
        uint64_t others = 0;
        for (uint32_t a = 0; a < packing->buffers; a++)
            others |= (uint64_t)conflict(packing, way, a, b) << a;
        uint64_t with =
            find_clique(packing, way, candidates & others, bytes + way->bytes[packing->tensor[b]]);
        most = with > most ? with : most;
    }
    return most;
}

/* Where the buffer ends up above all placed ones that it may not meet on some way, at least. */
static uint64_t find_lowest(const struct packing *packing, uint64_t placed, uint32_t buffer)
{
    uint64_t offset = 0, before;
    do {
        before = offset;
        for (uint32_t b = 0; b < packing->buffers; b++)
            for (uint32_t w = 0; w < packing->all->ways && placed >> b & 1; w++) {
                const struct interleavings_way *way = &packing->all->on_way[w];
                uint64_t end = packing->offset[b] + way->bytes[packing->tensor[b]];
                if (conflict(packing, way, b, buffer) && offset < end &&
                    packing->offset[b] < offset + way->bytes[packing->tensor[buffer]])
                    offset = end;
            }
    } while (offset > before);
    return offset;
}

/* In some best plan each buffer lies as low as those allow that lie no higher. */
static void pack(struct packing *packing, uint64_t placed, uint64_t lowest, uint64_t peak)
{
    if (placed == (UINT64_C(1) << packing->buffers) - 1)
        packing->least = peak;
    for (uint32_t b = 0; b < packing->buffers && packing->least > packing->bound; b++) {
        if (placed >> b & 1)
            continue;
        uint64_t offset = find_lowest(packing, placed, b), end = offset + packing->bytes[b];
        if (offset < lowest || end >= packing->least)
            continue;
        packing->offset[b] = offset;
        pack(packing, placed | UINT64_C(1) << b, offset, end > peak ? end : peak);
    }
}

static struct instance *make_instance(struct random_state *random,
                                      const struct random_graph_shape *shape, uint32_t streams)
{
    struct graph *graph = random_graph_create(random, shape);
    stream_reference_spread(graph, random, streams);
    return jobs_own(graph, NULL);
}

/* False where the graph is too large to try all. */
static bool compare_optimum(const struct instance *instance)
{
    static struct interleavings all;
    struct packing packing;
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    must(happens_before_create(instance->graph, NULL, &order, &error));
    bool fits = graph_has_streams(instance->graph) &&
                interleavings_run(&all, instance->graph, order) && collect_buffers(&all, &packing);
    if (!fits)
        return false;
    for (uint32_t w = 0; w < all.ways; w++) {
        uint64_t every = (UINT64_C(1) << packing.buffers) - 1;
        uint64_t bytes = find_clique(&packing, &all.on_way[w], every, 0);
        packing.bound = bytes > packing.bound ? bytes : packing.bound;
    }
    packing.least++;
    pack(&packing, 0, 0, 0);
    struct job job = job_make(instance, policy_find("streams"), planners_find("exact"));
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    CU_ASSERT(outcome.status == PLAN_OPTIMAL && outcome_is_good(&outcome));
    CU_ASSERT_EQUAL(outcome.measures.peak_bytes, packing.least);
    return true;
}

static void test_optimum(void)
{
    struct random_state random = random_seed(21);
    uint32_t graphs = 0;
    for (uint32_t i = 0; graphs < TESTING_COUNT(2000, 100); i++) {
        const struct random_graph_shape shape = {.operators = 4 + i % 5, .depth = i % 2};
        SCOPED(instance_release) struct instance *instance = make_instance(&random, &shape, 3);
        graphs += compare_optimum(instance);
    }
}

/* The same graph, and with it a stream that no operator is on, where waits are implied. */
static void test_one_stream(void)
{
    for (uint64_t seed = 0; seed < TESTING_COUNT(20, 2); seed++) {
        const struct random_graph_shape shape = {.operators = 12, .depth = 2, .loops = true};
        struct random_state random = random_seed(seed);
        SCOPED(instance_release) struct instance *plain = make_instance(&random, &shape, 1);
        random = random_seed(seed);
        SCOPED(instance_release) struct instance *named = make_instance(&random, &shape, 1);
        named->graph->waits_implied = true;
        plain->graph->waits_implied = false;
        CU_ASSERT_FALSE(graph_has_streams(named->graph));
        for (uint32_t i = 0; i < policy_count() * planners_count(); i++) {
            struct job job =
                job_make(plain, policy_at(i / planners_count()), planners_at(i % planners_count()));
            if (job.planner->flags & (PLANNER_EXACT | PLANNER_SEARCHES) ||
                job.policy->flags & POLICY_STREAMS)
                continue;
            SCOPED(outcome_clear) struct outcome first = jobs_run(&job);
            job.instance = named;
            SCOPED(outcome_clear) struct outcome second = jobs_run(&job);
            jobs_compare(&first, &second);
            CU_ASSERT(first.path.longest == 0 && second.path.longest == 0);
        }
    }
}

/* On the line of steps an input that nobody reads is there at the first step, among streams only
   before it. */
static bool are_inputs_read(const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        bool read = false;
        for (uint32_t o = 0; o < graph->operators; o++)
            for (uint32_t k = 0; k < graph->op[o].inputs.count; k++)
                read |= graph->list[graph->op[o].inputs.first + k] ==
                        graph->list[graph->inputs.first + i];
        if (!read)
            return false;
    }
    return true;
}

/* The rules for streams, asked about one: the least peak is that of the line of steps. */
static void test_policy_on_one_stream(void)
{
    struct random_state random = random_seed(22);
    for (uint32_t compared = 0; compared < TESTING_COUNT(200, 20);) {
        SCOPED(instance_release)
        struct instance *instance =
            make_instance(&random, &(struct random_graph_shape){.operators = 8}, 1);
        if (!are_inputs_read(instance->graph))
            continue;
        compared++;
        struct job job = job_make(instance, policy_find("flat"), planners_find("exact"));
        SCOPED(outcome_clear) struct outcome flat = jobs_run(&job);
        for (uint32_t p = 0; p < policy_count(); p++) {
            if (!(policy_at(p)->flags & POLICY_STREAMS))
                continue;
            job.policy = policy_at(p);
            SCOPED(outcome_clear) struct outcome streams = jobs_run(&job);
            CU_ASSERT_EQUAL(streams.status, flat.status);
            CU_ASSERT_EQUAL(streams.measures.peak_bytes, flat.measures.peak_bytes);
            CU_ASSERT_EQUAL(streams.measures.load_bytes, flat.measures.load_bytes);
            CU_ASSERT(outcome_is_good(&streams));
        }
    }
}

static const struct test_case cases[] = {
    {"the optimum of small graphs", test_optimum},
    {"jobs on one stream", test_one_stream},
    {"policies for several streams on one", test_policy_on_one_stream},
};

TESTING_MAIN("harness/side_by_side", cases)
