#include "quantise/quantise.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "planning/graph/dtype.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

static struct quantisation *quantise_floats(struct graph *graph, const float *values, size_t count,
                                            uint32_t bits)
{
    struct quantisation *quantisation;
    SCOPED(weight_source_close) struct weight_source source = {0};
    char path[64];
    weighted_write(path, values, count * sizeof *values);
    must(weight_source_open(graph, path, &source, &error));
    must(quantise_graph(&source, &(uint32_t){bits}, 1, &quantisation, &error));
    unlink(path);
    return quantisation;
}

/* The second weight is all zeros; the third is lost by 0.25 at a step of 1. */
static void test_by_hand(void)
{
    static const struct weighted weighted[] = {{"float32", 8}, {"float32", 12}, {"float32", 8}};
    static const float values[] = {127, -1, 0, 0, 0, 127, 0.25f};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 3);
    SCOPED(quantise_release)
    struct quantisation *quantisation = quantise_floats(graph, values, 7, 8);
    CU_ASSERT_EQUAL(quantisation->quantised, 3);
    CU_ASSERT_EQUAL(quantisation->bytes_before, 28);
    CU_ASSERT_EQUAL(quantisation->bytes_after, 7);
    CU_ASSERT_EQUAL(quantisation->weight[0].format.position, 0);
    CU_ASSERT_EQUAL(quantisation->weight[0].format.scale, 1);
    CU_ASSERT_TRUE(isinf(quantise_decibels(&quantisation->weight[0].loss)));
    CU_ASSERT_EQUAL(quantisation->weight[1].format.position, 0);
    CU_ASSERT_EQUAL(quantisation->weight[1].format.scale, 1);
    CU_ASSERT_TRUE(isinf(quantise_decibels(&quantisation->weight[1].loss)));
    CU_ASSERT_DOUBLE_EQUAL(quantise_decibels(&quantisation->weight[2].loss),
                           10 * log10((16129 + 0.0625) / 0.0625), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(quantise_decibels(&quantisation->loss),
                           10 * log10((16129 + 1 + 16129 + 0.0625) / 0.0625), 1e-9);
}

/* Two int4 are a byte; the last of an odd number takes a whole one. Other weights stay. */
static void test_applied(void)
{
    static const struct weighted weighted[] = {
        {"float32", 12}, {"int8", 5}, {"float16", 8}, {"float32", 0}};
    struct graph *graph = weighted_graph(weighted, 4);
    struct weight_source source = weight_source_draw(graph, 1);
    SCOPED(quantise_release) struct quantisation *quantisation = NULL;
    must(quantise_graph(&source, &(uint32_t){4}, 1, &quantisation, &error));
    CU_ASSERT_EQUAL(quantisation->bytes_before, 25);
    CU_ASSERT_EQUAL(quantisation->bytes_after, 9);
    CU_ASSERT_EQUAL(quantisation->quantised, 3);
    CU_ASSERT_EQUAL(quantisation->weight[2].op, 2);
    quantise_apply(quantisation, graph);
    static const uint64_t bytes[] = {2, 5, 2, 0};
    for (uint32_t w = 0; w < 4; w++) {
        CU_ASSERT_EQUAL(graph->weight[w].bytes, bytes[w]);
        CU_ASSERT_STRING_EQUAL(graph_dtype_name(graph->weight[w].dtype), w == 1 ? "int8" : "int4");
    }
    quantise_free(NULL);
    graph_free(graph);
}

/* Larger than what is read at once, and the loss is what errors spread evenly over one step would
   give: a twelfth of its square for each element, within 2 %. */
static void test_drawn(void)
{
    static const struct weighted weighted[] = {{"float16", 200000}};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 1);
    double decibels[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct weight_source source = weight_source_draw(graph, 9);
        SCOPED(quantise_release) struct quantisation *quantisation = NULL;
        must(quantise_graph(&source, &(uint32_t){i ? 4 : 8}, 1, &quantisation, &error));
        CU_ASSERT_DOUBLE_EQUAL(quantisation->weight[0].loss.noise, 100000 / 12.0, 170);
        decibels[i] = quantise_decibels(&quantisation->loss);
    }
    CU_ASSERT_TRUE(decibels[0] > decibels[1] + 20);
}

/* Several widths at once are each by itself, and a format is that of the largest value. */
static void test_widths(void)
{
    static const uint32_t bits[] = {8, 4};
    struct random_state random = random_seed(3);
    for (int i = 0; i < 50; i++) {
        uint64_t bytes = 2 * (1 + random_below(&random, 40000));
        const struct weighted weighted[] = {{"float16", bytes}, {"int8", 3}};
        struct graph *graph = weighted_graph(weighted, 2);
        struct weight_source source = weight_source_draw(graph, (uint64_t)i);
        struct quantisation *both[2], *one;
        double value, greatest = 0;
        must(quantise_graph(&source, bits, 2, both, &error));
        must(weight_source_begin(&source, 0, &error));
        for (uint64_t n = 0; n < bytes / 2; n++) {
            must(weight_source_next(&source, &value, 1, &error));
            greatest = fmax(greatest, fabs(value));
        }
        for (int w = 0; w < 2; w++) {
            const struct fixed_point format = fixed_point_find(greatest, bits[w]);
            must(quantise_graph(&source, &bits[w], 1, &one, &error));
            CU_ASSERT_EQUAL(both[w]->weight[0].format.position, format.position);
            CU_ASSERT_EQUAL(both[w]->weight[0].format.scale, format.scale);
            CU_ASSERT_EQUAL(both[w]->loss.noise, one->loss.noise);
            CU_ASSERT_EQUAL(both[w]->bytes_after, one->bytes_after);
            quantise_free(one);
            quantise_free(both[w]);
        }
        graph_free(graph);
    }
}

static void expect_refused(const struct weighted *weighted, const float *values, size_t count,
                           const char *words)
{
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 1);
    struct quantisation *quantisation;
    SCOPED(weight_source_close) struct weight_source source = {0};
    char path[64];
    uint64_t live = memory_live_blocks();
    weighted_write(path, values, count);
    must(weight_source_open(graph, path, &source, &error));
    CU_ASSERT_EQUAL(quantise_graph(&source, &(uint32_t){8}, 1, &quantisation, &error),
                    STATUS_BAD_INPUT);
    if (!strstr(error.text, words))
        printf("\n%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
    unlink(path);
}

static void test_refused(void)
{
    static const float values[] = {1, NAN, -INFINITY};
    static const float infinite[] = {1, -INFINITY};
    expect_refused(&(struct weighted){"float32", 12}, values, 12,
                   "element 1 of weight 'w0' is nan");
    expect_refused(&(struct weighted){"float32", 8}, infinite, 8,
                   "element 1 of weight 'w0' is -inf");
    expect_refused(&(struct weighted){"float32", 7}, values, 7,
                   "weight 'w0' has 7 bytes, expected a multiple of 4 for float32");
    struct graph *graph = weighted_graph(NULL, 0);
    struct weight_source source = weight_source_draw(graph, 1);
    SCOPED(quantise_release) struct quantisation *quantisation = NULL;
    CU_ASSERT_EQUAL(quantise_graph(&source, &(uint32_t){16}, 1, &quantisation, &error),
                    STATUS_USAGE);
    must(quantise_graph(&source, &(uint32_t){8}, 1, &quantisation, &error));
    CU_ASSERT_EQUAL(quantisation->bytes_after, 0);
    graph_free(graph);
}

static void test_overflow(void)
{
    static const struct weighted weighted[] = {{"int8", UINT64_MAX}, {"int8", 1}};
    struct graph *graph = weighted_graph(weighted, 2);
    struct weight_source source = weight_source_draw(graph, 1);
    struct quantisation *quantisation;
    CU_ASSERT_EQUAL(quantise_graph(&source, &(uint32_t){8}, 1, &quantisation, &error),
                    STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "the weights add up to more than 2^64 bytes");
    graph_free(graph);
}

static enum status quantise_once(const void *input, struct error *failed)
{
    const struct graph *graph = input;
    struct weight_source source = weight_source_draw(graph, 1);
    SCOPED(quantise_release) struct quantisation *quantisation = NULL;
    TRY(quantise_graph(&source, &(uint32_t){8}, 1, &quantisation, failed));
    return STATUS_OK;
}

static void test_no_memory(void)
{
    SCOPED(graph_release)
    struct graph *graph = weighted_graph(&(struct weighted){"float32", 40}, 1);
    fail_each(quantise_once, graph);
}

static const struct test_case cases[] = {
    {"several widths at once", test_widths},
    {"weights by hand", test_by_hand},
    {"the graph's weights become small", test_applied},
    {"drawn weights lose what they should", test_drawn},
    {"values and bytes that are wrong", test_refused},
    {"weights beyond 2^64 bytes", test_overflow},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("quantise", cases)
