#include "quantise/weight_source.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "support/must.h"
#include "weighted_graph.h"

/* 1, -2, the least subnormal, the largest, infinity of every format, and a NaN. */
static void test_formats(void)
{
    static const struct weighted weighted[] = {
        {"float32", 24}, {"float16", 12}, {"bfloat16", 4}, {"float64", 16}};
    static const uint8_t bytes[] =
        {
            0,    0,    0x80, 0x3f, 0, 0, 0,    0xc0, 1, 0,    0,    0,
            0xff, 0xff, 0x7f, 0x7f, 0, 0, 0x80, 0x7f, 0, 0,    0xc0, 0xff, /* float32 */
            0,    0x3c, 0,    0xc0, 1, 0, 0xff, 0x7b, 0, 0xfc, 1,    0x7c, /* float16 */
            0x80, 0x3f, 0,    0xc0,                                        /* bfloat16 */
            0,    0,    0,    0,    0, 0, 0xf0, 0x3f, 1, 0,    0,    0,
            0,    0,    0,    0x80, /* float64 */
        };
    static const double expected[4][6] = {{1, -2, 0x1p-149, 0x1.fffffep127, INFINITY, NAN},
                                          {1, -2, 0x1p-24, 65504, -INFINITY, NAN},
                                          {1, -2},
                                          {1, -0x1p-1074}};
    static const uint32_t counts[] = {6, 6, 2, 2};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 4);
    struct weight_source source;
    char path[64];
    weighted_write(path, bytes, sizeof bytes);
    must(weight_source_open(graph, path, &source, &error));
    for (uint32_t w = 4; w-- > 0;) {
        double value[6];
        must(weight_source_begin(&source, w, &error));
        must(weight_source_next(&source, value, counts[w], &error));
        for (uint32_t i = 0; i < counts[w]; i++)
            CU_ASSERT_TRUE(isnan(expected[w][i]) ? isnan(value[i]) : value[i] == expected[w][i]);
    }
    weight_source_close(&source);
    weight_source_close(&source);
    unlink(path);
}

static void test_wrong_files(void)
{
    static const struct weighted weighted[] = {{"float32", 8}, {"int8", 3}};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 2);
    struct weight_source source;
    char path[64];
    weighted_write(path, "0123456789", 10);
    CU_ASSERT_EQUAL(weight_source_open(graph, path, &source, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "10 bytes, expected 11, the sum of the graph's weights");
    CU_ASSERT_STRING_EQUAL(error.file, path);
    unlink(path);
    CU_ASSERT_EQUAL(weight_source_open(graph, path, &source, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(weight_source_open(graph, "/", &source, &error), STATUS_BAD_INPUT);
}

/* The same for a seed, in one piece or several, in any order; another for another seed or
   weight. */
static void test_drawn(void)
{
    static const struct weighted weighted[] = {{"float32", 400}, {"float32", 400}};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 2);
    struct weight_source source = weight_source_draw(graph, 5),
                         other = weight_source_draw(graph, 6);
    double first[100], second[100], pieces[100];
    weight_source_begin(&source, 1, &error);
    weight_source_next(&source, second, 100, &error);
    weight_source_begin(&source, 0, &error);
    weight_source_next(&source, first, 100, &error);
    weight_source_begin(&source, 0, &error);
    weight_source_next(&source, pieces, 30, &error);
    weight_source_next(&source, pieces + 30, 70, &error);
    CU_ASSERT_EQUAL(memcmp(first, pieces, sizeof first), 0);
    CU_ASSERT_NOT_EQUAL(first[0], second[0]);
    weight_source_begin(&other, 0, &error);
    weight_source_next(&other, pieces, 100, &error);
    CU_ASSERT_NOT_EQUAL(first[0], pieces[0]);
}

static const struct test_case cases[] = {
    {"floating-point formats", test_formats},
    {"files that are no weights of the graph", test_wrong_files},
    {"drawn values are the same for a seed", test_drawn},
};

TESTING_MAIN("dma/weight_source", cases)
