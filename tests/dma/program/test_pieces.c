#include "dma/program/pieces.h"

#include <string.h>

#include "core/random.h"
#include "dma/program/regions.h"
#include "planning/liveness/liveness.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

static void expect_operator(const struct graph *graph, uint32_t o, const char *name,
                            uint64_t weight_bytes, int64_t compute_ns)
{
    const struct graph_operator *op = &graph->op[o];
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < op->weights.count; i++)
        bytes += graph->weight[op->weights.first + i].bytes;
    CU_ASSERT_STRING_EQUAL(graph_label(graph, op->name), name);
    CU_ASSERT_EQUAL(bytes, weight_bytes);
    CU_ASSERT_EQUAL(op->compute_ns, compute_ns);
}

static void test_by_hand(void)
{
    struct graph *graph = weighted_read("a:10@7 if@4{b:3@1} c:4:4@5"), *pieces;
    must(transfer_pieces(graph, 4, &pieces, &error));
    CU_ASSERT_EQUAL_FATAL(pieces->operators, 7);
    expect_operator(pieces, 0, "a[1/3]", 4, 3);
    expect_operator(pieces, 1, "a[2/3]", 3, 2);
    expect_operator(pieces, 2, "a[3/3]", 3, 2);
    expect_operator(pieces, 3, "if", 0, 4);
    expect_operator(pieces, 4, "b", 3, 1);
    expect_operator(pieces, 5, "c[1/2]", 4, 3);
    expect_operator(pieces, 6, "c[2/2]", 4, 2);
    graph_free(pieces);
    must(transfer_pieces(graph, 10, &pieces, &error));
    CU_ASSERT_EQUAL(pieces->operators, graph->operators);
    graph_free(graph);
    graph = weighted_read("d:1:1:1:1@2");
    graph_free(pieces);
    must(transfer_pieces(graph, 3, &pieces, &error));
    expect_operator(pieces, 0, "d[1/2]", 2, 1);
    expect_operator(pieces, 1, "d[2/2]", 2, 1);
    graph_free(pieces);
    graph_free(graph);
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
    struct liveness *whole, *parts;
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
    liveness_free(whole);
    liveness_free(parts);
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
