#include "quantise/values.h"

#include <string.h>
#include <unistd.h>

#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

static struct quantisation *quantise(struct weight_source *source, uint32_t bits)
{
    struct quantisation *quantisation;
    must(quantise_graph(source, &bits, 1, &quantisation, &error));
    return quantisation;
}

/* Five values from -7 to 7, an odd number of them, and a weight of one zero. */
static void expect_bytes(uint32_t bits, const char *expected, size_t length)
{
    static const struct weighted weighted[] = {{"float32", 20}, {"float32", 4}};
    static const float values[] = {7, -7, 3.4f, -1, 0.5f, 0};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 2);
    SCOPED(weight_source_close) struct weight_source source = {0};
    SCOPED(text_free) struct text bytes = {0};
    struct values_error found;
    char path[64];
    weighted_write(path, values, sizeof values);
    must(weight_source_open(graph, path, &source, &error));
    SCOPED(quantise_release) struct quantisation *quantisation = quantise(&source, bits);
    must(values_append(&source, quantisation, &bytes, &error));
    CU_ASSERT_EQUAL_FATAL(bytes.length, length);
    CU_ASSERT_EQUAL(memcmp(bytes.bytes, expected, length), 0);
    must(values_compare(&source, quantisation, &bytes, &found, &error));
    CU_ASSERT_EQUAL(found.compared, 6);
    CU_ASSERT(found.worst_steps <= 0.5);
    unlink(path);
}

static void test_by_hand(void)
{
    expect_bytes(4, "\x97\xf3\x00\x00", 4);
    expect_bytes(8, "\x7f\x81\x3e\xee\x09\x00", 6);
}

/* More values than are looked at in one go, of which only some weights are floating point. */
static void test_drawn(void)
{
    static const struct weighted weighted[] = {
        {"float16", 2 * 16385}, {"int8", 7}, {"float32", 4 * 40000}, {"float64", 8}};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 4);
    for (uint32_t bits = 4; bits <= 8; bits += 4) {
        struct weight_source source = weight_source_draw(graph, 5);
        SCOPED(quantise_release) struct quantisation *quantisation = quantise(&source, bits);
        SCOPED(text_free) struct text bytes = {0};
        struct values_error found;
        must(values_append(&source, quantisation, &bytes, &error));
        CU_ASSERT_EQUAL(bytes.length, quantisation->bytes_after - 7);
        must(values_compare(&source, quantisation, &bytes, &found, &error));
        CU_ASSERT_EQUAL(found.compared, 16385 + 40000 + 1);
        CU_ASSERT(found.worst_steps > 0.4 && found.worst_steps <= 0.5 + 1e-9);
        bytes.bytes[20000] ^= 4;
        must(values_compare(&source, quantisation, &bytes, &found, &error));
        CU_ASSERT(found.worst_steps > 3);
        bytes.length--;
        CU_ASSERT_EQUAL(values_compare(&source, quantisation, &bytes, &found, &error),
                        STATUS_BAD_INPUT);
    }
}

static enum status append(const void *input, struct error *failed)
{
    const struct graph *graph = input;
    struct weight_source source = weight_source_draw(graph, 1);
    SCOPED(quantise_release) struct quantisation *quantisation = NULL;
    SCOPED(text_free) struct text bytes = {0};
    struct values_error found;
    TRY(quantise_graph(&source, &(uint32_t){8}, 1, &quantisation, failed));
    enum status status = values_append(&source, quantisation, &bytes, failed);
    if (!status)
        status = values_compare(&source, quantisation, &bytes, &found, failed);
    return status;
}

static void test_memory(void)
{
    static const struct weighted weighted[] = {{"float16", 100}};
    SCOPED(graph_release) struct graph *graph = weighted_graph(weighted, 1);
    fail_each(append, graph);
}

static const struct test_case cases[] = {
    {"bytes and halves of bytes", test_by_hand},
    {"what was drawn is restored to half a step", test_drawn},
    {"every allocation may fail", test_memory},
};

TESTING_MAIN("quantised values", cases)
