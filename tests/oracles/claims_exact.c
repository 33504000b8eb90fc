/* Problems for exact.py: what some planners claim, and whether verify calls a plan valid. */
#include <inttypes.h>
#include <string.h>

#include "datasets/json/fields.h"
#include "datasets/memplan_json/problem.h"
#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "oracles/claims.h"

static const char *const asked[] = {"exact",         "best",        "glpk",      "large_first",
                                    "ilp_pairs",     "ilp_hull",    "ilp_order", "ilp_benders",
                                    "ilp_positions", "ilp_colours", "ilp_race"};

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

/* Integer programs are solved by the solver that the case names, where it names one. */
static enum status ask_planners(const struct instance *instance, uint64_t capacity_bytes,
                                const char *solver, FILE *out, struct error *error)
{
    static struct outcome outcome;
    struct job job = {.instance = instance,
                      .capacity_bytes = capacity_bytes,
                      .time_limit_ns = 2000000000,
                      .seed = 1,
                      .alignment_bytes = 1,
                      .options = ""};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        SCOPED(planner_release) struct planner *configured = NULL;
        job.planner = planners_find(asked[i]);
        if (!job.planner)
            continue; /* a build without GLPK */
        if (solver && strncmp(asked[i], "ilp_", 4) == 0) {
            TRY(planner_configure(job.planner, solver, &configured, error));
            job.planner = configured;
        }
        fputs(i ? ", " : "", out);
        TRY(job_run(&job, &outcome, error));
        write_outcome(asked[i], &outcome, out);
        outcome_clear(&outcome);
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
    int64_t capacity;
    const char *solver = NULL;
    bool valid = false;
    part.root = json_fields_get(&reader, document->root, "problem");
    TRY(json_fields_integer(&reader, document->root, "capacity", json_at_least(0), &capacity));
    TRY(json_fields_optional_text(&reader, document->root, "solver", &solver));
    TRY(problem_json_read_document(&part, false, &problem, error));
    TRY(instance_create("case", NULL, problem, &instance, error));
    enum status status = verify_given(&reader, problem, &valid, error);
    if (!status) {
        fprintf(out, "{\"verdict\": %s, \"plans\": {", valid ? "true" : "false");
        status =
            ask_planners(instance, capacity ? (uint64_t)capacity : UINT64_MAX, solver, out, error);
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
