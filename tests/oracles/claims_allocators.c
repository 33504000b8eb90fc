/* Problems for allocators.py: the offsets that a heuristic gives. */
#include <inttypes.h>
#include <string.h>

#include "datasets/json/fields.h"
#include "datasets/memplan_json/problem.h"
#include "heuristics/heuristics.h"
#include "oracles/claims.h"

static enum status write_plan(const char *name, const struct problem *problem, FILE *out,
                              struct error *error)
{
    SCOPED(text_free) struct text row = {0};
    const char *settings = strchr(name, '?');
    SCOPED(planner_release) struct planner *planner = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    text_append_bytes(&row, name, strcspn(name, "?"));
    TRY(text_check(&row, error));
    const struct planner *found = heuristics_find(row.bytes);
    if (!found)
        return error_set(error, STATUS_USAGE, "found planner '%s', expected a heuristic", name);
    TRY(planner_configure(found, settings ? settings + 1 : NULL, &planner, error));
    TRY(plan_create(problem, &plan, error));
    TRY(planner_plan(planner, &task, plan, error));
    fprintf(out, "{\"status\": \"%s\", \"pool_bytes\": %" PRIu64 ", \"offsets\": [",
            plan_status_name(plan->status), plan->measures.pool_bytes);
    for (uint32_t b = 0; b < plan->buffers; b++)
        fprintf(out, "%s%" PRIu64, b ? ", " : "", plan->offset[b]);
    fputs("]}", out);
    return STATUS_OK;
}

static enum status answer_document(const struct json_document *document, FILE *out,
                                   struct error *error)
{
    const struct json_reader reader = {document, error};
    struct json_document part = *document;
    SCOPED(problem_release) struct problem *problem = NULL;
    const char *name;
    part.root = json_fields_get(&reader, document->root, "problem");
    TRY(json_fields_text(&reader, document->root, "planner", &name));
    TRY(problem_json_read_document(&part, false, &problem, error));
    return write_plan(name, problem, out, error);
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    SCOPED(text_free) struct text line = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    text_append_bytes(&line, text, length);
    TRY(json_document_read(&line, "case", &document, error));
    return answer_document(document, out, error);
}
