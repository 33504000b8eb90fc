/* Problems with several memories for memories.py: what planners claim, and what verify says of a
   plan. */
#include <inttypes.h>

#include "core/clock.h"
#include "datasets/json/fields.h"
#include "datasets/memories/memory_file.h"
#include "harness/catalogue/planners.h"
#include "harness/memories/memory_planners.h"
#include "oracles/claims.h"
#include "planning/memories/model.h"
#include "planning/verify/memories/memories.h"

static void write_plan(const struct memory_planner *planner, const struct memory_plan *plan,
                       FILE *out)
{
    fprintf(out, "\"%s\": {\"status\": \"%s\", \"bound\": %" PRIu64 ", \"cost\": %" PRIu64,
            planner->name, plan_status_name(plan->status), plan->cost_bound, plan->cost);
    for (uint32_t b = 0; memory_plan_found(plan) && b < plan->buffers; b++)
        fprintf(out, "%s[%" PRIu32 ", %" PRIu64 "]", b ? ", " : ", \"places\": [", plan->memory[b],
                plan->offset[b]);
    fputs(memory_plan_found(plan) ? "]}" : "}", out);
}

/* Those that prove something have the limit, the others 2 ms. */
static enum status ask_planners(const struct memory_problem *problem, uint64_t limit_ms, FILE *out,
                                struct error *error)
{
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    TRY(memory_model_create(problem, &model, error));
    for (uint32_t i = 0; i < memory_planner_count(); i++) {
        const struct memory_planner *planner = memory_planner_at(i);
        uint64_t limit_ns = planner->flags & MEMORY_PLANNER_EXACT ? limit_ms * 1000000 : 2000000;
        const struct memory_task task = {.model = model,
                                         .deadline_ns = clock_deadline_ns(limit_ns),
                                         .seed = 1,
                                         .exact = planners_find("exact"),
                                         .best = planners_find("exact")};
        SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
        TRY(memory_plan_create(problem, &plan, error));
        TRY(memory_planner_plan(planner, &task, plan, error));
        fputs(i ? ", " : "", out);
        write_plan(planner, plan, out);
    }
    return STATUS_OK;
}

static enum status verify_given(const struct json_reader *reader,
                                const struct memory_problem *problem,
                                struct memory_verdict *verdict, struct error *error)
{
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const struct json_value *places;
    uint32_t b = 0;
    TRY(json_fields_array(reader, reader->document->root, "places", &places));
    TRY(memory_plan_create(problem, &plan, error));
    plan->status = PLAN_FEASIBLE;
    JSON_EACH(place, places) {
        if (b < plan->buffers) {
            plan->memory[b] = (uint32_t)json_tree_at(place, 0)->integer;
            plan->offset[b++] = json_tree_at(place, 1)->integer;
        }
    }
    return verify_memories(problem, plan, verdict, error);
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    SCOPED(text_free) struct text line = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    SCOPED(memory_file_clear) struct memory_file file = {0};
    struct memory_verdict verdict;
    int64_t limit_ms;
    text_append_bytes(&line, text, length);
    TRY(json_document_read(&line, "case", &document, error));
    const struct json_reader reader = {document, error};
    struct json_document part = *document;
    part.root = json_fields_get(&reader, document->root, "problem");
    TRY(memory_file_read(&part, &file, error));
    TRY(verify_given(&reader, file.problem, &verdict, error));
    fprintf(out, "{\"valid\": %s, \"cost\": %" PRIu64 ", \"plans\": {",
            verdict.valid ? "true" : "false", verdict.cost);
    TRY(json_fields_integer(&reader, document->root, "limit_ms", json_at_least(1), &limit_ms));
    TRY(ask_planners(file.problem, (uint64_t)limit_ms, out, error));
    fputs("}}", out);
    return STATUS_OK;
}
