#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "dma/program/regions.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

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

/* The regions of a graph as weighted_read takes it, and bytes of the two buffers and of all
 * weights. */
static void expect(const char *text, const char *expected, uint64_t even, uint64_t odd,
                   uint64_t weights)
{
    SCOPED(graph_release) struct graph *graph = weighted_read(text);
    SCOPED(transfer_regions_release) struct transfer_regions *regions = NULL;
    char found[256];
    must(transfer_regions_create(graph, &regions, &error));
    describe(graph, regions, found, sizeof found);
    if (strcmp(found, expected) != 0)
        printf("\nfound: %s\nexpected: %s\n", found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
    CU_ASSERT_EQUAL(regions->alloc_bytes[0], even);
    CU_ASSERT_EQUAL(regions->alloc_bytes[1], odd);
    CU_ASSERT_EQUAL(regions->total_bytes, weights);
}

static void test_regions(void)
{
    /* The picture in the header. */
    expect("conv:5 dense:7 if {inner:9} conv2:3 conv3:8", "{conv dense} {inner} {conv2 conv3}", 9,
           8, 32);
    expect("a:1 b:20 c:30 d:4", "{a b c d}", 30, 20, 55);
    /* Operators without weights take no turn. */
    expect("a:1 relu b:20 pool c:3", "{a b c}", 3, 20, 24);
    /* All weights of one operator travel together. */
    expect("conv:100:3 dense:50", "{conv dense}", 103, 50, 153);
    expect("relu", "", 0, 0, 0);
    expect("", "", 0, 0, 0);
    /* Each region starts over at alloc0, so three lone operators never use alloc1; an If at the
       very start or end and branches without weights make no empty regions. */
    expect("first {left:2} {right:6} between:4 last {lighter} {light}", "{left} {right} {between}",
           6, 0, 12);
    /* An If whose branches are empty is a cut all the same. */
    expect("before:4 if {} after:5", "{before} {after}", 5, 0, 9);
    expect("a:1 outer {b:2 inner {c:3 d:40} {e:50} f:6} {g:7} h:8", "{a} {b} {c d} {e} {f} {g} {h}",
           50, 40, 117);
    /* A control-flow operator with weights of its own shares no region with what its branches come
       between, since they use the same two buffers. */
    expect("before:1 if:20 {inner:3} after:4 last:5", "{before} {if} {inner} {after last}", 20, 5,
           33);
    expect("if:20 {} after:4", "{if} {after}", 20, 0, 24);
}

static void expect_overflow(const char *text, const char *expected)
{
    SCOPED(graph_release) struct graph *graph = weighted_read(text);
    struct transfer_regions *regions;
    uint64_t live = memory_live_blocks();
    CU_ASSERT_EQUAL(transfer_regions_create(graph, &regions, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, expected);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
}

static void test_overflow(void)
{
    expect_overflow("huge:18446744073709551615:1",
                    "the weights of 'huge' add up to more than 2^64 bytes");
    expect_overflow("huge:18446744073709551615 small:1",
                    "the weights add up to more than 2^64 bytes");
    expect("huge:18446744073709551615", "{huge}", UINT64_MAX, 0, UINT64_MAX);
}

static enum status create_regions(const void *graph, struct error *failure)
{
    SCOPED(transfer_regions_release) struct transfer_regions *regions = NULL;
    TRY(transfer_regions_create(graph, &regions, failure));
    return STATUS_OK;
}

static void test_no_memory(void)
{
    SCOPED(graph_release) struct graph *graph = weighted_read("conv:5");
    fail_each(create_regions, graph);
    transfer_regions_free(NULL);
}

static const struct test_case cases[] = {
    {"regions by hand", test_regions},
    {"weights beyond 2^64 bytes", test_overflow},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/transfer_regions", cases)
