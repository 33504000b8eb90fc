/* Graphs for streams.py: what exact claims under a policy, and what both checks say of a plan. */
#include <inttypes.h>

#include "datasets/json/fields.h"
#include "datasets/memplan_json/graph.h"
#include "harness/job/job.h"
#include "harness/planners/planners.h"
#include "oracles/claims.h"

/* A check that has not looked at all ways claims nothing. */
static void write_checks(const struct outcome *outcome, FILE *out)
{
    const struct execution *execution = &outcome->execution;
    bool looked_everywhere = execution->all_paths || !execution->intact;
    fprintf(out, "\"verdict\": \"%s\", \"execution\": \"%s\"",
            outcome->verdict.fault == VERIFY_VALID ? "valid" : "invalid",
            !looked_everywhere  ? "sampled"
            : execution->intact ? "intact"
                                : "damaged");
}

static enum status check_given(const struct json_reader *reader, const struct job *job, FILE *out,
                               struct error *error)
{
    const struct graph *graph = job->instance->graph;
    const struct json_value *offsets = json_fields_get(reader, reader->document->root, "offsets");
    struct outcome outcome = {.status = PLAN_FEASIBLE};
    struct job check = *job;
    check.policy = &policy_flat; /* launches the graph as it is */
    TRY(placement_create(graph, &outcome.placement, error));
    outcome.placement->status = PLAN_FEASIBLE;
    enum status status = STATUS_OK;
    for (uint32_t t = 0; !status && t < graph->tensors; t++) {
        const struct json_value *offset =
            json_fields_get(reader, offsets, names_get(&graph->tensor_names, t));
        if (offset)
            outcome.placement->offset[t] = offset->integer;
    }
    status = placement_find_peak(graph, outcome.placement, &outcome.placement->measures.peak_bytes,
                                 error);
    if (!status)
        status = job_check(&check, &outcome, error);
    if (!status)
        write_checks(&outcome, out);
    outcome_clear(&outcome);
    return status;
}

static void write_outcome(const struct graph *graph, const struct outcome *outcome, FILE *out)
{
    const char *between = "";
    fprintf(out,
            "\"status\": \"%s\", \"peak\": %" PRIu64 ", \"bound\": %" PRIu64 ", \"offsets\": {",
            plan_status_name(outcome->status), outcome->measures.peak_bytes,
            outcome->measures.lower_bound_bytes);
    for (uint32_t t = 0; outcome_found(outcome) && t < graph->tensors; t++) {
        if (outcome->placement->offset[t] == PROBLEM_FREE)
            continue;
        fprintf(out, "%s\"%s\": %" PRIu64, between, names_get(&graph->tensor_names, t),
                outcome->placement->offset[t]);
        between = ", ";
    }
    fputs("}, ", out);
    write_checks(outcome, out);
}

static enum status answer_instance(const struct json_reader *reader,
                                   const struct instance *instance, FILE *out, struct error *error)
{
    static struct outcome outcome;
    const char *policy;
    TRY(json_fields_text(reader, reader->document->root, "policy", &policy));
    const struct job job = {.instance = instance,
                            .policy = policy_find(policy),
                            .planner = planners_find("exact"),
                            .capacity_bytes = UINT64_MAX,
                            .time_limit_ns = 2000000000,
                            .seed = 1,
                            .alignment_bytes = 1,
                            .options = ""};
    if (!job.policy)
        return json_document_fail(reader, NULL, "found policy %s, expected one of list", policy);
    fputs("{\"given\": {", out);
    TRY(check_given(reader, &job, out, error));
    fputs("}, ", out);
    TRY(job_run(&job, &outcome, error));
    write_outcome(instance->graph, &outcome, out);
    fputc('}', out);
    outcome_clear(&outcome);
    return STATUS_OK;
}

static enum status answer_document(const struct json_document *document, FILE *out,
                                   struct error *error)
{
    const struct json_reader reader = {document, error};
    struct json_document part = *document;
    struct graph *graph;
    struct instance *instance;
    part.root = json_fields_get(&reader, document->root, "graph");
    TRY(graph_json_read_document(&part, &graph, error));
    TRY(instance_create("case", graph, NULL, &instance, error));
    enum status status = answer_instance(&reader, instance, out, error);
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
