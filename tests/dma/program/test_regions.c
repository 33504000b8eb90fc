#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "dma/program/regions.h"
#include "planning/graph/build.h"
#include "support/fail_each.h"
#include "support/testing.h"

static struct error error;

static void must(enum status status)
{
    if (status)
        printf("\n%s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
}

/* Only operators and weights matter here, so the graphs have no tensors. */
static struct graph *create_graph(void)
{
    struct graph *graph;
    must(graph_create(&graph, "test", &error));
    return graph;
}

static void open(struct graph *graph, const char *name)
{
    uint32_t opened;
    must(graph_open_operator(graph, name, "Any", &opened, &error));
}

static void weigh(struct graph *graph, uint64_t bytes)
{
    must(graph_operator_weight(graph, "w", 0, bytes, &error));
}

/* An operator with one weight, or none for 0 bytes. */
static void add(struct graph *graph, const char *name, uint64_t bytes)
{
    open(graph, name);
    if (bytes)
        weigh(graph, bytes);
    graph_close_operator(graph);
}

static void open_region(struct graph *graph)
{
    must(graph_open_region(graph, "region", -1, &error));
}

static void close_region(struct graph *graph)
{
    must(graph_close_region(graph, NULL, 0, &error));
}

static void finish(struct graph *graph)
{
    must(graph_finish(graph, NULL, 0, NULL, &error));
}

/* As "{conv dense} {pool}": the operators with weights of each region. */
static void describe(const struct graph *graph, const struct transfer_regions *regions, char *text,
                     size_t bytes)
{
    *text = '\0';
    for (uint32_t r = 0; r < regions->count; r++) {
        struct span weighted = regions->region[r].weighted;
        for (uint32_t i = 0; i < weighted.count; i++) {
            uint32_t o = regions->weighted_op[weighted.first + i];
            size_t used = strlen(text);
            snprintf(text + used, bytes - used, "%s%s%s",
                     i       ? " "
                     : *text ? " {"
                             : "{",
                     graph_label(graph, graph->op[o].name), i + 1 == weighted.count ? "}" : "");
        }
    }
}

/* Frees the graph. */
static void expect(struct graph *graph, const char *expected, uint64_t even, uint64_t odd,
                   uint64_t weights)
{
    struct transfer_regions *regions;
    char found[256];
    finish(graph);
    must(transfer_regions_create(graph, &regions, &error));
    describe(graph, regions, found, sizeof found);
    if (strcmp(found, expected) != 0)
        printf("\nfound: %s\nexpected: %s\n", found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
    CU_ASSERT_EQUAL(regions->alloc_bytes[0], even);
    CU_ASSERT_EQUAL(regions->alloc_bytes[1], odd);
    CU_ASSERT_EQUAL(regions->total_bytes, weights);
    transfer_regions_free(regions);
    graph_free(graph);
}

/* The picture in the header. */
static void test_header(void)
{
    struct graph *graph = create_graph();
    add(graph, "conv", 5);
    add(graph, "dense", 7);
    open(graph, "if");
    open_region(graph);
    add(graph, "inner", 9);
    close_region(graph);
    graph_close_operator(graph);
    add(graph, "conv2", 3);
    add(graph, "conv3", 8);
    expect(graph, "{conv dense} {inner} {conv2 conv3}", 9, 8, 32);
}

static void test_plain_graph(void)
{
    struct graph *graph = create_graph();
    add(graph, "a", 1);
    add(graph, "b", 20);
    add(graph, "c", 30);
    add(graph, "d", 4);
    expect(graph, "{a b c d}", 30, 20, 55);
}

/* Operators without weights take no turn. */
static void test_turns_skip_light_operators(void)
{
    struct graph *graph = create_graph();
    add(graph, "a", 1);
    add(graph, "relu", 0);
    add(graph, "b", 20);
    add(graph, "pool", 0);
    add(graph, "c", 3);
    expect(graph, "{a b c}", 3, 20, 24);
}

/* All weights of one operator travel together. */
static void test_several_weights(void)
{
    struct graph *graph = create_graph();
    open(graph, "conv");
    weigh(graph, 100);
    weigh(graph, 3);
    graph_close_operator(graph);
    add(graph, "dense", 50);
    expect(graph, "{conv dense}", 103, 50, 153);
}

static void test_no_weights(void)
{
    struct graph *graph = create_graph();
    add(graph, "relu", 0);
    expect(graph, "", 0, 0, 0);
    expect(create_graph(), "", 0, 0, 0);
}

/* Each region starts over at alloc0, so three lone operators never use alloc1; an If at the very
   start or end and branches without weights make no empty regions. */
static void test_each_region_starts_over(void)
{
    struct graph *graph = create_graph();
    open(graph, "first");
    for (int i = 0; i < 2; i++) {
        open_region(graph);
        add(graph, i ? "right" : "left", i ? 6 : 2);
        close_region(graph);
    }
    graph_close_operator(graph);
    add(graph, "between", 4);
    open(graph, "last");
    for (int i = 0; i < 2; i++) {
        open_region(graph);
        add(graph, i ? "light" : "lighter", 0);
        close_region(graph);
    }
    graph_close_operator(graph);
    expect(graph, "{left} {right} {between}", 6, 0, 12);
}

/* An If whose branches are empty is a cut all the same. */
static void test_empty_branches_cut(void)
{
    struct graph *graph = create_graph();
    add(graph, "before", 4);
    open(graph, "if");
    open_region(graph);
    close_region(graph);
    graph_close_operator(graph);
    add(graph, "after", 5);
    expect(graph, "{before} {after}", 5, 0, 9);
}

/*  a  if { b  if { c d } { e }  f } { g }  h */
static void test_nested(void)
{
    struct graph *graph = create_graph();
    add(graph, "a", 1);
    open(graph, "outer");
    open_region(graph);
    add(graph, "b", 2);
    open(graph, "inner");
    open_region(graph);
    add(graph, "c", 3);
    add(graph, "d", 40);
    close_region(graph);
    open_region(graph);
    add(graph, "e", 50);
    close_region(graph);
    graph_close_operator(graph);
    add(graph, "f", 6);
    close_region(graph);
    open_region(graph);
    add(graph, "g", 7);
    close_region(graph);
    graph_close_operator(graph);
    add(graph, "h", 8);
    expect(graph, "{a} {b} {c d} {e} {f} {g} {h}", 50, 40, 117);
}

/* A control-flow operator with weights of its own shares no region with what its branches come
   between, since they use the same two buffers. */
static void test_heavy_owner(void)
{
    struct graph *graph = create_graph();
    add(graph, "before", 1);
    open(graph, "if");
    weigh(graph, 20);
    open_region(graph);
    add(graph, "inner", 3);
    close_region(graph);
    graph_close_operator(graph);
    add(graph, "after", 4);
    add(graph, "last", 5);
    expect(graph, "{before} {if} {inner} {after last}", 20, 5, 33);

    graph = create_graph();
    open(graph, "if");
    weigh(graph, 20);
    open_region(graph);
    close_region(graph);
    graph_close_operator(graph);
    add(graph, "after", 4);
    expect(graph, "{if} {after}", 20, 0, 24);
}

static void test_overflow(void)
{
    struct graph *graph = create_graph();
    struct transfer_regions *regions;
    uint64_t live;
    open(graph, "huge");
    weigh(graph, UINT64_MAX);
    weigh(graph, 1);
    graph_close_operator(graph);
    finish(graph);
    live = memory_live_blocks();
    CU_ASSERT_EQUAL(transfer_regions_create(graph, &regions, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "the weights of 'huge' add up to more than 2^64 bytes");
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
    graph_free(graph);

    graph = create_graph();
    add(graph, "huge", UINT64_MAX);
    add(graph, "small", 1);
    finish(graph);
    CU_ASSERT_EQUAL(transfer_regions_create(graph, &regions, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "the weights add up to more than 2^64 bytes");
    graph_free(graph);

    graph = create_graph();
    add(graph, "huge", UINT64_MAX);
    expect(graph, "{huge}", UINT64_MAX, 0, UINT64_MAX);
}

static enum status create_regions(const void *graph, struct error *failure)
{
    struct transfer_regions *regions;
    TRY(transfer_regions_create(graph, &regions, failure));
    transfer_regions_free(regions);
    return STATUS_OK;
}

static void test_no_memory(void)
{
    struct graph *graph = create_graph();
    add(graph, "conv", 5);
    finish(graph);
    fail_each(create_regions, graph);
    transfer_regions_free(NULL);
    graph_free(graph);
}

static const struct test_case cases[] = {
    {"the picture in the header", test_header},
    {"a plain graph is one region", test_plain_graph},
    {"operators without weights take no turn", test_turns_skip_light_operators},
    {"several weights of one operator", test_several_weights},
    {"no weights", test_no_weights},
    {"each region starts over", test_each_region_starts_over},
    {"empty branches cut", test_empty_branches_cut},
    {"nested branches", test_nested},
    {"a control-flow operator with weights", test_heavy_owner},
    {"weights beyond 2^64 bytes", test_overflow},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/transfer_regions", cases)
