#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>

#include "core/random.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/onnx/read.h"
#include "datasets/reading.h"
#include "support/must.h"

/* Models of others: those of the shared datasets, and all of libonnx-testdata with cut and damaged
   copies of each. */

static const char *const vad[] = {"input=1,512", "state=2,1,128", "sr="};

static const char *const training[] = {"input=4,10", "labels=4"};

static const struct {
    const char *path;
    struct model_options options;
    uint32_t operators, regions;
} published[] = {
    {"models/ort/mnist_fused.ort", {0}, 6, 0},
    {"models/ort/training_model.ort", {.bind = training, .binds = 2}, 8, 0},
    {"onnx-light/light_bvlc_alexnet.onnx", {0}, 24, 0},
    {"onnx-light/light_densenet121.onnx", {0}, 668, 0},
    {"onnx-light/light_inception_v1.onnx", {0}, 143, 0},
    {"onnx-light/light_inception_v2.onnx", {0}, 371, 0},
    {"onnx-light/light_resnet50.onnx", {0}, 176, 0},
    {"onnx-light/light_shufflenet.onnx", {0}, 203, 0},
    {"onnx-light/light_squeezenet.onnx", {0}, 66, 0},
    {"onnx-light/light_vgg19.onnx", {0}, 46, 0},
    {"onnx-light/light_zfnet512.onnx", {0}, 22, 0},
    {"onnx-control-flow/loop_dynamic_cond.onnx", {0}, 4, 1},
    {"onnx-control-flow/loop_multi_deps.onnx", {0}, 6, 1},
    {"onnx-control-flow/loop_nested.onnx", {0}, 7, 2},
    {"onnx-control-flow/nested_if.onnx", {0}, 22, 14},
    {"onnx-control-flow/nested_if_loop_if_scan.onnx", {0}, 18, 6},
    {"onnx-control-flow/outer_scope_scan.onnx", {0}, 4, 1},
    {"onnx-control-flow/qlstm_scan.onnx", {.assume_dimension = 2}, 74, 1},
    {"onnx-control-flow/silero_vad_16k_op15.onnx", {.bind = vad, .binds = 3}, 50, 0},
};

static void check_published(size_t row, const char *path)
{
    struct text text;
    SCOPED(graph_release) struct graph *graph = NULL;
    CU_ASSERT_FATAL(text_read_file(path, &text, &error) == STATUS_OK);
    must(onnx_read(&text, path, &published[row].options, &graph, &error));
    text_free(&text);
    if (!graph) {
        printf("\n    %s: %s\n", path, error.text);
        return;
    }
    CU_ASSERT_EQUAL(graph->operators, published[row].operators);
    CU_ASSERT_EQUAL(graph->regions - 1, published[row].regions);
}

static void test_published(void)
{
    char path[4096];
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (testing_dataset(published[i].path, path, sizeof path))
            check_published(i, path);
}

static unsigned files, models, read_models, copies, read_copies;

/* A graph that can be written, or a refusal with a reason. */
static bool try_model(const struct text *text)
{
    const struct model_options assumed = {.assume_dimension = 3};
    struct graph *graph = NULL;
    uint64_t live = memory_live_blocks();
    enum status status = onnx_read(text, "model", &assumed, &graph, &error);
    CU_ASSERT(status == STATUS_OK || (status == STATUS_BAD_INPUT && error.text[0]));
    graph_free(status ? NULL : graph);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
    return status == STATUS_OK;
}

static void try_copies(const struct text *text, struct random_state *random)
{
    for (int i = 0; i < DAMAGED_COPIES; i++) {
        SCOPED(text_free) struct text copy = {0};
        size_t length = i % 2 ? text->length : (size_t)random_below(random, text->length);
        text_append_bytes(&copy, text->bytes, length);
        for (int flips = 0; i % 2 && flips < i; flips++)
            copy.bytes[random_below(random, length)] ^= (char)(1 << random_below(random, 8));
        copies++;
        read_copies += try_model(&copy);
    }
}

static int visit_file(const char *path, const struct stat *stat, int kind, struct FTW *ftw)
{
    struct text text;
    size_t length = strlen(path);
    (void)stat, (void)ftw;
    if (kind != FTW_F || length < 5 || strcmp(path + length - 5, ".onnx") != 0 ||
        ++files % TESTING_COUNT(1, 8))
        return 0;
    struct random_state random = random_seed(++models);
    CU_ASSERT_FATAL(text_read_file(path, &text, &error) == STATUS_OK);
    read_models += try_model(&text);
    try_copies(&text, &random);
    text_free(&text);
    return 0;
}

static void test_testdata(void)
{
    if (nftw(TESTDATA, visit_file, 16, FTW_PHYS) || !models) {
        testing_skip("models of libonnx-testdata, no %s", TESTDATA);
        return;
    }
    printf("%u of %u models, %u of %u damaged copies ", read_models, models, read_copies, copies);
    CU_ASSERT(read_models > models * 3 / 4);
}

static const struct test_case cases[] = {
    {"the shared datasets are read", test_published},
    {"libonnx-testdata is read or refused", test_testdata},
};
TESTING_MAIN("datasets/onnx_files", cases)
