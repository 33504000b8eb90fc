#include "datasets/graph_json.h"
#include "datasets/reading.h"
#include "datasets/zoo.h"
#include "planning/level.h"

typedef enum status (*zoo_function)(const char *name, const struct network_options *options,
                                    struct graph **graph, struct error *error);

static struct graph *build(zoo_function zoo, const struct network_options *options)
{
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    if (zoo("network", options, &graph, &error))
        printf("\n    %s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    return graph;
}

static uint64_t measure_load(const struct graph *graph)
{
    struct liveness *liveness;
    struct level *level;
    struct error error;
    uint64_t load = 0;
    CU_ASSERT_FATAL(liveness_create(graph, &liveness, &error) == STATUS_OK);
    CU_ASSERT_FATAL(level_create_flat(graph, liveness, 1, &level, &error) == STATUS_OK);
    CU_ASSERT_EQUAL(problem_load(level->problem, &load, NULL, &error), STATUS_OK);
    level_free(level);
    liveness_free(liveness);
    return load;
}

static int is_near(uint64_t measured, double published, double tolerance)
{
    double ratio = (double)measured / published;
    return ratio > 1 - tolerance && ratio < 1 + tolerance;
}

/* Exact counts at float32, and the paper's rounded ones beside them. */
struct expected {
    uint64_t load_bytes, parameters, multiply_adds;
    double published_parameters, published_multiply_adds, tolerance;
};

static void check_network(zoo_function zoo, const struct expected *expected)
{
    const struct network_options fused = NETWORK_DEFAULTS;
    struct graph *graph = build(zoo, &fused);
    uint64_t parameters = network_parameters(graph), multiply_adds = network_multiply_adds(graph);
    CU_ASSERT_EQUAL(measure_load(graph), expected->load_bytes);
    CU_ASSERT_EQUAL(parameters, expected->parameters);
    CU_ASSERT_EQUAL(multiply_adds, expected->multiply_adds);
    CU_ASSERT(is_near(parameters, expected->published_parameters, 0.01));
    CU_ASSERT(is_near(multiply_adds, expected->published_multiply_adds, expected->tolerance));
    graph_free(graph);
}

static void test_mobilenet_v1(void)
{
    const struct expected expected = {4816896, 4221032, 568740352, 4.2e6, 569e6, 0.01};
    check_network(zoo_mobilenet_v1, &expected);
}

static void test_mobilenet_v2(void)
{
    const struct expected expected = {6021120, 3487816, 300774272, 3.5e6, 300e6, 0.01};
    check_network(zoo_mobilenet_v2, &expected);
}

/* The paper cuts 3.858e9 to 3.8e9. */
static void test_resnet50(void)
{
    const struct expected expected = {9633792, 25530472, 3857973248, 25.6e6, 3.8e9, 0.02};
    check_network(zoo_resnet50, &expected);
}

static void test_options(void)
{
    static const zoo_function networks[] = {zoo_resnet50, zoo_mobilenet_v1, zoo_mobilenet_v2};
    const struct network_options fused = NETWORK_DEFAULTS;
    const struct network_options batch = {.batch = 4, .fuse = true};
    const struct network_options bytes = {.batch = 1, .dtype = 4, .fuse = true};
    const struct network_options apart = {.batch = 1};
    CU_ASSERT_STRING_EQUAL(graph_dtype_name(bytes.dtype), "int8");
    for (int i = 0; i < 3; i++) {
        struct graph *graphs[] = {build(networks[i], &fused), build(networks[i], &batch),
                                  build(networks[i], &bytes), build(networks[i], &apart)};
        uint64_t load = measure_load(graphs[0]), parameters = network_parameters(graphs[0]);
        CU_ASSERT_EQUAL(measure_load(graphs[1]), 4 * load);
        CU_ASSERT_EQUAL(network_parameters(graphs[1]), parameters);
        CU_ASSERT_EQUAL(network_multiply_adds(graphs[1]), 4 * network_multiply_adds(graphs[0]));
        CU_ASSERT_EQUAL(4 * measure_load(graphs[2]), load);
        CU_ASSERT_EQUAL(network_parameters(graphs[2]), parameters);
        CU_ASSERT(graphs[3]->operators > 2 * graphs[0]->operators);
        CU_ASSERT(network_parameters(graphs[3]) > parameters);
        CU_ASSERT_EQUAL(network_multiply_adds(graphs[3]), network_multiply_adds(graphs[0]));
        for (int k = 0; k < 4; k++)
            graph_free(graphs[k]);
    }
}

static void test_json(void)
{
    const struct network_options apart = {.batch = 1};
    struct graph *graph = build(zoo_mobilenet_v2, &apart), *again = NULL;
    struct text first = {0}, second = {0};
    struct error error;
    CU_ASSERT_EQUAL(graph_json_write(graph, &first, &error), STATUS_OK);
    CU_ASSERT_FATAL(graph_json_read(&first, "f", &again, &error) == STATUS_OK);
    CU_ASSERT_EQUAL(graph_json_write(again, &second, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(first.bytes, second.bytes);
    text_free(&first);
    text_free(&second);
    graph_free(graph);
    graph_free(again);
}

static const struct test_case cases[] = {
    {"MobileNet v1 is the published one", test_mobilenet_v1},
    {"MobileNet v2 is the published one", test_mobilenet_v2},
    {"ResNet-50 is the published one", test_resnet50},
    {"batch, dtype and folding do what they say", test_options},
    {"a network is written as it was read", test_json},
};
TESTING_MAIN("datasets/zoo", cases)
