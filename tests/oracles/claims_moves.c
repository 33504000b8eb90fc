/* Graphs whose tensors and weights move, for moves.py: what the planner of the case claims, and
   what both checks say of its plan, each time with a stay changed or added. */
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

/* How a plan is changed: which stay, what of it and by how much, and steps. */
enum { CHANGE_NUMBERS = 6, CHANGE_STEPS = 6, CHANGE_COPY = 7, CHANGE_MOVE = 8, FAR = 64 };

/* Adds a copy of the stay, at an offset of its own, to which the item may move. */
static enum status add_copy(const struct move_problem *problem, uint32_t s, struct move_stay copy,
                            bool moves, struct move_plan *plan, struct error *error)
{
    struct move_stay *stay = &plan->stay[s];
    copy.lower = (copy.lower + stay->ready) % (problem->steps + 1);
    copy.ready = (copy.ready + stay->ready) % (problem->steps + 1);
    copy.upper = moves ? stay->upper : (copy.upper + stay->ready) % (problem->steps + 1);
    if (moves)
        stay->upper = copy.ready > copy.lower ? copy.ready : copy.lower + 1;
    return move_plan_add(plan, &copy, error);
}

/* Adds a number to one of the numbers of one stay, within what a file may say; or puts the stay at
   other steps; or adds a copy of it. */
static enum status alter(const struct move_problem *problem, const int64_t *change,
                         struct move_plan *plan, struct error *error)
{
    int64_t field = change[1], by = change[2];
    uint32_t s = (uint32_t)change[0] % plan->count;
    struct move_stay *stay = &plan->stay[s];
    uint32_t memory = (stay->memory + (uint32_t)(by + 100)) % problem->memories;
    uint32_t *const own[] = {&stay->lower, &stay->ready, &stay->upper};
    const uint32_t step[] = {(uint32_t)change[3], (uint32_t)change[4], (uint32_t)change[5]};
    if (field >= CHANGE_COPY)
        return add_copy(problem, s,
                        (struct move_stay){stay->item, memory, s, step[0], step[1], step[2], FAR},
                        field == CHANGE_MOVE, plan, error);
    for (int i = 0; i < 3 && field == CHANGE_STEPS; i++)
        *own[i] = step[i] % (problem->steps + 1);
    if (field < 3) {
        int64_t moved = (int64_t)*own[field] + by;
        *own[field] = moved < 0 ? 0 : moved > problem->steps ? problem->steps : (uint32_t)moved;
    } else if (field == 3) {
        stay->offset = by < 0 && (uint64_t)-by > stay->offset ? 0 : stay->offset + (uint64_t)by;
    } else if (field == 4) {
        stay->memory = memory;
    } else if (field == 5) {
        stay->source = s ? (uint32_t)(by + 100) % s : MEMORY_NONE;
    }
    return STATUS_OK;
}

/* Checks the plan with each of the case's changes. */
static enum status check_altered(const struct json_reader *reader,
                                 const struct move_problem *problem, const struct move_plan *plan,
                                 FILE *out)
{
    const struct json_value *list;
    const char *separator = "";
    TRY(json_fields_array(reader, reader->document->root, "changes", &list));
    JSON_EACH(row, list) {
        SCOPED(move_plan_clear) struct move_plan altered = {.stay = NULL};
        int64_t change[CHANGE_NUMBERS] = {0};
        unsigned count = 0;
        JSON_EACH(number, row) {
            TRY(json_fields_value_integer(reader, number, "a number", json_between(-100, 100),
                                          &change[count % CHANGE_NUMBERS]));
            count++;
        }
        fputs(separator, out);
        separator = ", ";
        TRY(move_plan_copy(&altered, plan, reader->error));
        TRY(alter(problem, change, &altered, reader->error));
        TRY(check(problem, &altered, out, reader->error));
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
    if (found && !plan.count)
        fputs(", \"stays\": []", out);
    if (found && plan.count) {
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
