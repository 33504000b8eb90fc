#include "dma/timing/times.h"

#include <stdio.h>
#include <string.h>

#include "dma/program/paths.h"
#include "dma/run.h"
#include "dma/timing/bound.h"
#include "dma/timing/timeline.h"
#include "random_transfers.h"
#include "support/must.h"
#include "weighted_graph.h"

static uint64_t time_path(const struct transfer_run *run, const uint32_t *chosen)
{
    struct transfer_times times;
    must(transfer_times_compose(run->region_times, chosen, &times, &error));
    CU_ASSERT_EQUAL(times.expected_ns, times.worst_ns);
    SCOPED(transfer_timeline_clear) struct transfer_timeline timeline = {0};
    must(transfer_timeline_fill(run->program, run->costs, chosen, &timeline, &error));
    CU_ASSERT_EQUAL(timeline.total_ns, times.worst_ns);
    return times.worst_ns;
}

enum { GRAPHS = TESTING_COUNT(400, 30), MOST_PATHS = 200 };

static void fill(const struct random_transfers *transfers, uint32_t mode, uint32_t buffers,
                 struct transfer_run *run)
{
    const struct transfer_setting setting = {&transfers->hardware, transfer_modes_at(mode),
                                             buffers};
    must(transfer_run_fill(transfers->graph, &setting, run, &error));
}

/* Expected and worst are those of all paths, one by one. */
static void test_composition(void)
{
    struct random_state random = random_seed(11);
    const struct random_transfers_kind kind = {14, 3, true, UINT32_MAX, true, true};
    uint32_t checked = 0;
    for (int i = 0; i < GRAPHS; i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        SCOPED(transfer_paths_clear) struct transfer_paths paths = {0};
        random_transfers_create(&random, &kind, &transfers);
        must(transfer_paths_create(&paths, transfers.regions, &error));
        for (uint32_t m = 0; m < transfer_modes_count() && paths.count <= MOST_PATHS; m++) {
            SCOPED(transfer_run_clear) struct transfer_run run = {0};
            fill(&transfers, m, 3, &run);
            SCOPED(transfer_path_clear) struct transfer_path path = {0};
            double expected_ns = 0, probability = 0;
            uint64_t worst_ns = 0;
            for (uint64_t p = 0; p < paths.count; p++) {
                must(transfer_paths_get(&paths, p, &path, &error));
                uint64_t ns = time_path(&run, path.chosen);
                expected_ns += path.probability * (double)ns;
                probability += path.probability;
                worst_ns = ns > worst_ns ? ns : worst_ns;
            }
            CU_ASSERT_DOUBLE_EQUAL(probability, 1, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(expected_ns, (double)run.times.expected_ns, 0.5 + 1e-6);
            CU_ASSERT_EQUAL(worst_ns, run.times.worst_ns);
            checked++;
        }
    }
    CU_ASSERT(checked > GRAPHS);
}

/* What a loop keeps it may have loaded in vain. */
static bool keeps_weights(const struct transfer_program *program)
{
    bool keeps = false;
    for (uint32_t i = 0; i < program->instructions; i++)
        keeps |= program->instruction[i].action == TRANSFER_KEEP;
    return keeps;
}

/* Where starting costs nothing: bound <= any mode <= sync, on every path unless weights
   are kept. */
static void check_order(const struct random_transfers *transfers, const uint32_t *chosen,
                        const struct transfer_run *run)
{
    struct transfer_times bound;
    uint64_t ns[8];
    must(transfer_bound_find(transfers->regions, transfers->costs, chosen, &bound, &error));
    for (uint32_t m = 0; m < transfer_modes_count(); m++) {
        ns[m] = time_path(&run[m], chosen);
        CU_ASSERT(bound.worst_ns <= ns[m]);
        CU_ASSERT(ns[m] <= ns[0] || keeps_weights(run[m].program));
        CU_ASSERT(run[m].bound.expected_ns <= run[m].times.expected_ns);
        CU_ASSERT(run[m].times.expected_ns <= run[0].times.expected_ns);
        CU_ASSERT(run[m].bound.worst_ns <= run[m].times.worst_ns);
        CU_ASSERT(run[m].times.worst_ns <= run[0].times.worst_ns || keeps_weights(run[m].program));
    }
    CU_ASSERT_STRING_EQUAL(transfer_modes_at(1)->name, "pingpong");
    CU_ASSERT_STRING_EQUAL(transfer_modes_at(2)->name, "cross_region");
    CU_ASSERT(ns[2] <= ns[1]);
}

static void test_order_of_modes(void)
{
    struct random_state random = random_seed(12);
    const struct random_transfers_kind kind = {16, 3, true, UINT32_MAX, false, true};
    CU_ASSERT_STRING_EQUAL(transfer_modes_at(0)->name, "sync");
    for (uint32_t i = 0; i < GRAPHS; i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        SCOPED(transfer_paths_clear) struct transfer_paths paths = {0};
        SCOPED(transfer_path_clear) struct transfer_path path = {0};
        struct transfer_run run[8];
        random_transfers_create(&random, &kind, &transfers);
        must(transfer_paths_create(&paths, transfers.regions, &error));
        for (uint32_t m = 0; m < transfer_modes_count(); m++)
            fill(&transfers, m, 2 + i % 3, &run[m]);
        for (uint64_t p = 0; p < paths.count && p < MOST_PATHS; p++) {
            must(transfer_paths_get(&paths, p, &path, &error));
            check_order(&transfers, path.chosen, run);
        }
        for (uint32_t m = 0; m < transfer_modes_count(); m++)
            transfer_run_clear(&run[m]);
    }
}

/* Both issue the same instructions, and what a transfer slows down computing by is less than what
   it hides: so whatever starting costs and however much computing is slowed down. */
static void test_pingpong(void)
{
    struct random_state random = random_seed(14);
    const struct random_transfers_kind kind = {16, 3, true, UINT32_MAX, true, true};
    for (int i = 0; i < GRAPHS; i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        SCOPED(transfer_run_clear) struct transfer_run sync = {0};
        SCOPED(transfer_run_clear) struct transfer_run pingpong = {0};
        SCOPED(transfer_paths_clear) struct transfer_paths paths = {0};
        SCOPED(transfer_path_clear) struct transfer_path path = {0};
        random_transfers_create(&random, &kind, &transfers);
        transfers.hardware.contention *= 1 + (uint64_t)i % 900;
        must(transfer_paths_create(&paths, transfers.regions, &error));
        fill(&transfers, 0, 1, &sync);
        fill(&transfers, 1, 1, &pingpong);
        for (uint64_t p = 0; p < paths.count && p < MOST_PATHS; p++) {
            must(transfer_paths_get(&paths, p, &path, &error));
            CU_ASSERT(time_path(&pingpong, path.chosen) <= time_path(&sync, path.chosen));
        }
    }
}

/* A schedule of a chain in which every operator has weights: before[i] is the operator before whose
   computing transfer i is started. It is run ns by ns. */
enum { CHAIN = 5 };

struct chain {
    uint64_t bytes[CHAIN], compute_ns[CHAIN];
    uint32_t count, buffers;
};

static uint64_t run_ticks(const struct chain *chain, const uint32_t *before)
{
    uint32_t started = 0, arrived = 0, computed = 0;
    uint64_t carried_ns = 0, worked_ns = 0, now_ns = 0;
    for (; computed < chain->count; now_ns++) {
        while (started < chain->count && before[started] <= computed)
            started++;
        bool carries = arrived < started, works = computed < arrived;
        if (carries && ++carried_ns == chain->bytes[arrived]) {
            arrived++;
            carried_ns = 0;
        }
        if (works && ++worked_ns == chain->compute_ns[computed]) {
            computed++;
            worked_ns = 0;
        }
    }
    return now_ns;
}

/* Buffer i mod k is free for transfer i once operator i - k has computed. */
static uint64_t search_schedules(const struct chain *chain, uint32_t *before, uint32_t depth)
{
    uint64_t best_ns = UINT64_MAX;
    if (depth == chain->count || depth == CHAIN)
        return run_ticks(chain, before);
    uint32_t least = depth >= chain->buffers ? depth - chain->buffers + 1 : 0;
    for (before[depth] = least; before[depth] <= depth; before[depth]++) {
        if (depth && before[depth] < before[depth - 1])
            continue;
        uint64_t ns = search_schedules(chain, before, depth + 1);
        best_ns = ns < best_ns ? ns : best_ns;
    }
    return best_ns;
}

static uint64_t measure_chain(const struct chain *chain, const char *name)
{
    static const struct hardware plain = {.name = "plain", .dma_bytes_per_second = 1000000000};
    const struct transfer_mode *mode;
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    struct weighted weights[CHAIN];
    for (uint32_t i = 0; i < chain->count; i++)
        weights[i] = (struct weighted){"int8", chain->bytes[i]};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weights, chain->count);
    for (uint32_t i = 0; i < chain->count; i++)
        graph->op[i].compute_ns = (int64_t)chain->compute_ns[i];
    must(transfer_modes_find(name, &mode, &error));
    must(transfer_run_fill(graph, &(struct transfer_setting){&plain, mode, chain->buffers}, &run,
                           &error));
    uint64_t ns = run.times.worst_ns;
    return ns;
}

/* No order of starts is faster than a ring of as many buffers; of two it is ping-pong. */
static void test_brute_force(void)
{
    struct random_state random = random_seed(13);
    for (int i = 0; i < GRAPHS; i++) {
        struct chain chain = {.count = 1 + (uint32_t)random_below(&random, CHAIN),
                              .buffers = 1 + (uint32_t)random_below(&random, 4)};
        uint32_t before[CHAIN];
        for (uint32_t n = 0; n < chain.count; n++) {
            chain.bytes[n] = 1 + random_below(&random, 20);
            chain.compute_ns[n] = 1 + random_below(&random, 20);
        }
        uint64_t best_ns = search_schedules(&chain, before, 0);
        CU_ASSERT_EQUAL(measure_chain(&chain, "ring"), best_ns);
        if (chain.buffers == 1)
            CU_ASSERT_EQUAL(measure_chain(&chain, "sync"), best_ns);
        if (chain.buffers == 2)
            CU_ASSERT_EQUAL(measure_chain(&chain, "pingpong"), best_ns);
    }
}

static const struct test_case cases[] = {
    {"all paths at once are the paths one by one", test_composition},
    {"bound <= any mode <= sync", test_order_of_modes},
    {"ping-pong <= sync whatever starts cost", test_pingpong},
    {"no schedule is faster", test_brute_force},
};

TESTING_MAIN("dma/transfer_times", cases)
