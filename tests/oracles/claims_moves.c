/* Graphs whose tensors and weights move, for moves.py: what the planner of the case claims, and
   what both checks say of its plan with one number of one stay changed. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "dma/moves/planners.h"
#include "harness/moves/session.h"
#include "oracles/graph_case.h"
#include "planning/execute/moves.h"
#include "planning/verify/memories/moves.h"

static void write_stays(const struct move_problem *problem, const struct move_plan *plan, FILE *out)
{
    fputs(", \"stays\": [", out);
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        const struct move_item *item = &problem->item[stay->item];
        fprintf(out, "%s[", s ? ", " : "");
        if (move_is_weights(problem, stay->item))
            fprintf(out, "%" PRIu32, item->op);
        else
            fprintf(out, "\"%s\"", move_item_name(problem, stay->item));
        fprintf(out,
                ", %" PRIu32 ", %" PRIu64 ", %" PRId64 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 "]",
                stay->memory, stay->offset,
                stay->source == MEMORY_NONE ? (int64_t)-1 : (int64_t)stay->source, stay->lower,
                stay->ready, stay->upper);
    }
    fputc(']', out);
}

static enum status check(const struct move_problem *problem, const struct move_plan *plan,
                         const char *key, FILE *out, struct error *error)
{
    struct move_verdict verdict;
    struct move_execution execution;
    verify_moves(problem, plan, &verdict);
    TRY(execute_moves(problem, plan, &execution, error));
    fprintf(out, ", \"%s\": {\"valid\": %s, \"intact\": %s, \"time\": %" PRIu64 "}", key,
            verdict.valid ? "true" : "false", execution.intact ? "true" : "false", execution.time);
    return STATUS_OK;
}

/* Adds the case's number to one of the numbers of one stay, within what a file may say. */
static enum status alter(const struct json_reader *reader, const struct move_problem *problem,
                         struct move_plan *plan)
{
    const struct json_value *root = reader->document->root;
    uint64_t which, field;
    int64_t by;
    TRY(json_fields_unsigned(reader, root, "which", INT32_MAX, &which));
    TRY(json_fields_unsigned(reader, root, "field", 5, &field));
    TRY(json_fields_integer(reader, root, "by", json_between(-100, 100), &by));
    if (!plan->count)
        return STATUS_OK;
    uint32_t s = (uint32_t)(which % plan->count);
    struct move_stay *stay = &plan->stay[s];
    uint32_t *const steps[] = {&stay->lower, &stay->ready, &stay->upper};
    if (field < 3) {
        int64_t step = (int64_t)*steps[field] + by;
        *steps[field] = step < 0 ? 0 : step > problem->steps ? problem->steps : (uint32_t)step;
    } else if (field == 3) {
        stay->offset = by < 0 && (uint64_t)-by > stay->offset ? 0 : stay->offset + (uint64_t)by;
    } else if (field == 4) {
        stay->memory = (stay->memory + (uint32_t)(by + 100)) % problem->memories;
    } else {
        stay->source = s ? (uint32_t)(by + 100) % s : MEMORY_NONE;
    }
    return STATUS_OK;
}

enum status graph_case_answer(const struct graph_case *read, FILE *out, struct error *error)
{
    SCOPED(move_session_clear) struct move_session session = {.problem = NULL};
    SCOPED(move_plan_clear) struct move_plan plan = {.stay = NULL};
    const struct json_reader reader = {read->document, error};
    char path[GRAPH_CASE_PATH_BYTES];
    const char *name;
    bool found;
    struct job job = read->job;
    job.time_limit_ns = 4000000000;
    TRY(json_fields_text(&reader, read->document->root, "planner", &name));
    TRY(graph_case_write_profile(&reader, path));
    enum status status = move_session_create(&job, path, UINT64_MAX, &session, error);
    unlink(path);
    TRY(status);
    TRY(move_session_plan(&session, move_planner_find(name), &plan, &found, error));
    fprintf(out, "{\"found\": %s, \"total\": %" PRIu64 ", \"bound\": %" PRIu64,
            found ? "true" : "false", plan.time, plan.time_bound);
    if (found) {
        write_stays(session.problem, &plan, out);
        if (session.still.count)
            TRY(check(session.problem, &session.still, "still", out, error));
        TRY(alter(&reader, session.problem, &plan));
        TRY(check(session.problem, &plan, "altered", out, error));
    }
    fputc('}', out);
    return STATUS_OK;
}
