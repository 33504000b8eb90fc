#include "datasets/memplan_json/plan.h"
#include "datasets/reading.h"

static const char everything[] =
    "{\n"
    "  \"format\": \"memplan-plan/1\",\n"
    "  \"instance\": \"paper/figure1\",\n"
    "  \"digest\": \"0123\",\n"
    "  \"policy\": \"recursive\",\n"
    "  \"planner\": \"large_first\",\n"
    "  \"options\": \"fit=best\",\n"
    "  \"seed\": 7,\n"
    "  \"status\": \"feasible\",\n"
    "  \"peak\": 9007199254740993,\n"
    "  \"lower_bound\": 1,\n"
    "  \"naive\": 2,\n"
    "  \"nodes\": 3,\n"
    "  \"wall_ns\": 4,\n"
    "  \"storages\": [\n"
    "    {\"id\": 1, \"offset\": 8, \"bytes\": 8, \"device\": 2}\n"
    "  ],\n"
    "  \"buffers\": [\n"
    "    {\"name\": \"a\", \"size\": 4, \"lower\": 0, \"upper\": 3, \"offset\": 12, \"tensors\": "
    "[\"t\\\"1\", \"t2\"]},\n"
    "    {\"name\": \"b\", \"size\": 4, \"lower\": 2, \"upper\": 4294967295, \"offset\": 20, "
    "\"extents\": [[20, 1], [9007199254740990, 3]], \"tensors\": []},\n"
    "    {\"name\": \"c\", \"size\": 4, \"lower\": 0, \"upper\": 3, \"offset\": 12, "
    "\"storage_id\": 1, \"device\": 2, \"tensors\": []},\n"
    "    {\"name\": \"d\", \"size\": 6, \"lower\": 3, \"upper\": 4, \"offset\": 8, "
    "\"storage_id\": 1, \"device\": 2, \"tensors\": []}\n"
    "  ]\n"
    "}\n";

static enum status read_and_write(const struct text *text, struct error *error)
{
    struct plan_document *plan;
    struct text written = {0};
    TRY(plan_json_read(text, "test.file", &plan, error));
    enum status status = plan_json_write(plan, &written, error);
    text_free(&written);
    plan_document_free(plan);
    return status;
}

static void test_golden(void)
{
    struct text text = reading_text(everything), written = {0};
    struct plan_document *plan = NULL;
    struct error error = ERROR_NONE;
    CU_ASSERT_FATAL(plan_json_read(&text, "test.file", &plan, &error) == STATUS_OK);
    CU_ASSERT_EQUAL(plan_json_write(plan, &written, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(written.bytes, everything);
    CU_ASSERT_STRING_EQUAL(plan->planner, "large_first");
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, 9007199254740993);
    CU_ASSERT_EQUAL(plan->buffer[0].offset_bytes, 12);
    CU_ASSERT_EQUAL(plan->buffer[0].tensors, 2);
    CU_ASSERT_STRING_EQUAL(names_get(&plan->tensor_names, plan->buffer[0].first + 1), "t2");
    CU_ASSERT_EQUAL(plan->buffer[0].extents, 0);
    CU_ASSERT_EQUAL_FATAL(plan->buffer[1].extents, 2);
    CU_ASSERT_EQUAL(plan->extent[plan->buffer[1].first_extent + 1].bytes, 3);
    CU_ASSERT_EQUAL(plan->buffer[0].storage_id, STORAGE_IDS_NONE);
    CU_ASSERT_EQUAL(plan->buffer[2].storage_id, 1);
    text_free(&written);
    text_free(&text);
    plan_document_free(plan);
}

static void test_numbers_too_large_for_json(void)
{
    const struct plan_document_texts texts = {.instance = "i"};
    struct plan_document *plan;
    struct text written = {0};
    struct error error = ERROR_NONE;
    CU_ASSERT_FATAL(plan_document_create(&texts, &plan, &error) == STATUS_OK);
    CU_ASSERT_STRING_EQUAL(plan->options, "");
    CU_ASSERT_EQUAL(plan_json_write(plan, &written, &error), STATUS_OK);
    plan->seed = UINT64_MAX;
    CU_ASSERT_EQUAL(plan_json_write(plan, &written, &error), STATUS_BAD_INPUT);
    text_free(&written);
    plan_document_free(plan);
}

#define TEXTS                                                                                      \
    "{\"format\": \"memplan-plan/1\", \"instance\": \"\", \"digest\": \"\", \"policy\": \"\", "    \
    "\"planner\": \"\", \"options\": \"\",\n"
#define NUMBERS                                                                                    \
    "\"seed\": 0, \"peak\": 0, \"lower_bound\": 0, \"naive\": 0, \"nodes\": 0, \"wall_ns\": 0,\n"
#define STORAGES(list)                                                                             \
    TEXTS NUMBERS "\"status\": \"optimal\", \"storages\": [" list                                  \
                  "], \"buffers\": [\n{\"name\": \"a\", " PLACE                                    \
                  "\"storage_id\": 0, \"tensors\": []}]}"
#define BUFFER(fields)                                                                             \
    TEXTS NUMBERS "\"status\": \"optimal\", \"buffers\": [\n{\"name\": \"a\", " fields "}]}"

#define PLACE "\"size\": 1, \"lower\": 0, \"upper\": 1, \"offset\": 0, "

static void test_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "expected \"memplan-plan/1\"", "{\"format\": \"memplan-graph/1\"}"},
        {1, "found no \"instance\"", "{\"format\": \"memplan-plan/1\"}"},
        {1, "found unknown key \"best\"", "{\"format\": \"memplan-plan/1\", \"best\": 1}"},
        {1, "found no \"seed\"", TEXTS "\"status\": \"optimal\"}"},
        {1, "found no \"status\"", TEXTS NUMBERS "\"buffers\": []}"},
        {3, "found status 'fine', expected one like 'optimal' or 'feasible'",
         TEXTS NUMBERS "\"status\": \"fine\", \"buffers\": []}"},
        {1, "found no \"buffers\"", TEXTS NUMBERS "\"status\": \"optimal\"}"},
        {4, "unknown key \"bytes\" in a buffer", BUFFER("\"bytes\": 1")},
        {4, "found no \"offset\"", BUFFER("\"size\": 1, \"lower\": 0, \"upper\": 1")},
        {4, "found -1 as lower", BUFFER("\"size\": 1, \"lower\": -1, \"upper\": 1")},
        {4, "expected at least 1 byte and lower <= upper",
         BUFFER("\"size\": 1, \"lower\": 2, \"upper\": 1, \"offset\": 0, \"tensors\": []")},
        {4, "found an integer as an extent, expected [offset, bytes]",
         BUFFER(PLACE "\"extents\": [0], \"tensors\": []")},
        {4, "found an array as an extent, expected [offset, bytes]",
         BUFFER(PLACE "\"extents\": [[0]], \"tensors\": []")},
        {4, "found 0 as bytes of an extent",
         BUFFER(PLACE "\"extents\": [[0, 0]], \"tensors\": []")},
        {4, "found -1 as offset of an extent",
         BUFFER(PLACE "\"extents\": [[-1, 1]], \"tensors\": []")},
        {4, "found a first extent at 2, expected it at the offset 0",
         BUFFER(PLACE "\"extents\": [[2, 1]], \"tensors\": []")},
        {4, "found an integer as name of a tensor",
         BUFFER("\"size\": 1, \"lower\": 0, \"upper\": 1, \"offset\": 0, \"tensors\": [1]")},
        {4, "found -1 as storage_id", BUFFER(PLACE "\"storage_id\": -1, \"tensors\": []")},
        {4, "found storage_id 1, expected one below 1, the number of buffers",
         BUFFER(PLACE "\"storage_id\": 1, \"tensors\": []")},
        {3, "found no \"bytes\"", STORAGES("{\"id\": 0, \"offset\": 0}")},
        {3, "unknown key \"name\" in a storage", STORAGES("{\"name\": 0}")},
        {3, "found storage 0 of 2 bytes at 0, expected what its buffers take",
         STORAGES("{\"id\": 0, \"offset\": 0, \"bytes\": 2}")},
        {3, "found storage 0 of 1 bytes at 0, expected what its buffers take",
         STORAGES("{\"id\": 0, \"offset\": 0, \"bytes\": 1, \"device\": 1}")},
        {3, "found storage 1 of 1 bytes at 0, expected what its buffers take",
         STORAGES("{\"id\": 1, \"offset\": 0, \"bytes\": 1}")},
    };
    reading_check_faults(read_and_write, faults, sizeof faults / sizeof *faults);
}

static void test_allocations(void)
{
    reading_check_allocations(read_and_write, everything);
}

static const struct test_case cases[] = {
    {"everything is written as it was read", test_golden},
    {"numbers JSON readers do not know are not written", test_numbers_too_large_for_json},
    {"faults", test_faults},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/plan_json", cases)
