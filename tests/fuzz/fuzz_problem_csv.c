#include <string.h>

#include "datasets/csv/problem.h"
#include "datasets/memplan_json/problem.h"
#include "fuzzing.h"

static void describe(const struct problem *problem, char digest[DIGEST_TEXT_BYTES])
{
    struct error error;
    fuzzing_require(problem_json_digest(problem, digest, &error) == STATUS_OK);
}

/* Names with quotes can be read but not written. */
static void check_rewritten(const struct problem *problem)
{
    SCOPED(text_free) struct text csv = {0};
    struct problem *again;
    struct error error;
    if (problem_csv_write_noted(problem, &csv, &error) == STATUS_OK) {
        fuzzing_require(problem_csv_read(&csv, "input", NULL, &again, &error) == STATUS_OK);
        char first[DIGEST_TEXT_BYTES], second[DIGEST_TEXT_BYTES];
        describe(problem, first);
        describe(again, second);
        fuzzing_require(strcmp(first, second) == 0);
        problem_free(again);
    }
}

/* What was read is written, and read again with the same places. */
static void check_rewritten_plan(const struct problem *problem, const struct plan *plan)
{
    SCOPED(text_free) struct text csv = {0};
    struct plan *again;
    struct error error;
    fuzzing_require(plan_create(problem, &again, &error) == STATUS_OK);
    if (problem_csv_write_plan(problem, plan, &csv, &error) == STATUS_OK) {
        fuzzing_require(problem_csv_read_plan(&csv, "input", problem, again, &error) == STATUS_OK);
        fuzzing_require(again->measures.peak_bytes == plan->measures.peak_bytes);
        for (uint32_t b = 0; b < problem->buffers; b++)
            fuzzing_require(again->offset[b] == plan->offset[b] &&
                            extents_count(again->extents, b) == extents_count(plan->extents, b));
    }
    plan_free(again);
}

/* The file as a plan of its own problem: refused, or a place for each buffer. */
static void check_plan(const struct text *text)
{
    const struct problem_csv_options options = {.offsets = FIXED_OFFSETS_IGNORED};
    struct problem *problem;
    struct plan *plan;
    struct error error;
    if (problem_csv_read(text, "input", &options, &problem, &error))
        return;
    fuzzing_require(plan_create(problem, &plan, &error) == STATUS_OK);
    if (problem_csv_read_plan(text, "input", problem, plan, &error) == STATUS_OK) {
        for (uint32_t b = 0; b < problem->buffers; b++)
            fuzzing_require(extents_end(plan->extents, b, plan->offset[b], problem->size[b]) <=
                            plan->measures.peak_bytes);
        check_rewritten_plan(problem, plan);
    }
    plan_free(plan);
    problem_free(problem);
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
    check_plan(&text);
    enum status status = problem_csv_read(&text, "input", NULL, &problem, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
    } else {
        check_rewritten(problem);
        problem_free(problem);
    }
    text_free(&text);
    return 0;
}
