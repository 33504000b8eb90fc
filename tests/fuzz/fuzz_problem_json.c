#include "datasets/memplan_json/problem.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(text_free) struct text first = {0};
    SCOPED(text_free) struct text second = {0};
    SCOPED(problem_release) struct problem *read = NULL;
    SCOPED(problem_release) struct problem *again = NULL;
    struct error error = ERROR_NONE;
    enum status status = problem_json_read(&text, "input", false, &read, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    fuzzing_require(problem_json_write(read, &first, &error) == STATUS_OK);
    fuzzing_require(problem_json_read(&first, "input", false, &again, &error) == STATUS_OK);
    fuzzing_require(problem_json_write(again, &second, &error) == STATUS_OK);
    fuzzing_require_same(&first, &second);
    return 0;
}
