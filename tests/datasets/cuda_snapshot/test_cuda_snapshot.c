#include "datasets/cuda_snapshot/cuda_snapshot.h"

#include "datasets/pytorch/pytorch.h"
#include "datasets/reading.h"
#include "planning/plan/plan.h"
#include "support/fail_each.h"
#include "support/verify_pairwise.h"

/* Snapshots that the fuzz target starts from, without their stack frames: adam of
   a0kuma/pytorchMemoryViz (ISC), small of silmont2000/assignment2-systems (MIT). */

static const struct carried_choice any = {.memory = CARRIED_ANY};

static enum status read_text(const struct text *text, const struct carried_choice *choice,
                             struct carried *carried, struct error *failed)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read_sparing(text, "test.file", &pytorch_spare, &document, failed));
    return cuda_snapshot_read(document, choice, carried, failed);
}

static struct text load(const char *name)
{
    char path[512];
    struct text text;
    struct error failed;
    snprintf(path, sizeof path, CORPUS "/cuda_snapshot/%s.json", name);
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &text, &failed), STATUS_OK);
    return text;
}

/* What the allocator did is safe, and its blocks reach as high as its segments say at most. */
static void test_snapshots(void)
{
    static const struct {
        const char *name;
        uint32_t buffers;
        uint64_t arena_bytes;
    } snapshots[] = {{"adam", 18, 232783872}, {"small", 36, 3781165056}};
    for (size_t i = 0; i < sizeof snapshots / sizeof *snapshots; i++) {
        SCOPED(text_free) struct text text = load(snapshots[i].name);
        SCOPED(carried_clear) struct carried carried = {0};
        SCOPED(plan_release) struct plan *plan = NULL;
        struct error failed;
        struct verdict verdict;
        CU_ASSERT_EQUAL_FATAL(read_text(&text, &any, &carried, &failed), STATUS_OK);
        CU_ASSERT_EQUAL(carried.problem->buffers, snapshots[i].buffers);
        CU_ASSERT_EQUAL(carried.arena_bytes, snapshots[i].arena_bytes);
        CU_ASSERT_EQUAL_FATAL(plan_create(carried.problem, &plan, &failed), STATUS_OK);
        memcpy(plan->offset, carried.offset, plan->buffers * sizeof *plan->offset);
        plan->status = PLAN_FEASIBLE;
        CU_ASSERT_EQUAL(plan_set_peak(plan, carried.problem, &failed), STATUS_OK);
        CU_ASSERT(plan->measures.peak_bytes <= carried.arena_bytes);
        CU_ASSERT_EQUAL(problem_alignment(carried.problem, 0), 512);
        verify_plan_pairwise(carried.problem, plan, &verdict);
        CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
    }
}

#define SEGMENT                                                                                    \
    "{\"device\": 0, \"address\": 4096, \"total_size\": 4096, \"blocks\": [{\"size\": 512, "       \
    "\"state\": \"inactive\"}, {\"size\": 512, \"requested_size\": 100, \"state\": "               \
    "\"active_allocated\"}]}"
#define SNAPSHOT(traces) "{\"segments\": [" SEGMENT "], \"device_traces\": [" traces "]}"
#define EVENT(action, address) "{\"action\": \"" action "\", \"addr\": " address ", \"size\": 64}"

/* A block of which nothing is recorded lives throughout, one that is freed first from the start. */
static void test_before(void)
{
    SCOPED(text_free)
    struct text text = reading_text(SNAPSHOT("[" EVENT("alloc", "4096") ", " EVENT(
        "free_completed", "6144") ", " EVENT("oom", "0") "]"));
    SCOPED(carried_clear) struct carried carried = {0};
    struct error failed;
    static const struct {
        const char *name;
        uint64_t size, offset;
        uint32_t lower, upper;
    } expected[] = {
        {"0 alloc", 64, 0, 0, 2}, {"1 before", 100, 512, 0, 2}, {"2 before", 64, 2048, 0, 1}};
    CU_ASSERT_EQUAL_FATAL(read_text(&text, &any, &carried, &failed), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(carried.problem->buffers, 3);
    for (uint32_t b = 0; b < 3; b++) {
        CU_ASSERT_STRING_EQUAL(names_get(&carried.problem->names, b), expected[b].name);
        CU_ASSERT_EQUAL(carried.problem->size[b], expected[b].size);
        CU_ASSERT_EQUAL(carried.offset[b], expected[b].offset);
        CU_ASSERT_EQUAL(problem_lower(carried.problem, b), expected[b].lower);
        CU_ASSERT_EQUAL(problem_upper(carried.problem, b), expected[b].upper);
    }
}

static enum status read_any(const struct text *text, struct error *failed)
{
    SCOPED(carried_clear) struct carried carried = {0};
    return read_text(text, &any, &carried, failed);
}

static void test_refused(void)
{
    static const struct reading_fault faults[] = {
        {1, "found no recorded events", SNAPSHOT("[]")},
        {1, "found no allocation", SNAPSHOT("[" EVENT("snapshot", "0") "]")},
        {0, "found address 4096 allocated again",
         SNAPSHOT("[" EVENT("alloc", "4096") ", " EVENT("alloc", "4096") "]")},
        {0, "found address 4096 freed twice",
         SNAPSHOT("[" EVENT("free_completed", "4096") ", " EVENT("free_completed", "4096") "]")},
        {0, "found address 4096 allocated again",
         SNAPSHOT("[" EVENT("oom", "1") "], [" EVENT("alloc", "4096") ", " EVENT("alloc",
                                                                                 "4096") "], []")},
        {2, "found no \"action\"", SNAPSHOT("[" EVENT("alloc", "4096") ",\n1]")},
        {2, "found no \"addr\"",
         SNAPSHOT("[" EVENT("alloc", "4096") ",\n{\"action\":\n\"alloc\", \"size\": 1}]")},
        {1, "found no recorded events", SNAPSHOT("{\"a\": " EVENT("alloc", "4096") "}, {}")},
        {0, "found a block of 64 bytes at address 1, expected one inside a segment",
         SNAPSHOT("[" EVENT("alloc", "1") "]")},
        {1, "expected 0 to 4611686018427387903", SNAPSHOT("[" EVENT("alloc", "-1") "]")},
    };
    reading_check_faults(read_any, faults, sizeof faults / sizeof *faults);
}

static enum status read_input(const void *text, struct error *failed)
{
    return read_any(text, failed);
}

static void test_allocations(void)
{
    SCOPED(text_free) struct text text = load("adam");
    fail_each(read_input, &text);
}

static const struct test_case cases[] = {
    {"what the allocator did is safe", test_snapshots},
    {"blocks from before the recording", test_before},
    {"what is refused", test_refused},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/cuda_snapshot", cases)
