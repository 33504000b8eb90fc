/* What the program claims of a graph's plan under a policy. */
#include <inttypes.h>

#include "oracles/claims.h"
#include "oracles/graph_case.h"

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    struct graph_case read;
    struct outcome outcome;
    enum status status = graph_case_read(text, length, &read, error);
    if (!status)
        status = job_run(&read.job, &outcome, error);
    if (!status) {
        if (outcome_is_good(&outcome)) {
            fprintf(out, "{\"status\": \"%s\", \"peak\": %" PRIu64 ", \"bound\": %" PRIu64,
                    plan_status_name(outcome.status), outcome.measures.peak_bytes,
                    outcome.measures.lower_bound_bytes);
            fputs(", \"offsets\": ", out);
            graph_case_write_offsets(read.instance->graph, outcome.placement, out);
            fputc('}', out);
        } else { /* no plan, or one that a check refuses */
            fprintf(out, "{\"broken\": \"%s\"}", plan_status_name(outcome.status));
        }
        outcome_clear(&outcome);
    }
    graph_case_free(&read);
    return status;
}
