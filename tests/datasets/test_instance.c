#include "datasets/instance.h"
#include "datasets/instance_table.h"
#include "datasets/loading.h"
#include "support/must.h"

#include <stdlib.h>
#include <unistd.h>

#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "datasets/reading.h"
#include "datasets/suite.h"

static void test_table(void)
{
    for (uint32_t i = 0; i < instance_count(); i++) {
        struct instance_row row = instance_at(i);
        SCOPED(instance_release) struct instance *instance = load(row.name);
        if (!instance)
            continue;
        CU_ASSERT_STRING_EQUAL(instance->name, row.name);
        CU_ASSERT_EQUAL(strlen(instance->digest), DIGEST_TEXT_BYTES - 1);
        CU_ASSERT_EQUAL(instance->graph != NULL, row.kind == INSTANCE_GRAPH);
        CU_ASSERT_EQUAL(instance->problem != NULL, row.kind == INSTANCE_PROBLEM);
        CU_ASSERT_EQUAL(instance->graph && graph_has_control_flow(instance->graph),
                        row.has_control_flow);
        CU_ASSERT(strlen(row.title) > 10 && strlen(row.title) < 80);
        for (uint32_t k = 0; k < i; k++)
            CU_ASSERT_STRING_NOT_EQUAL(instance_at(k).name, row.name);
    }
}

static void test_suites(void)
{
    static const struct {
        const char *name;
        uint32_t instances;
    } expected[] = {{"luna", 6},   {"wang2025", 8},  {"luna-dma", 5},
                    {"worked", 8}, {"ge", 13},       {"minimalloc", 11},
                    {"tflite", 7}, {"training", 12}, {"bugs", 35}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct suite *suite = suite_find(expected[i].name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(suite);
        CU_ASSERT_EQUAL(suite_instances(suite), expected[i].instances);
        CU_ASSERT_PTR_NOT_NULL(suite_instance(suite, expected[i].instances - 1));
        CU_ASSERT_PTR_NULL(suite_instance(suite, expected[i].instances));
    }
    uint32_t wired = 0, brought = suite_instances(suite_find("brought"));
    for (uint32_t i = 0; i < instance_count(); i++)
        wired += strncmp(instance_at(i).name, "wired/", 6) == 0;
    for (uint32_t i = 0; i < instance_count(); i++)
        brought += strncmp(instance_at(i).name, "public/", 7) == 0;
    CU_ASSERT_EQUAL(suite_instances(suite_find("all")) + wired + brought, instance_count());
    CU_ASSERT(suite_instances(suite_find("orders")) > wired);
    CU_ASSERT_STRING_EQUAL(suite_instance(suite_find("worked"), 0), "paper/figure1");
    CU_ASSERT_PTR_NULL(suite_find("nothing"));
    CU_ASSERT(suite_instances(suite_find("nightly")) > instance_count() + 20);
    for (uint32_t i = 0; i < suite_count(); i++)
        CU_ASSERT_PTR_NOT_NULL(suite_instance(suite_at(i), 0));
}

/* With and without control flow, the networks of the zoo are in one suite or the other. */
static void test_zoo_suites(void)
{
    const struct suite *zoo = suite_find("zoo"), *control_flow = suite_find("control_flow");
    uint32_t networks = 0, with = 0;
    for (uint32_t i = 0; i < instance_count(); i++)
        networks += strncmp(instance_at(i).name, "zoo/", 4) == 0;
    for (uint32_t i = 0; i < suite_instances(control_flow); i++)
        with += strncmp(suite_instance(control_flow, i), "zoo/", 4) == 0;
    CU_ASSERT_EQUAL(suite_instances(zoo) + with, networks);
    CU_ASSERT_STRING_EQUAL(suite_instance(control_flow, 0), "luna/wake_up");
    CU_ASSERT_PTR_NULL(suite_instance(zoo, suite_instances(zoo)));
}

static void check_refused(const char *name, enum status status, const char *expected)
{
    struct instance *instance;
    CU_ASSERT_EQUAL(instance_load(name, NULL, &instance, &error), status);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, expected));
    if (!strstr(error.text, expected))
        printf("\n    %s: %s\n", name, error.text);
}

/* The number of each case is the status. */
static void test_unknown(void)
{
    struct reading_cases cases = reading_open("names_refused");
    struct reading_fault found;
    while (reading_next(&cases, &found)) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(found.input, "\n"), found.input);
        check_refused(name, (enum status)found.line, found.expected);
    }
    text_free(&cases.text);
}

/* A file in a folder of its own. */
struct scratch {
    char folder[32], path[64];
};

static struct scratch write_scratch(const char *name, const char *content)
{
    struct scratch scratch = {.folder = "/tmp/memplan-test-XXXXXX"};
    struct text text = reading_text(content);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(scratch.folder));
    snprintf(scratch.path, sizeof scratch.path, "%s/%s", scratch.folder, name);
    must(text_write_file(scratch.path, &text, &error));
    text_free(&text);
    return scratch;
}

static void remove_scratch(const struct scratch *scratch)
{
    unlink(scratch->path);
    rmdir(scratch->folder);
}

static struct instance *load_content(const char *name, const char *content)
{
    struct scratch scratch = write_scratch(name, content);
    struct instance *instance = load(scratch.path);
    remove_scratch(&scratch);
    CU_ASSERT_PTR_NOT_NULL_FATAL(instance);
    return instance;
}

static void test_digest_of_problems(void)
{
    static const char *const files[][2] = {
        {"one.csv", "id,lower,upper,size\na,0,3,4\nb,2,5,8\n"},
        {"two.12.csv", "size,end,lower,buffer,gaps\r\n4,2,0,a,\r\n\r\n8,4,2,b,3-3@0:8\r\n"},
        {"three.json", "{\"format\": \"memplan-problem/1\", \"name\": \"other\", \"note\": \"n\", "
                       "\"buffers\": [{\"name\": \"a\", \"size\": 4, \"segments\": [[0, 3]]}, "
                       "{\"segments\": [[2, 5]], \"name\": \"b\", \"size\": 8}]}"},
        {"different.csv", "id,lower,upper,size\nb,2,5,8\na,0,3,4\n"},
    };
    struct instance *instance[4];
    for (int i = 0; i < 4; i++)
        instance[i] = load_content(files[i][0], files[i][1]);
    CU_ASSERT_STRING_EQUAL(instance[0]->digest, instance[1]->digest);
    CU_ASSERT_STRING_EQUAL(instance[0]->digest, instance[2]->digest);
    CU_ASSERT_STRING_NOT_EQUAL(instance[0]->digest, instance[3]->digest);
    CU_ASSERT_STRING_EQUAL(instance[1]->name, "two.12");
    CU_ASSERT_PTR_NOT_NULL(instance[0]->problem);
    for (int i = 0; i < 4; i++)
        instance_free(instance[i]);
}

static void test_digest_of_graphs(void)
{
    SCOPED(instance_release) struct instance *built_in = load("patent/figure4");
    SCOPED(text_free) struct text text = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(built_in);
    must(graph_json_write(built_in->graph, &text, &error));
    SCOPED(instance_release) struct instance *file = load_content("mine.json", text.bytes);
    CU_ASSERT_STRING_EQUAL(file->digest, built_in->digest);
    CU_ASSERT_STRING_EQUAL(file->name, "mine");
}

static void test_ignored_offsets(void)
{
    const struct instance_options ignore = {.offsets = FIXED_OFFSETS_IGNORED};
    struct scratch scratch = write_scratch("p.csv", "id,lower,upper,size,offset\na,0,3,4,8\n");
    struct instance *fixed = load(scratch.path), *moving = NULL;
    must(instance_load(scratch.path, &ignore, &moving, &error));
    CU_ASSERT_EQUAL(problem_fixed_offset(fixed->problem, 0), 8);
    CU_ASSERT_EQUAL(problem_fixed_offset(moving->problem, 0), PROBLEM_FREE);
    CU_ASSERT_STRING_NOT_EQUAL(fixed->digest, moving->digest);
    instance_free(fixed);
    instance_free(moving);
    remove_scratch(&scratch);
}

static void test_other_formats(void)
{
    struct scratch scratch = write_scratch("p.json", "{\"format\": \"memplan-plan/1\"}");
    check_refused(scratch.path, STATUS_BAD_INPUT, "found \"format\" memplan-plan/1, expected");
    remove_scratch(&scratch);
    scratch = write_scratch("p.json", "[]");
    check_refused(scratch.path, STATUS_BAD_INPUT, "found \"format\" missing, expected");
    remove_scratch(&scratch);
}

static void test_allocations(void)
{
    struct scratch scratch = write_scratch("p.csv", "id,lower,upper,size\na,0,3,4\n");
    reading_check_allocations(load_and_free, scratch.path);
    remove_scratch(&scratch);
    reading_check_allocations(load_and_free, "paper/figure1");
    reading_check_allocations(load_and_free, "zoo/mobilenet_v1");
}

static void test_published_files(void)
{
    static const char *const files[] = {"minimalloc/A.1048576.csv", "minimalloc/input.12.csv",
                                        "idealloc/iopddl_G_1.csv", "idealloc/somas_resnet50.csv"};
    char path[4096];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (!testing_dataset(files[i], path, sizeof path))
            continue;
        SCOPED(instance_release) struct instance *instance = load(path);
        CU_ASSERT(instance && instance->problem);
    }
}

static const struct test_case cases[] = {
    {"every row of the table loads and says what it is", test_table},
    {"suites follow from the table", test_suites},
    {"the zoo is in one suite or the other", test_zoo_suites},
    {"names and options that are wrong are refused with help", test_unknown},
    {"equal problems have equal digests", test_digest_of_problems},
    {"equal graphs have equal digests", test_digest_of_graphs},
    {"offsets can be ignored", test_ignored_offsets},
    {"other formats are refused", test_other_formats},
    {"every allocation may fail", test_allocations},
    {"published files are read", test_published_files},
};
TESTING_MAIN("datasets/instance", cases)
