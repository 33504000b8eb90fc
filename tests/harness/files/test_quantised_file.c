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
    struct instance *instance = jobs_load("zoo/blazeface");
    struct weight_source source = weight_source_draw(instance->graph, 1);
    struct quantisation *written;
    struct quantised_file file = {0};
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
    quantised_file_clear(&file);
    quantise_free(written);
    instance_free(instance);
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
    struct instance *one = jobs_load("zoo/blazeface"), *other = jobs_load("zoo/squeezenet");
    struct quantisation *written;
    write_file(one->graph, &written);
    refuse(other->graph, "weights, expected the");
    unlink(path);
    refuse(one->graph, "cannot");
    quantise_free(written);
    instance_free(one);
    instance_free(other);
}

/* An archive whose JSON is wrong. */
static void refuse_weights(const char *json, const char *expected)
{
    struct instance *instance = jobs_load("zoo/blazeface");
    struct archive archive = {0};
    struct text bytes = {0};
    text_append(archive_add(&archive, json ? "weights" : "plan"), "%s", json ? json : "{}");
    archive_add(&archive, "values");
    must(archive_write(&archive, &bytes, &error));
    must(text_write_file(path, &bytes, &error));
    refuse(instance->graph, expected);
    archive_free(&archive);
    text_free(&bytes);
    instance_free(instance);
    unlink(path);
}

static void test_wrong_json(void)
{
    refuse_weights(NULL, "archive of something else");
    refuse_weights("{\"format\": \"memplan-graph/1\"}", "expected");
    refuse_weights("{\"format\": \"memplan-quantised/1\", \"bits\": 5, \"weights\": []}",
                   "expected 4 or 8");
    refuse_weights("{\"format\": \"memplan-quantised/1\", \"bits\": 8, \"weights\": []}",
                   "found 0 weights");
    refuse_weights("{\"format\": \"memplan-quantised/1\", \"bits\": 8, \"more\": []}", "more");
}

static const struct test_case cases[] = {
    {"what is written is read", test_round_trip},
    {"a file of another graph is refused", test_another_graph},
    {"wrong descriptions are refused", test_wrong_json},
};

TESTING_MAIN("quantised file", cases)
