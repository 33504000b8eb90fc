/* Graphs whose tensors and weights move, for moves.py: what the planner of the case claims, and
   what both checks say of its plan, each time with one number of one stay changed. */
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
                         FILE *out, struct error *error)
{
    struct move_verdict verdict;
    struct move_execution execution;
    verify_moves(problem, plan, &verdict);
    TRY(execute_moves(problem, plan, &execution, error));
    fprintf(out, "{\"valid\": %s, \"intact\": %s, \"time\": %" PRIu64 "}",
            verdict.valid ? "true" : "false", execution.intact ? "true" : "false", execution.time);
    return STATUS_OK;
}

/* Adds a number to one of the numbers of one stay, within what a file may say. */
static void alter(const struct move_problem *problem, const int64_t change[3],
                  struct move_plan *plan)
{
    int64_t field = change[1], by = change[2];
    uint32_t s = (uint32_t)change[0] % plan->count;
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
}

/* Checks the plan with each of the case's changes: which stay, which number of it, and by how
   much. */
static enum status check_altered(const struct json_reader *reader,
                                 const struct move_problem *problem, struct move_plan *plan,
                                 FILE *out)
{
    const struct json_value *list;
    const char *separator = "";
    TRY(json_fields_array(reader, reader->document->root, "changes", &list));
    JSON_EACH(row, list) {
        int64_t change[3] = {0};
        unsigned count = 0;
        JSON_EACH(number, row) {
            TRY(json_fields_value_integer(reader, number, "a number", json_between(-100, 100),
                                          &change[count % 3]));
            count++;
        }
        const struct move_stay kept = plan->stay[(uint32_t)change[0] % plan->count];
        fputs(separator, out);
        separator = ", ";
        alter(problem, change, plan);
        TRY(check(problem, plan, out, reader->error));
        plan->stay[(uint32_t)change[0] % plan->count] = kept;
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
    uint64_t limit_ms;
    TRY(json_fields_unsigned(&reader, read->document->root, "limit_ms", INT32_MAX, &limit_ms));
    job.time_limit_ns = limit_ms * 1000000;
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
        if (session.still.count) {
            fputs(", \"still\": ", out);
            TRY(check(session.problem, &session.still, out, error));
        }
        fputs(", \"altered\": [", out);
        TRY(check_altered(&reader, session.problem, &plan, out));
        fputc(']', out);
    }
    fputc('}', out);
    return STATUS_OK;
}
