#include "datasets/memplan_json/plan.h"
#include "datasets/reading.h"
#include "support/must.h"

static enum status rewrite(const struct text *text, struct text *written, struct error *failed)
{
    SCOPED(plan_document_release) struct plan_document *plan = NULL;
    TRY(plan_json_read(text, "test.file", &plan, failed));
    return plan_json_write(plan, written, failed);
}

static void test_texts(void)
{
    reading_check_format(rewrite, "plan");
}

static void test_content(void)
{
    SCOPED(text_free) struct text text = reading_input("plan_rewritten", "everything");
    SCOPED(plan_document_release) struct plan_document *plan = NULL;
    must(plan_json_read(&text, "test.file", &plan, &error));
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
}

static void test_numbers_too_large_for_json(void)
{
    const struct plan_document_texts texts = {.instance = "i"};
    SCOPED(plan_document_release) struct plan_document *plan = NULL;
    SCOPED(text_free) struct text written = {0};
    must(plan_document_create(&texts, &plan, &error));
    CU_ASSERT_STRING_EQUAL(plan->options, "");
    must(plan_json_write(plan, &written, &error));
    plan->seed = UINT64_MAX;
    CU_ASSERT_EQUAL(plan_json_write(plan, &written, &error), STATUS_BAD_INPUT);
}

static const struct test_case cases[] = {
    {"texts are written as they were read, refused, or fail for memory", test_texts},
    {"fields arrive where they belong", test_content},
    {"numbers JSON readers do not know are not written", test_numbers_too_large_for_json},
};
TESTING_MAIN("datasets/plan_json", cases)
