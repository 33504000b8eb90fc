#include <string.h>

#include "datasets/memplan_json/problem.h"
#include "datasets/ranges/infer.h"
#include "harness/catalogue/planners.h"
#include "harness/family/family_file.h"
#include "harness/family/family_graph.h"
#include "harness/family/size_comparison.h"
#include "support/must.h"
#include "support/testing.h"

static struct instance *load(const char *name)
{
    struct instance *instance;
    must(instance_load(name, NULL, &instance, &error));
    return instance;
}

/* Every value between two points of a network is found again by building it there. */
static void test_ranges(void)
{
    static const char *const names[] = {
        "zoo/unet?image=188..260",       "zoo/bert_base?sequence=1..9&batch=1..3",
        "zoo/vit_large?image=112..180",  "zoo/resnet18?training=1&batch=2..4",
        "zoo/tree_lstm?sequence=2..9",   "zoo/mobilenet_v2?image=97..110&dtype=int4",
        "zoo/deeplab_v3?image=129..200",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(instance_release) struct instance *family = load(names[i]);
        const struct symbolic_sizes *sizes = instance_sizes(family);
        uint64_t point[2];
        CU_ASSERT_PTR_NOT_NULL_FATAL(sizes);
        CU_ASSERT_EQUAL(sizes->count, family->graph->tensors);
        for (uint64_t at = 0; at < 3; at++) {
            SCOPED(instance_release) struct instance *built = NULL;
            for (uint32_t p = 0; p < sizes->parameter.count; p++)
                point[p] = sizes->least[p] + at * (sizes->greatest[p] - sizes->least[p]) / 2;
            must(instance_create_at(family, point, &built, &error));
            for (uint32_t t = 0; t < sizes->count; t++) {
                uint64_t bytes = 0;
                CU_ASSERT_TRUE(sizes_value(sizes, t, point, &bytes));
                CU_ASSERT_EQUAL(bytes, built->graph->tensor[t].bytes);
            }
        }
    }
}

static void test_ranges_refused(void)
{
    static const struct {
        const char *name, *part;
    } rows[] = {
        {"zoo/unet?image=600..572", "expected its least value first"},
        {"zoo/unet?image=1..", "expected batch, sequence or image"},
        {"zoo/unet?dtype=1..2", "expected batch, sequence or image"},
        {"zoo/unet?sequence=1..2", "no option 'sequence'"},
        {"zoo/unet?image=100..140", "does not fit"},
        {"zoo/unet?batch=1..20000", "20000 points"},
        {"wired/lstm_unrolled?sequence=2..4", "operators"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct instance *instance = NULL;
        enum status status = instance_load(rows[i].name, NULL, &instance, &error);
        CU_ASSERT_TRUE(status == STATUS_USAGE || status == STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, rows[i].part));
    }
}

static void test_infer(void)
{
    static const struct {
        uint64_t first, value[8];
        uint32_t count;
        const char *text; /* NULL: none */
    } rows[] = {
        {5, {7}, 1, "7"},
        {5, {7, 7, 7}, 3, "7"},
        {5, {10, 12, 14}, 3, "2*n"},
        {5, {3, 4, 5}, 3, "n - 2"},
        {5, {3, 3, 4, 4, 5, 5}, 6, "ceil(n / 2)"},
        {4, {2, 2, 3, 3, 4, 4}, 6, "floor(n / 2)"},
        {1, {3, 3, 3, 6, 6, 6, 9}, 7, "3*ceil(n / 3)"},
        {1, {2, 5, 10, 17}, 4, "(n)*(n) + 1"},
        {1, {3, 2, 1}, 3, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = {0};
        bool found;
        must(infer_expression("n", rows[i].first, rows[i].value, rows[i].count, &text, &found,
                              &error));
        CU_ASSERT_EQUAL(found, rows[i].text != NULL);
        if (found && rows[i].text)
            CU_ASSERT_STRING_EQUAL(text.bytes, rows[i].text);
    }
}

/* One orientation is the best at every size of these networks, and is intact at the least, the
   greatest and a middle one, under every policy that makes one problem of a graph. */
static void test_networks(void)
{
    static const struct {
        const char *name, *policy, *inplace;
        bool asks_more;
    } rows[] = {
        {"zoo/unet?image=188..220", NULL, NULL, false},
        {"zoo/unet?image=188..220", "path", "nnvm", false},
        {"zoo/bert_base?sequence=16..40", "flat", NULL, false},
        {"zoo/bert_base?sequence=16..40", "select", "tflite", false},
        {"zoo/experts?sequence=8..20", NULL, NULL, false},
        {"zoo/experts?sequence=8..20", "flat", "nnvm", false},
        {"zoo/experts?sequence=8..20", "path", NULL, true},
        {"zoo/experts?sequence=8..20", "select", NULL, true},
        {"zoo/experts?sequence=8..20", "path", "borders", true},
        {"zoo/unet?image=188..200&streams=2", "streams_interval", NULL, false},
        {"zoo/blazeface?batch=1..2&streams=3", NULL, NULL, false},
        {"zoo/blazeface?batch=1..2&streams=3", "waves", NULL, false},
        {"zoo/blazeface?batch=1..2&streams=3", "serialised", NULL, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(instance_release) struct instance *graph = load(rows[i].name);
        SCOPED(family_graph_clear) struct family_graph lowered = {.graph = NULL};
        SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
        const struct job made = {.instance = graph,
                                 .policy = rows[i].policy ? policy_find(rows[i].policy) : NULL,
                                 .inplace.rules =
                                     rows[i].inplace ? inplace_find(rows[i].inplace) : NULL};
        CU_ASSERT_EQUAL(made.policy != NULL, rows[i].policy != NULL);
        CU_ASSERT_EQUAL(made.inplace.rules != NULL, rows[i].inplace != NULL);
        must(family_graph_create(&made, &lowered, &error));
        CU_ASSERT_EQUAL(lowered.asks_more, rows[i].asks_more);
        const struct job job = job_make(lowered.lowered, NULL, planners_find("best"));
        must(family_plan_find(&(struct family_request){.job = &job}, &plan, &error));
        CU_ASSERT_EQUAL(plan.status, PLAN_OPTIMAL);
        CU_ASSERT_EQUAL(plan.worst.ratio.peak_bytes, plan.worst.ratio.load_bytes);
        CU_ASSERT_TRUE(plan.worst.is_exact);
        const struct symbolic_sizes *sizes = plan.family.sizes;
        for (uint64_t at = 0; at < 3; at++) {
            uint64_t point = sizes->least[0] + at * (sizes->greatest[0] - sizes->least[0]) / 2;
            bool intact = false;
            must(family_graph_execute(&lowered, plan.orientation, &point, 1, &intact, &error));
            CU_ASSERT_TRUE(intact);
        }
    }
}

static void test_policies_refused(void)
{
    static const struct {
        const char *policy, *part;
    } rows[] = {
        {"max", "is unsafe at some sizes"},
        {"recursive", "plans the inside of blocks first"},
        {"flat", "takes several streams for one"},
    };
    SCOPED(instance_release) struct instance *graph = load("zoo/experts?sequence=8..20&streams=2");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(family_graph_clear) struct family_graph lowered = {.graph = NULL};
        const struct job job = {.instance = graph, .policy = policy_find(rows[i].policy)};
        CU_ASSERT_EQUAL(family_graph_create(&job, &lowered, &error), STATUS_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, rows[i].part));
    }
}

/* What others do is safe, but for what is known not to be; no plan is below the one planned anew,
   nor is ours where it is proved that no order is best at both sizes. */
static void test_comparison(void)
{
    SCOPED(instance_release) struct instance *cycle = load("sizes/cycle");
    SCOPED(instance_release) struct instance *lifetimes = load("sizes/lifetimes");
    SCOPED(instance_release)
    struct instance *drawn = load("perturbed:parametrise?seed=1:generate:gap?buffers=12&seed=1");
    const struct instance *const families[] = {cycle, lifetimes, drawn};
    uint32_t overlapping = 0;
    for (int i = 0; i < 3; i++) {
        SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
        SCOPED(size_comparison_clear) struct size_comparison comparison = {.cell = NULL};
        const struct job job = job_make(families[i], NULL, planners_find("exact"));
        const struct family_request request = {.job = &job};
        must(family_plan_find(&request, &plan, &error));
        must(size_comparison_make(&request, &plan, &comparison, &error));
        CU_ASSERT_EQUAL(comparison.vectors.count, i < 2 ? 2 : SIZE_COMPARISON_POINTS);
        CU_ASSERT_EQUAL(plan.status, PLAN_OPTIMAL);
        struct size_comparison_ratios ours = size_comparison_summarise(&comparison, 0);
        struct size_comparison_ratios again = size_comparison_summarise(&comparison, 1);
        CU_ASSERT_STRING_EQUAL(size_comparison_rule_at(1)->name, "replanned");
        CU_ASSERT_TRUE(i == 2 || family_ratio_compare(again.worst, ours.worst) < 0);
        for (uint32_t r = 0; r < size_comparison_rules(); r++) {
            struct size_comparison_ratios ratios = size_comparison_summarise(&comparison, r);
            CU_ASSERT_EQUAL(ratios.found, comparison.vectors.count);
            overlapping += ratios.overlapping;
            CU_ASSERT_TRUE(
                size_comparison_rule_at(r)->is_unsafe ||
                (ratios.overlapping == 0 && family_ratio_compare(ratios.worst, again.worst) >= 0));
        }
    }
    CU_ASSERT_TRUE(overlapping > 0);
}

/* The graph of ggml's worked example (tests/heuristics/allocators/test_worked.c) for 1024 to 2048
   elements: 16 384 bytes for the least, and what is reserved for the greatest at all points. */
static void test_reserved(void)
{
    SCOPED(text_free) struct text text = {0};
    struct problem *problem;
    text_append(&text, "{\"format\": \"memplan-problem/1\", \"name\": \"ggml\","
                       "\"parameters\": {\"n\": [1024, 2048]}, \"buffers\": ["
                       "{\"name\": \"x\", \"size\": \"4*n\", \"segments\": [[0, 6]]},"
                       "{\"name\": \"relu\", \"size\": \"4*n\", \"segments\": [[1, 5]]},"
                       "{\"name\": \"sqr\", \"size\": \"2*n\", \"segments\": [[4, 6]]},"
                       "{\"name\": \"concat\", \"size\": \"6*n\", \"segments\": [[5, 7]]}]}");
    must(problem_json_read(&text, "ggml", false, &problem, &error));
    SCOPED(instance_release) struct instance *family = NULL;
    must(instance_create("ggml", NULL, problem, &family, &error));
    SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
    SCOPED(size_comparison_clear) struct size_comparison comparison = {.cell = NULL};
    const struct job job = job_make(family, NULL, planners_find("exact"));
    const struct family_request request = {.job = &job};
    must(family_plan_find(&request, &plan, &error));
    must(size_comparison_make(&request, &plan, &comparison, &error));
    for (uint32_t r = 0; r < size_comparison_rules(); r++) {
        const char *name = size_comparison_rule_at(r)->name;
        for (uint32_t v = 0; v < comparison.vectors.count; v++) {
            uint64_t bytes = comparison.cell[r * comparison.vectors.count + v].peak_bytes;
            if (strcmp(name, "ggml_reserved") == 0)
                CU_ASSERT_EQUAL(bytes, 32768);
            if (strcmp(name, "ggml") == 0)
                CU_ASSERT_EQUAL(bytes, 16 * comparison.vectors.point[v]);
        }
    }
}

static const struct test_case cases[] = {
    {"networks with ranges have the bytes of the network built there", test_ranges},
    {"ranges that are none are refused", test_ranges_refused},
    {"values as expressions", test_infer},
    {"one plan for all sizes of a network", test_networks},
    {"policies that make no one problem are refused", test_policies_refused},
    {"beside what others do", test_comparison},
    {"what llama.cpp reserves", test_reserved},
};

TESTING_MAIN("family", cases)
