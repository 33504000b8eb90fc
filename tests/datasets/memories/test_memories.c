#include "datasets/json/document.h"
#include "datasets/memory_instance.h"
#include "planning/verify/memories/memories.h"
#include "support/fail_each.h"
#include "support/must.h"

/* Problems with several memories as files. What is refused is in tests/cli/memories.sh. */

static const char everything[] =
    "{\"format\": \"memplan-memories/1\", \"name\": \"all\", \"memories\": ["
    "{\"name\": \"fast\", \"capacity\": 16, \"alignment\": 2, \"reserved\": [[2, 4], [14, 16]]},"
    "{\"name\": \"slow\", \"chunk\": 8, \"read_ns_per_byte\": 0.125, \"write_ns_per_byte\": 3}],"
    "\"buffers\": ["
    "{\"name\": \"a\", \"size\": 4, \"segments\": [[0, 2], [5, 6]], \"memories\": [\"slow\"]},"
    "{\"name\": \"b\", \"size\": 2, \"alignment\": 4, \"segments\": [[1, 3]], \"read_bytes\": 9},"
    "{\"name\": \"c\", \"size\": 1, \"segments\": [[2, 3]], \"write_bytes\": 0},"
    "{\"name\": \"d\", \"size\": 1, \"segments\": [[4, 5]]}],"
    "\"penalties\": [[\"a\", \"c\", 1.5], [0, 3, 2]], \"separations\": [[\"a\", \"d\"]],"
    "\"colocations\": [[\"c\", \"d\"]], \"exclusions\": [[\"b\", \"c\"]],"
    "\"pins\": [{\"buffer\": \"b\", \"memory\": \"fast\", \"offset\": 4, \"exclusive\": true}]}";

static const char solver[] =
    "{\"schema_version\": 1, \"profile\": \"dsa_rp_v1\", \"instance\": \"x\", \"problem\": {"
    "\"pools\": [{\"id\": 3, \"name\": \"p\", \"capacity\": null, \"reserved_ranges\": "
    "[{\"begin\": 0, \"end\": 1}]}], \"buffers\": [{\"id\": 9, \"name\": \"q\", \"size\": 2, "
    "\"alignment\": 1, \"live_intervals\": [{\"lower\": 0, \"upper\": 2}], \"allowed_pools\": [3]},"
    "{\"id\": 0, \"name\": \"r\", \"size\": 2, \"alignment\": 1, \"live_intervals\": "
    "[{\"lower\": 3, \"upper\": 4}, {\"lower\": 5, \"upper\": 6}], \"allowed_pools\": [3]}],"
    "\"constraints\": {\"colocations\": [], \"separations\": [{\"first\": 9, \"second\": 0, "
    "\"reasons\": [\"generic\"]}], \"temporal_exclusions\": [], \"pinned_allocations\": "
    "[{\"buffer\": 9, \"pool\": 3, \"offset\": 1, \"exclusive_for_all_time\": false}]},"
    "\"cost_model\": {\"reuse_penalties\": [{\"first\": 0, \"second\": 9, \"cost\": 4, "
    "\"reason\": \"generic\"}]},"
    "\"objective\": {\"aggregation\": \"lexicographic\", \"terms\": [\"reuse_cost\"]}}}";

static enum status read_words(const char *words, struct memory_file *file, struct error *failure)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    text_append(&text, "%s", words);
    TRY(text_check(&text, failure));
    TRY(json_document_read(&text, "words", &document, failure));
    return memory_file_read(document, file, failure);
}

static enum status rewrite(const void *words, struct error *failure)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    SCOPED(memory_plan_release) struct memory_plan *again = NULL;
    SCOPED(text_free) struct text problem = {0};
    SCOPED(text_free) struct text written = {0};
    TRY(read_words(words, &file, failure));
    TRY(memory_file_write(file.problem, &problem, failure));
    TRY(memory_plan_create(file.problem, &plan, failure));
    for (uint32_t b = 0; b < plan->buffers; b++)
        plan->memory[b] = 0;
    TRY(file.dsa.profile ? memory_file_write_solution(&file, plan, &written, failure)
                         : memory_file_write_plan(file.problem, plan, &written, failure));
    return memory_file_read_plan(&file, &written, "plan", &again, failure);
}

static void test_round_trip(void)
{
    static const char *const inputs[] = {everything, solver};
    for (size_t i = 0; i < 2; i++) {
        SCOPED(memory_file_clear) struct memory_file file = {0};
        SCOPED(memory_file_clear) struct memory_file again = {0};
        SCOPED(text_free) struct text first = {0};
        SCOPED(text_free) struct text second = {0};
        must(read_words(inputs[i], &file, &error));
        must(memory_file_write(file.problem, &first, &error));
        must(read_words(first.bytes, &again, &error));
        must(memory_file_write(again.problem, &second, &error));
        CU_ASSERT_STRING_EQUAL(first.bytes, second.bytes);
        must(rewrite(inputs[i], &error));
    }
}

static void test_content(void)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    must(read_words(everything, &file, &error));
    const struct memory_problem *problem = file.problem;
    CU_ASSERT_EQUAL(problem->reserved_ranges, 2);
    CU_ASSERT_EQUAL(problem->memory[1].read_cost, 125);
    CU_ASSERT_EQUAL(memory_problem_traffic(problem, 1, 1), 9 * 125 + 2 * 3000);
    CU_ASSERT_EQUAL(problem->penalty[0].cost, 1500);
    CU_ASSERT_FALSE(memory_problem_allows(problem, 0, 0));
    CU_ASSERT_TRUE(problem->pin[0].exclusive);
}

/* dsa-solver hashes what its own writer makes of the problem: the digits were found by a few lines
   of Python, json.dumps(document, sort_keys=True, indent=2) and a line end. */
static void test_fingerprint(void)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    must(read_words(solver, &file, &error));
    CU_ASSERT_STRING_EQUAL(file.dsa.fingerprint, "e7438a44445c86a5");
}

static void test_allocations(void)
{
    fail_each(rewrite, everything);
    fail_each(rewrite, solver);
}

/* What names of rules make; that of lift is what dsa-solver's own tool makes of the same
   problem. */
static void test_names(void)
{
    static const struct {
        const char *name;
        uint32_t memories, penalties;
        uint64_t capacity;
    } made[] = {
        {"memories/dsa_example", 1, 6, 12},
        {"memories:lift?seed=0:minimalloc/A", 1, 1928, 1352704},
        {"memories:lift?seed=0:minimalloc/F", 1, 4865, 1441792},
        {"memories:lift?seed=0&streams=1:minimalloc/A", 1, 0, 1352704},
        {"memories:two?percent=60&chunk=20:minimalloc/A", 2, 0, 629145},
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        SCOPED(memory_instance_clear) struct memory_instance instance = {.name = NULL};
        CU_ASSERT_TRUE(memory_instance_is(made[i].name));
        must(memory_instance_load(made[i].name, &instance, &error));
        const struct memory_problem *problem = instance.file.problem;
        CU_ASSERT_EQUAL(problem->memories, made[i].memories);
        CU_ASSERT_EQUAL(problem->penalties, made[i].penalties);
        CU_ASSERT_EQUAL(problem->memory[0].capacity_bytes, made[i].capacity);
    }
}

static void test_wrong_names(void)
{
    static const char *const names[][2] = {
        {"memories:lift", "of what is changed"},
        {"memories:lit:minimalloc/A", "did you mean lift"},
        {"memories:lift?streams=99:minimalloc/A", "from 1 to 16"},
        {"memories:lift:zoo/alexnet", "is a graph"},
        {"memories:lift:generate:concurrent_tiling?seed=1", "found clocks"},
        {"memories:two:nothing", "no instance"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(memory_instance_clear) struct memory_instance instance = {.name = NULL};
        CU_ASSERT_EQUAL(memory_instance_load(names[i][0], &instance, &error), STATUS_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, names[i][1]));
        if (!strstr(error.text, names[i][1]))
            printf("\n    %s: %s\n", names[i][0], error.text);
    }
}

static const struct test_case cases[] = {
    {"problems by name", test_names},
    {"wrong names", test_wrong_names},
    {"problems and plans are read as they were written", test_round_trip},
    {"costs, traffic, pins", test_content},
    {"a fingerprint of dsa-solver", test_fingerprint},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/memories", cases)
