#include "dma/program/pieces.h"

#include <string.h>

#include "core/random.h"
#include "core/text.h"
#include "dma/program/regions.h"
#include "planning/liveness/liveness.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

/* The operators, each as "name:weights@time". */
static void test_by_hand(void)
{
    static const struct {
        const char *graph;
        uint64_t piece_bytes;
        const char *pieces;
    } rows[] = {{"a:10@7 if@4{b:3@1} c:4:4@5", 4,
                 "a[1/3]:4@3 a[2/3]:3@2 a[3/3]:3@2 if:0@4 b:3@1 c[1/2]:4@3 c[2/2]:4@2 "},
                {"a:10@7 if@4{b:3@1} c:4:4@5", 10, "a:10@7 if:0@4 b:3@1 c:8@5 "},
                {"d:1:1:1:1@2", 3, "d[1/2]:2@1 d[2/2]:2@1 "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(graph_release) struct graph *graph = weighted_read(rows[i].graph), *pieces = NULL;
        SCOPED(text_free) struct text found = {0};
        must(transfer_pieces(graph, rows[i].piece_bytes, &pieces, &error));
        for (const struct graph_operator *op = pieces->op; op < pieces->op + pieces->operators;
             op++) {
            uint64_t bytes = 0;
            for (uint32_t w = 0; w < op->weights.count; w++)
                bytes += pieces->weight[op->weights.first + w].bytes;
            text_append(&found, "%s:%llu@%lld ", graph_label(pieces, op->name),
                        (unsigned long long)bytes, (long long)op->compute_ns);
        }
        CU_ASSERT_STRING_EQUAL(found.bytes, rows[i].pieces);
    }
}

static void test_too_many(void)
{
    SCOPED(graph_release) struct graph *graph = weighted_read("a:10000@7"), *pieces = NULL;
    CU_ASSERT_EQUAL(transfer_pieces(graph, 1, &pieces, &error), STATUS_LIMIT);
    CU_ASSERT_STRING_EQUAL(error.text, "the weights of 'a' have more than 4096 pieces of 1 bytes");
}

static int64_t sum_costs(const struct graph *graph)
{
    int64_t sum = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        sum += graph->op[o].compute_ns;
    return sum;
}

/* Nothing is lost, and tensors live from the operator that made them to their last reader. */
static void check_pieces(const struct random_transfers *transfers, uint64_t piece_bytes)
{
    const struct graph *graph = transfers->graph;
    SCOPED(transfer_regions_release) struct transfer_regions *regions = NULL;
    SCOPED(liveness_release) struct liveness *whole = NULL;
    SCOPED(liveness_release) struct liveness *parts = NULL;
    SCOPED(graph_release) struct graph *pieces = NULL;
    must(transfer_pieces(graph, piece_bytes, &pieces, &error));
    must(transfer_regions_create(pieces, &regions, &error));
    CU_ASSERT_EQUAL(regions->total_bytes, transfers->regions->total_bytes);
    CU_ASSERT_EQUAL(sum_costs(pieces), sum_costs(graph));
    CU_ASSERT_EQUAL_FATAL(pieces->tensors, graph->tensors);
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        uint32_t o = regions->weighted_op[w];
        CU_ASSERT_TRUE(regions->weight_bytes[o] <= piece_bytes ||
                       pieces->op[o].first_region != GRAPH_NONE);
    }
    must(liveness_create(graph, &whole, &error));
    must(liveness_create(pieces, &parts, &error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        CU_ASSERT_EQUAL(whole->lower[t] < whole->upper[t], parts->lower[t] < parts->upper[t]);
}

static void test_random(void)
{
    struct random_state random = random_seed(51);
    for (uint32_t i = 0; i < 200; i++) {
        const struct random_transfers_kind kind = {20, i % 4, true, UINT32_MAX, true, true};
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        random_transfers_create(&random, &kind, &transfers);
        check_pieces(&transfers, 1 + i % 9);
    }
}

static enum status split_once(const void *graph, struct error *failed)
{
    SCOPED(graph_release) struct graph *pieces = NULL;
    return transfer_pieces(graph, 4, &pieces, failed);
}

static void test_no_memory(void)
{
    SCOPED(graph_release) struct graph *graph = weighted_read("a:10@7 if@4{b:3@1} c:4:4@5");
    fail_each(split_once, graph);
}

static const struct test_case cases[] = {
    {"by hand", test_by_hand},
    {"too many", test_too_many},
    {"random graphs", test_random},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/pieces", cases)
