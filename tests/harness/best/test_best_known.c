#define _XOPEN_SOURCE 700 /* nftw */
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/memory_instance.h"
#include "datasets/suite.h"
#include "harness/best/kept_plans.h"
#include "harness/best/witness.h"
#include "harness/jobs.h"
#include "planning/policies/policy.h"
#include "results/best/list.h"
#include "support/must.h"

/* results/best_known.csv and the plans beside it: every line says what its witness shows, nothing
   is missing and nothing is left over. */

/* Lines in the order in which they are written, so that each instance is loaded once. */
struct lines {
    struct best_list list;
    const struct best_known **line; /* [list.count] */
};

static struct lines open_lines(void)
{
    struct lines lines = {0};
    must(best_list_read(NULL, &lines.list, &error));
    must(best_list_sort(&lines.list, &lines.line, &error));
    return lines;
}

static void close_lines(struct lines *lines)
{
    memory_free(lines->line);
    best_list_free(&lines->list);
}

/* NULL for a public instance that is not here. */
static struct instance *load(const char *name)
{
    char path[1024];
    bool is_public = file_name_has_extension(name, ".csv") ||
                     file_name_has_extension(name, ".onnx") ||
                     file_name_has_extension(name, ".tflite");
    if (is_public && !testing_dataset(name, path, sizeof path))
        return NULL;
    return jobs_load(is_public ? path : name);
}

static void check_witness(const struct best_known *line, const struct instance *instance)
{
    SCOPED(witness_free) struct witness witness = {0};
    SCOPED(text_free) struct text name = {0};
    char path[1024];
    kept_plans_append_name(&name, line->digest, line->policy, line->options);
    CU_ASSERT_STRING_EQUAL(line->witness, name.bytes);
    snprintf(path, sizeof path, BEST_KNOWN_PLANS "/%s", line->witness);
    enum status status = witness_read(instance, path, &witness, &error);
    if (status)
        printf("\n    %s, policy %s: %s\n", line->instance, line->policy, error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    CU_ASSERT_EQUAL(witness.peak_bytes, line->peak_bytes);
    CU_ASSERT_STRING_EQUAL(witness.policy, line->policy);
    CU_ASSERT_STRING_EQUAL(witness.options.bytes, line->options);
}

static void check_cost_witness(const struct best_known *line, const struct memory_instance *problem)
{
    SCOPED(witness_free) struct witness witness = {0};
    SCOPED(text_free) struct text name = {0};
    char path[1024];
    CU_ASSERT_STRING_EQUAL(problem->digest, line->digest);
    if (!*line->witness)
        return;
    kept_plans_append_name(&name, line->digest, line->policy, line->options);
    CU_ASSERT_STRING_EQUAL(line->witness, name.bytes);
    snprintf(path, sizeof path, BEST_KNOWN_PLANS "/%s", line->witness);
    enum status status = witness_read_memories(&problem->file, path, &witness, &error);
    if (status)
        printf("\n    %s: %s\n", line->instance, error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    CU_ASSERT_EQUAL(witness.cost, best_cost(line));
}

/* With sanitizers one in so many. */
enum { SHARE = TESTING_COUNT(1, 20) };

static void test_witnesses(void)
{
    SCOPED(close_lines) struct lines lines = open_lines();
    struct instance *instance = NULL;
    const char *name = "";
    for (uint32_t i = 0; i < lines.list.count; i += SHARE) {
        const struct best_known *line = lines.line[i];
        if (!*line->witness || strcmp(line->policy, BEST_MEMORIES) == 0)
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
}

/* Every problem of the suites is listed, with a plan or the proof that there is none. */
static void test_suites_of_memories(void)
{
    static const char *const suites[] = {"memories", "penalties"};
    SCOPED(close_lines) struct lines lines = open_lines();
    for (size_t s = 0; s < sizeof suites / sizeof *suites; s++)
        for (uint32_t i = 0; i < suite_instances(suite_find(suites[s])); i++) {
            const char *name = suite_instance(suite_find(suites[s]), i);
            SCOPED(memory_instance_clear) struct memory_instance problem = {.name = NULL};
            must(memory_instance_load(name, &problem, &error));
            const struct best_known *line =
                best_list_find(&lines.list, problem.digest, BEST_MEMORIES, "");
            if (!line)
                printf("\n    nothing is known of %s\n", name);
            CU_ASSERT_PTR_NOT_NULL_FATAL(line);
            check_cost_witness(line, &problem);
        }
}

static uint32_t files_seen, problems_listed;
static struct best_list list_of_walk;

static int visit(const char *path, const struct stat *facts, int type, struct FTW *place)
{
    SCOPED(memory_instance_clear) struct memory_instance problem = {.name = NULL};
    (void)facts, (void)place;
    if (type != FTW_F || files_seen++ % SHARE || !memory_instance_is(path))
        return 0;
    /* Beside problems there are schemas and descriptions of chips. */
    if (memory_instance_load(path, &problem, &error))
        return 0;
    const struct best_known *line =
        best_list_find(&list_of_walk, problem.digest, BEST_MEMORIES, "");
    problems_listed += line != NULL;
    if (line)
        check_cost_witness(line, &problem);
    return 0;
}

/* dsa-solver's problems, where they are at hand. */
static void test_public_memories(void)
{
    char path[1024];
    if (!testing_dataset("dsa", path, sizeof path))
        return;
    must(best_list_read(NULL, &list_of_walk, &error));
    CU_ASSERT_EQUAL(nftw(path, visit, 16, FTW_PHYS), 0);
    CU_ASSERT_TRUE(problems_listed > 100 / SHARE);
    best_list_free(&list_of_walk);
}

/* The line of the instance; NULL where none is listed under its name or its content. */
static const struct best_known *find_line(const struct lines *lines, const char *name,
                                          const char *digest)
{
    for (uint32_t i = 0; i < lines->list.count; i++)
        if (strcmp(lines->line[i]->instance, name) == 0 ||
            strcmp(lines->line[i]->digest, digest) == 0)
            return lines->line[i];
    return NULL;
}

/* Two names may have one content, which is listed once. */
static bool is_listed(const struct lines *lines, const char *name)
{
    if (find_line(lines, name, ""))
        return true;
    SCOPED(instance_release) struct instance *instance = load(name);
    return instance && find_line(lines, name, instance->digest);
}

/* What all suites have, and the public problems; no line is of an unsafe policy. A peak without its
   plan is that of a problem whose plan is too large to be kept; no plan is left over. */
static void test_lines(void)
{
    static const char *const published[] = {"idealloc/somas_resnet50.csv",
                                            "idealloc/iopddl_G_1.csv", "idealloc/iopddl_S_1.csv"};
    SCOPED(close_lines) struct lines lines = open_lines();
    const struct suite *suite = suite_find("nightly");
    uint32_t plans = 0, witnesses = 0;
    for (uint32_t i = 0; i < suite_instances(suite); i++) {
        bool listed = is_listed(&lines, suite_instance(suite, i));
        if (!listed)
            printf("\n    nothing is known of %s (docs/best-known.md says how to take it in)\n",
                   suite_instance(suite, i));
        CU_ASSERT_TRUE(listed);
    }
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        CU_ASSERT_TRUE(is_listed(&lines, published[i]));
    for (uint32_t i = 0; i < lines.list.count; i++) {
        const struct best_known *line = lines.line[i];
        const struct policy *policy = policy_find(line->policy);
        bool is_large = strncmp(line->instance, "generate:layered?buffers=100000", 31) == 0;
        CU_ASSERT_TRUE(!policy || !(policy->flags & POLICY_UNSAFE));
        bool has_plan = line->peak_bytes || *line->cost;
        CU_ASSERT_EQUAL(*line->witness != '\0', has_plan && !is_large);
        CU_ASSERT_EQUAL(*line->planner != '\0', has_plan);
        CU_ASSERT_EQUAL(*line->prover != '\0', line->lower_bound_bytes || *line->cost_bound);
        CU_ASSERT_TRUE(*line->since != '\0');
        witnesses += *line->witness != '\0';
    }
    DIR *folder = opendir(BEST_KNOWN_PLANS);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        uint32_t i = 0;
        while (i < lines.list.count && strcmp(lines.line[i]->witness, entry->d_name) != 0)
            i++;
        plans += entry->d_name[0] != '.';
        if (entry->d_name[0] != '.' && i == lines.list.count)
            printf("\n    no line has the witness %s\n", entry->d_name);
        CU_ASSERT(entry->d_name[0] == '.' || i < lines.list.count);
    }
    closedir(folder);
    CU_ASSERT_EQUAL(plans, witnesses);
    /* The capacity that MiniMalloc's authors chose for D, 1 048 576, is far above its optimum. */
    const struct best_known *found = find_line(&lines, "minimalloc/D", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_EQUAL(found->peak_bytes, 986112);
    CU_ASSERT_STRING_EQUAL(found->status, "optimal");
}

static const struct test_case cases[] = {
    {"witnesses", test_witnesses},
    {"suites of memories", test_suites_of_memories},
    {"public problems with memories", test_public_memories},
    {"lines", test_lines},
};

TESTING_MAIN("harness/best/best_known", cases)
