#include "datasets/memplan_json/plan.h"
#include "fuzzing.h"

static struct text write_again(const struct text *text)
{
    struct plan_document *again;
    struct text written = {0};
    struct error error;
    fuzzing_require(plan_json_read(text, "input", &again, &error) == STATUS_OK);
    fuzzing_require(plan_json_write(again, &written, &error) == STATUS_OK);
    plan_document_free(again);
    return written;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size), first = {0};
    struct plan_document *read;
    struct error error = ERROR_NONE;
    enum status status = plan_json_read(&text, "input", &read, &error);
    text_free(&text);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    fuzzing_require(plan_json_write(read, &first, &error) == STATUS_OK);
    struct text second = write_again(&first);
    fuzzing_require_same(&first, &second);
    text_free(&first);
    text_free(&second);
    plan_document_free(read);
    return 0;
}
