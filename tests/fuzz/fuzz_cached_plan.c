#include "harness/cache/cached_plan.h"

#include "fuzzing.h"
#include "planned_instances.h"

/* A plan that was kept for a problem, and for a graph: refused, or written again as what it is. */
static void read_plan(const struct text *text, const struct instance *instance)
{
    const struct job job = {.instance = instance, .policy = NULL, .alignment_bytes = 1};
    static struct outcome outcome;
    SCOPED(text_free) struct text again = {0};
    struct error error = ERROR_NONE;
    enum status status = cached_plan_read(text, "input", &job, &outcome, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return;
    }
    fuzzing_require(cached_plan_write(&outcome, &again, &error) == STATUS_OK);
    outcome_clear(&outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size);
    read_plan(&text, planned_problem());
    read_plan(&text, planned_graph());
    text_free(&text);
    return 0;
}
