#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/suite.h"
#include "harness/best/kept_plans.h"
#include "harness/best/witness.h"
#include "planning/policies/policy.h"
#include "results/best/list.h"
#include "support/testing.h"

/* results/best_known.csv and the plans beside it: every line says what its witness shows, nothing
   is missing and nothing is left over. */

static struct error error;

/* Lines in the order in which they are written, so that each instance is loaded once. */
struct lines {
    struct best_list list;
    const struct best_known **line; /* [list.count] */
};

static struct lines open_lines(void)
{
    struct lines lines = {0};
    CU_ASSERT_EQUAL_FATAL(best_list_read(NULL, &lines.list, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(best_list_sort(&lines.list, &lines.line, &error), STATUS_OK);
    return lines;
}

static void close_lines(struct lines *lines)
{
    memory_free(lines->line);
    best_list_free(&lines->list);
}

static bool is_file(const char *name)
{
    size_t length = strlen(name);
    static const char *const extensions[] = {".csv", ".onnx", ".tflite"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        size_t tail = strlen(extensions[i]);
        if (length > tail && strcmp(name + length - tail, extensions[i]) == 0)
            return true;
    }
    return false;
}

/* NULL for a public instance that is not here. */
static struct instance *load(const char *name)
{
    struct instance *instance;
    char path[1024];
    bool is_public = is_file(name);
    if (is_public && !testing_dataset(name, path, sizeof path))
        return NULL;
    enum status status = instance_load(is_public ? path : name, NULL, &instance, &error);
    if (status)
        printf("\n    %s: %s\n", name, error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    return instance;
}

static void check_witness(const struct best_known *line, const struct instance *instance)
{
    struct witness witness;
    struct text name = {0};
    char path[1024];
    kept_plans_append_name(&name, line->digest, line->policy, line->options);
    CU_ASSERT_STRING_EQUAL(line->witness, name.bytes);
    text_free(&name);
    snprintf(path, sizeof path, BEST_KNOWN_PLANS "/%s", line->witness);
    enum status status = witness_read(instance, path, &witness, &error);
    if (status)
        printf("\n    %s, policy %s: %s\n", line->instance, line->policy, error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    CU_ASSERT_EQUAL(witness.peak_bytes, line->peak_bytes);
    CU_ASSERT_STRING_EQUAL(witness.policy, line->policy);
    CU_ASSERT_STRING_EQUAL(witness.options.bytes, line->options);
    witness_free(&witness);
}

/* With sanitizers one in so many. */
enum { SHARE = TESTING_COUNT(1, 20) };

static void test_witnesses(void)
{
    struct lines lines = open_lines();
    struct instance *instance = NULL;
    const char *name = "";
    for (uint32_t i = 0; i < lines.list.count; i += SHARE) {
        const struct best_known *line = lines.line[i];
        if (!*line->witness)
            continue;
        if (strcmp(line->instance, name) != 0) {
            instance_free(instance);
            name = line->instance;
            instance = load(name);
        }
        if (!instance)
            continue;
        CU_ASSERT_STRING_EQUAL(instance->digest, line->digest);
        check_witness(line, instance);
    }
    instance_free(instance);
    close_lines(&lines);
}

/* A peak without its plan is that of a problem whose plan is too large to be kept. */
static void test_peaks_have_witnesses(void)
{
    struct lines lines = open_lines();
    for (uint32_t i = 0; i < lines.list.count; i++) {
        const struct best_known *line = lines.line[i];
        bool is_large = strncmp(line->instance, "generate:layered?buffers=100000", 31) == 0;
        CU_ASSERT_EQUAL(*line->witness != '\0', line->peak_bytes && !is_large);
        CU_ASSERT_EQUAL(*line->planner != '\0', line->peak_bytes != 0);
        CU_ASSERT_EQUAL(*line->prover != '\0', line->lower_bound_bytes != 0);
        CU_ASSERT_TRUE(*line->since != '\0');
    }
    close_lines(&lines);
}

static bool is_named(const struct lines *lines, const char *file)
{
    for (uint32_t i = 0; i < lines->list.count; i++)
        if (strcmp(lines->line[i]->witness, file) == 0)
            return true;
    return false;
}

static void test_no_plan_is_left_over(void)
{
    struct lines lines = open_lines();
    DIR *folder = opendir(BEST_KNOWN_PLANS);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && !is_named(&lines, entry->d_name)) {
            printf("\n    no line has the witness %s\n", entry->d_name);
            CU_FAIL("a plan is left over");
        }
    closedir(folder);
    close_lines(&lines);
}

static bool is_listed_as(const struct lines *lines, const char *instance, const char *digest)
{
    for (uint32_t i = 0; i < lines->list.count; i++)
        if (strcmp(lines->line[i]->instance, instance) == 0 ||
            strcmp(lines->line[i]->digest, digest) == 0)
            return true;
    return false;
}

/* Two names may have one content, which is listed once. */
static bool is_listed(const struct lines *lines, const char *name)
{
    if (is_listed_as(lines, name, ""))
        return true;
    SCOPED(instance_release) struct instance *instance = load(name);
    bool listed = instance && is_listed_as(lines, name, instance->digest);
    return listed;
}

/* What all suites have, and the public problems; no line is of an unsafe policy. */
static void test_instances(void)
{
    static const char *const published[] = {"idealloc/somas_resnet50.csv",
                                            "idealloc/iopddl_G_1.csv", "idealloc/iopddl_S_1.csv"};
    struct lines lines = open_lines();
    const struct suite *suite = suite_find("nightly");
    const char *name;
    for (uint32_t i = 0; (name = suite_instance(suite, i)) != NULL; i++) {
        if (!is_listed(&lines, name))
            printf("\n    nothing is known of %s (docs/best-known.md says how to take it in)\n",
                   name);
        CU_ASSERT_TRUE(is_listed(&lines, name));
    }
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        CU_ASSERT_TRUE(is_listed(&lines, published[i]));
    for (uint32_t i = 0; i < lines.list.count; i++) {
        const struct policy *policy = policy_find(lines.line[i]->policy);
        CU_ASSERT_TRUE(!policy || !(policy->flags & POLICY_UNSAFE));
    }
    close_lines(&lines);
}

/* The capacity that MiniMalloc's authors chose for D, 1 048 576, is far above its optimum. */
static void test_minimalloc_d(void)
{
    struct lines lines = open_lines();
    const struct best_known *found = NULL;
    for (uint32_t i = 0; i < lines.list.count; i++)
        if (strcmp(lines.line[i]->instance, "minimalloc/D") == 0)
            found = lines.line[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_EQUAL(found->peak_bytes, 986112);
    CU_ASSERT_STRING_EQUAL(found->status, "optimal");
    close_lines(&lines);
}

static const struct test_case cases[] = {
    {"witnesses", test_witnesses},
    {"peaks have witnesses", test_peaks_have_witnesses},
    {"no plan is left over", test_no_plan_is_left_over},
    {"instances", test_instances},
    {"MiniMalloc's D", test_minimalloc_d},
};

TESTING_MAIN("harness/best/best_known", cases)
