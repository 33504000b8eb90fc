/* What the program claims of a graph's plan under a policy. */
#include <inttypes.h>

#include "harness/job/run.h"
#include "oracles/graph_case.h"

enum status graph_case_answer(const struct graph_case *read, FILE *out, struct error *error)
{
    struct outcome outcome;
    TRY(job_run(&read->job, &outcome, error));
    if (outcome_is_good(&outcome)) {
        fprintf(out, "{\"status\": \"%s\", \"peak\": %" PRIu64 ", \"bound\": %" PRIu64,
                plan_status_name(outcome.status), outcome.measures.peak_bytes,
                outcome.measures.lower_bound_bytes);
        fputs(", \"offsets\": ", out);
        graph_case_write_offsets(read->instance->graph, outcome.placement, out);
        fputc('}', out);
    } else { /* no plan, or one that a check refuses */
        fprintf(out, "{\"broken\": \"%s\"}", plan_status_name(outcome.status));
    }
    outcome_clear(&outcome);
    return STATUS_OK;
}
