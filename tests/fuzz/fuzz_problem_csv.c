#include "datasets/problem_csv.h"
#include "datasets/problem_json.h"
#include "fuzzing.h"

static struct text describe(const struct problem *problem)
{
    struct text content = {0};
    struct error error;
    fuzzing_require(problem_json_write_content(problem, &content, &error) == STATUS_OK);
    return content;
}

/* Names with quotes can be read but not written. */
static void check_rewritten(const struct problem *problem)
{
    struct text csv = {0};
    struct problem *again;
    struct error error;
    if (problem_csv_write(problem, &csv, &error) == STATUS_OK) {
        fuzzing_require(problem_csv_read(&csv, "input", NULL, &again, &error) == STATUS_OK);
        struct text first = describe(problem), second = describe(again);
        fuzzing_require_same(&first, &second);
        text_free(&first);
        text_free(&second);
        problem_free(again);
    }
    text_free(&csv);
}

/* The file as a plan of its own problem: refused, or an offset for each buffer. */
static void check_plan(const struct text *text, const struct problem *problem)
{
    struct plan *plan;
    struct error error;
    fuzzing_require(plan_create(problem, &plan, &error) == STATUS_OK);
    if (problem_csv_read_plan(text, "input", problem, plan, &error) == STATUS_OK)
        for (uint32_t b = 0; b < problem->buffers; b++)
            fuzzing_require(plan->offset[b] + problem->size[b] <= plan->peak_bytes);
    plan_free(plan);
}

/* The same bytes as every other dialect: refused or a problem, whose conflicts nobody looks at. */
static void check_dialects(const struct text *text)
{
    static const char *const names[] = {"idealloc", "iree", "xla"};
    for (int i = 0; i < 3; i++) {
        const struct problem_csv_options options = {.dialect = csv_dialect_find(names[i])};
        struct problem *problem;
        struct error error = ERROR_NONE;
        enum status status = problem_csv_read(text, "input", &options, &problem, &error);
        if (status)
            fuzzing_check_refusal(status, &error);
        else
            check_rewritten(problem);
        if (!status)
            problem_free(problem);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size);
    struct problem *problem;
    struct error error = ERROR_NONE;
    check_dialects(&text);
    enum status status = problem_csv_read(&text, "input", NULL, &problem, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
    } else {
        check_rewritten(problem);
        check_plan(&text, problem);
        problem_free(problem);
    }
    text_free(&text);
    return 0;
}
