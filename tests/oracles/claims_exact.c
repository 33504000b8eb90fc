/* Problems for exact.py: what some planners claim, and whether verify calls a plan valid. */
#include <inttypes.h>
#include <string.h>

#include "datasets/json/fields.h"
#include "datasets/memplan_json/problem.h"
#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "oracles/claims.h"

enum { NAME_BYTES = 64 };

static enum status verify_given(const struct json_reader *reader, const struct problem *problem,
                                bool *valid, struct error *error)
{
    const struct json_value *offsets;
    const struct json_value *offset = NULL;
    struct verdict verdict;
    struct plan *plan;
    TRY(json_fields_array(reader, reader->document->root, "offsets", &offsets));
    if (json_tree_count(offsets) != problem->buffers)
        return json_document_fail(reader, offsets, "expected an offset for each buffer");
    TRY(plan_create(problem, &plan, error));
    plan->status = PLAN_FEASIBLE;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        offset = offset ? json_tree_next(offsets, offset) : json_tree_first(offsets);
        plan->offset[b] = offset->integer;
    }
    enum status status = plan_set_peak(plan, problem, error);
    if (!status)
        status = verify_plan(problem, plan, &verdict, error);
    plan_free(plan);
    *valid = !status && verdict.fault == VERIFY_VALID;
    return status;
}

static void write_outcome(const char *name, const struct outcome *outcome, FILE *out)
{
    const struct measures *measures = &outcome->measures;
    fprintf(out, "\"%s\": {\"status\": \"%s\", \"peak\": %" PRIu64 ", \"bound\": %" PRIu64, name,
            plan_status_name(outcome->status), measures->peak_bytes, measures->lower_bound_bytes);
    for (uint32_t b = 0; outcome_found(outcome) && b < outcome->plan->buffers; b++)
        fprintf(out, "%s%" PRIu64, b ? ", " : ", \"offsets\": [", outcome->plan->offset[b]);
    fputs(outcome_found(outcome) ? "]}" : "}", out);
}

/* Asks a planner, which is named as at the command line: "exact?split=0". */
static enum status ask_planner(const char *asked, struct job *job, FILE *out, struct error *error)
{
    static struct outcome outcome;
    SCOPED(planner_release) struct planner *configured = NULL;
    char name[NAME_BYTES];
    size_t length = strcspn(asked, "?");
    snprintf(name, sizeof name, "%.*s", (int)length, asked);
    job->planner = planners_find(name);
    if (!job->planner) {
        fprintf(out, "\"%s\": {\"status\": \"unknown\"}", asked); /* a build without GLPK */
        return STATUS_OK;
    }
    if (asked[length])
        TRY(planner_configure(job->planner, asked + length + 1, &configured, error));
    job->planner = configured ? configured : job->planner;
    TRY(job_run(job, &outcome, error));
    write_outcome(asked, &outcome, out);
    outcome_clear(&outcome);
    return STATUS_OK;
}

static enum status ask_planners(const struct json_reader *reader, const struct instance *instance,
                                FILE *out, struct error *error)
{
    const struct json_value *root = reader->document->root, *asked;
    int64_t capacity, limit;
    TRY(json_fields_integer(reader, root, "capacity", json_at_least(0), &capacity));
    TRY(json_fields_integer(reader, root, "limit_ms", json_at_least(1), &limit));
    TRY(json_fields_array(reader, root, "asked", &asked));
    struct job job = {.instance = instance,
                      .capacity_bytes = capacity ? (uint64_t)capacity : UINT64_MAX,
                      .time_limit_ns = (uint64_t)limit * 1000000,
                      .seed = 1,
                      .alignment_bytes = 1,
                      .options = ""};
    JSON_EACH(name, asked) {
        fputs(name == json_tree_first(asked) ? "" : ", ", out);
        TRY(ask_planner(json_tree_text(&reader->document->tree, name), &job, out, error));
    }
    return STATUS_OK;
}

static enum status answer_document(const struct json_document *document, FILE *out,
                                   struct error *error)
{
    const struct json_reader reader = {document, error};
    struct json_document part = *document;
    struct problem *problem;
    struct instance *instance;
    bool valid = false;
    part.root = json_fields_get(&reader, document->root, "problem");
    TRY(problem_json_read_document(&part, false, &problem, error));
    TRY(instance_create("case", NULL, problem, &instance, error));
    enum status status = verify_given(&reader, problem, &valid, error);
    if (!status) {
        fprintf(out, "{\"verdict\": %s, \"plans\": {", valid ? "true" : "false");
        status = ask_planners(&reader, instance, out, error);
        fputs("}}", out);
    }
    instance_free(instance);
    return status;
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    struct text line = {0};
    struct json_document *document;
    text_append_bytes(&line, text, length);
    enum status status = json_document_read(&line, "case", &document, error);
    text_free(&line);
    TRY(status);
    status = answer_document(document, out, error);
    json_document_free(document);
    return status;
}
