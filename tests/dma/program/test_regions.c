#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "dma/program/regions.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

/* The operators with weights of each region, as "{conv dense} {pool}", and the bytes of the two
   buffers and of all weights. */
static void test_regions(void)
{
    static const struct {
        const char *graph, *regions;
        uint64_t even, odd, weights;
    } rows[] = {
        /* the picture in the header */
        {"conv:5 dense:7 if {inner:9} conv2:3 conv3:8", "{conv dense} {inner} {conv2 conv3} ", 9, 8,
         32},
        {"a:1 b:20 c:30 d:4", "{a b c d} ", 30, 20, 55},
        /* Operators without weights take no turn. */
        {"a:1 relu b:20 pool c:3", "{a b c} ", 3, 20, 24},
        /* All weights of one operator travel together. */
        {"conv:100:3 dense:50", "{conv dense} ", 103, 50, 153},
        {"relu", "", 0, 0, 0},
        {"", "", 0, 0, 0},
        /* Each region starts over at alloc0, so three lone operators never use alloc1; an If at the
           very start or end and branches without weights make no empty regions. */
        {"first {left:2} {right:6} between:4 last {lighter} {light}", "{left} {right} {between} ",
         6, 0, 12},
        /* An If whose branches are empty is a cut all the same. */
        {"before:4 if {} after:5", "{before} {after} ", 5, 0, 9},
        {"a:1 outer {b:2 inner {c:3 d:40} {e:50} f:6} {g:7} h:8", "{a} {b} {c d} {e} {f} {g} {h} ",
         50, 40, 117},
        /* A control-flow operator with weights of its own shares no region with what its branches
           come between, since they use the same two buffers. */
        {"before:1 if:20 {inner:3} after:4 last:5", "{before} {if} {inner} {after last} ", 20, 5,
         33},
        {"if:20 {} after:4", "{if} {after} ", 20, 0, 24},
        {"huge:18446744073709551615", "{huge} ", UINT64_MAX, 0, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(graph_release) struct graph *graph = weighted_read(rows[i].graph);
        SCOPED(transfer_regions_release) struct transfer_regions *regions = NULL;
        SCOPED(text_free) struct text found = {0};
        must(transfer_regions_create(graph, &regions, &error));
        text_append(&found, "%s", "");
        for (uint32_t r = 0; r < regions->count; r++) {
            struct span weighted = regions->region[r].weighted;
            for (uint32_t w = 0; w < weighted.count; w++)
                text_append(
                    &found, "%s%s%s", w ? " " : "{",
                    graph_label(graph, graph->op[regions->weighted_op[weighted.first + w]].name),
                    w + 1 == weighted.count ? "} " : "");
        }
        if (strcmp(found.bytes, rows[i].regions) != 0)
            printf("\nfound: %s\nexpected: %s\n", found.bytes, rows[i].regions);
        CU_ASSERT_STRING_EQUAL(found.bytes, rows[i].regions);
        CU_ASSERT_EQUAL(regions->alloc_bytes[0], rows[i].even);
        CU_ASSERT_EQUAL(regions->alloc_bytes[1], rows[i].odd);
        CU_ASSERT_EQUAL(regions->total_bytes, rows[i].weights);
    }
}

static void test_overflow(void)
{
    static const struct {
        const char *graph, *text;
    } rows[] = {
        {"huge:18446744073709551615:1", "the weights of 'huge' add up to more than 2^64 bytes"},
        {"huge:18446744073709551615 small:1", "the weights add up to more than 2^64 bytes"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(graph_release) struct graph *graph = weighted_read(rows[i].graph);
        struct transfer_regions *regions;
        uint64_t live = memory_live_blocks();
        CU_ASSERT_EQUAL(transfer_regions_create(graph, &regions, &error), STATUS_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.text, rows[i].text);
        CU_ASSERT_EQUAL(memory_live_blocks(), live);
    }
}

static enum status create_regions(const void *graph, struct error *failure)
{
    SCOPED(transfer_regions_release) struct transfer_regions *regions = NULL;
    return transfer_regions_create(graph, &regions, failure);
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
