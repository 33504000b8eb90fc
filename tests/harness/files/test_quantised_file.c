#include "harness/files/quantised_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/instance.h"
#include "harness/cache/archive.h"
#include "harness/jobs.h"
#include "quantise/values.h"
#include "support/must.h"

static const char path[] = "/tmp/memplan-quantised-file.mpa";
static void write_file(const struct graph *graph, struct quantisation **quantisation)
{
    struct weight_source source = weight_source_draw(graph, 1);
    uint64_t bytes;
    must(quantise_graph(&source, &(uint32_t){8}, 1, quantisation, &error));
    must(quantised_file_write(path, &source, *quantisation, &bytes, &error));
    CU_ASSERT(bytes > 1024);
}

static void test_round_trip(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("zoo/blazeface");
    struct weight_source source = weight_source_draw(instance->graph, 1);
    struct quantisation *written;
    SCOPED(quantised_file_clear) struct quantised_file file = {0};
    struct values_error found;
    write_file(instance->graph, &written);
    must(quantised_file_read(path, instance->graph, &file, &error));
    CU_ASSERT_EQUAL(file.quantisation->bits, 8);
    for (uint32_t w = 0; w < written->weights; w++) {
        const struct quantised_weight *a = &written->weight[w], *b = &file.quantisation->weight[w];
        CU_ASSERT_EQUAL(a->op, b->op);
        CU_ASSERT_EQUAL(a->elements, b->elements);
        CU_ASSERT_EQUAL(a->bytes_after, b->bytes_after);
        CU_ASSERT_EQUAL(a->format.position, b->format.position);
        CU_ASSERT_EQUAL(a->format.scale, b->format.scale);
    }
    must(values_compare(&source, file.quantisation, &file.values, &found, &error));
    CU_ASSERT(found.worst_steps <= 0.5 + 1e-9);
    quantise_free(written);
    unlink(path);
}

static void refuse(const struct graph *graph, const char *expected)
{
    SCOPED(quantised_file_clear) struct quantised_file file = {0};
    CU_ASSERT_EQUAL(quantised_file_read(path, graph, &file, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, expected));
}

static void test_another_graph(void)
{
    SCOPED(instance_release) struct instance *one = jobs_load("zoo/blazeface");
    SCOPED(instance_release) struct instance *other = jobs_load("zoo/squeezenet");
    struct quantisation *written;
    write_file(one->graph, &written);
    quantise_free(written);
    refuse(other->graph, "weights, expected the");
    unlink(path);
    refuse(one->graph, "cannot");
}

/* An archive without weights, or whose JSON is wrong. */
static void test_wrong_json(void)
{
#define QUANTISED "{\"format\": \"memplan-quantised/1\", \"bits\": "
    static const char *const rows[][2] = {{NULL, "archive of something else"},
                                          {"{\"format\": \"memplan-graph/1\"}", "expected"},
                                          {QUANTISED "5, \"weights\": []}", "expected 4 or 8"},
                                          {QUANTISED "8, \"weights\": []}", "found 0 weights"},
                                          {QUANTISED "8, \"more\": []}", "more"}};
    SCOPED(instance_release) struct instance *instance = jobs_load("zoo/blazeface");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *json = rows[i][0];
        SCOPED(archive_free) struct archive archive = {0};
        SCOPED(text_free) struct text bytes = {0};
        text_append(archive_add(&archive, json ? "weights" : "plan"), "%s", json ? json : "{}");
        archive_add(&archive, "values");
        must(archive_write(&archive, &bytes, &error));
        must(text_write_file(path, &bytes, &error));
        refuse(instance->graph, rows[i][1]);
        unlink(path);
    }
}

static const struct test_case cases[] = {
    {"what is written is read", test_round_trip},
    {"a file of another graph is refused", test_another_graph},
    {"wrong descriptions are refused", test_wrong_json},
};

TESTING_MAIN("quantised file", cases)
