/* Graphs for streams.py: what exact claims under a policy, and what both checks say of a plan. */
#include <inttypes.h>

#include "datasets/memplan_json/graph.h"
#include "harness/job/run.h"
#include "oracles/graph_case.h"

/* A check that has not looked at all ways claims nothing. */
static void write_checks(const struct outcome *outcome, FILE *out)
{
    enum verify_fault fault = outcome->verdict.fault;
    fprintf(out, "\"verdict\": \"%s\", \"execution\": \"%s\"",
            fault == VERIFY_VALID || fault == VERIFY_SAMPLED ? verify_fault_name(fault) : "invalid",
            execute_verdict_name(&outcome->execution));
}

static enum status check_given(const struct graph_case *read, FILE *out, struct error *error)
{
    const struct graph *graph = read->instance->graph;
    const struct json_reader reader = {.document = read->document, .error = error};
    const struct json_value *offsets = json_fields_get(&reader, read->document->root, "offsets");
    struct outcome outcome = {.status = PLAN_FEASIBLE};
    struct job job = read->job;
    job.policy = &policy_flat; /* launches the graph as it is */
    TRY(placement_create(graph, &outcome.placement, error));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        const struct json_value *offset =
            json_fields_get(&reader, offsets, names_get(&graph->tensor_names, t));
        if (offset)
            outcome.placement->offset[t] = offset->integer;
    }
    enum status status = placement_find_peak(graph, outcome.placement,
                                             &outcome.placement->measures.peak_bytes, error);
    if (!status)
        status = job_check(&job, &outcome, error);
    if (!status)
        write_checks(&outcome, out);
    outcome_clear(&outcome);
    return status;
}

/* Writes the graph with the waits that the policy adds, on one line; null where it adds none. */
static enum status write_launched(const struct job *job, const struct outcome *outcome, FILE *out,
                                  struct error *error)
{
    SCOPED(graph_release) struct graph *launched = NULL;
    SCOPED(text_free) struct text text = {0};
    if (outcome_found(outcome))
        TRY(job_launch(job, outcome->placement, &launched, error));
    if (!launched) {
        fputs("null", out);
        return STATUS_OK;
    }
    TRY(graph_json_write(launched, &text, error));
    for (size_t i = 0; i < text.length; i++)
        fputc(text.bytes[i] == '\n' ? ' ' : text.bytes[i], out);
    return STATUS_OK;
}

enum status graph_case_answer(const struct graph_case *read, FILE *out, struct error *error)
{
    static struct outcome outcome;
    fputs("{\"given\": {", out);
    TRY(check_given(read, out, error));
    TRY(job_run(&read->job, &outcome, error));
    fprintf(out,
            "}, \"status\": \"%s\", \"peak\": %" PRIu64 ", \"bound\": %" PRIu64 ", \"offsets\": ",
            plan_status_name(outcome.status), outcome.measures.peak_bytes,
            outcome.measures.lower_bound_bytes);
    graph_case_write_offsets(read->instance->graph, outcome.placement, out);
    fputs(", \"launched\": ", out);
    TRY(write_launched(&read->job, &outcome, out, error));
    fputs(", ", out);
    write_checks(&outcome, out);
    fputc('}', out);
    outcome_clear(&outcome);
    return STATUS_OK;
}
