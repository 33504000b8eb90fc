#include "datasets/memplan_json/plan.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(text_free) struct text first = {0};
    SCOPED(text_free) struct text second = {0};
    SCOPED(plan_document_release) struct plan_document *read = NULL;
    SCOPED(plan_document_release) struct plan_document *again = NULL;
    struct error error = ERROR_NONE;
    enum status status = plan_json_read(&text, "input", &read, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    fuzzing_require(plan_json_write(read, &first, &error) == STATUS_OK);
    fuzzing_require(plan_json_read(&first, "input", &again, &error) == STATUS_OK);
    fuzzing_require(plan_json_write(again, &second, &error) == STATUS_OK);
    fuzzing_require_same(&first, &second);
    return 0;
}
