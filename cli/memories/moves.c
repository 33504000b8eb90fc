/* Graphs whose tensors and weights move between memories: plan and verify with --moves. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/memories/memories.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/clock.h"
#include "core/file.h"
#include "dma/moves/planners.h"
#include "harness/moves/plan_json.h"
#include "harness/moves/session.h"
#include "planning/execute/moves.h"
#include "planning/verify/memories/moves.h"
#include "results/views/memories.h"

/* What is told of a plan. */
struct moves_facts {
    uint64_t transfers, transferred_bytes;
    uint64_t still_ps; /* the time without moves; 0: there is no such plan */
};

static void find_facts(const struct move_session *session, const struct move_plan *plan,
                       struct moves_facts *facts)
{
    *facts = (struct moves_facts){.still_ps = session->still.count ? session->still.time : 0};
    for (uint32_t s = 0; s < plan->count; s++)
        if (plan->stay[s].source != MEMORY_NONE) {
            facts->transfers++;
            facts->transferred_bytes += session->problem->item[plan->stay[s].item].bytes;
        }
}

static uint64_t find_peak(const struct move_problem *problem, const struct move_plan *plan,
                          uint32_t memory)
{
    uint64_t peak = 0;
    for (uint32_t s = 0; s < plan->count; s++) {
        uint64_t end = plan->stay[s].offset + problem->item[plan->stay[s].item].bytes;
        if (plan->stay[s].memory == memory && end > peak)
            peak = end;
    }
    return peak;
}

static enum status print_json(const struct move_session *session, const char *planner,
                              const struct move_plan *plan, const struct moves_facts *found,
                              struct error *error)
{
    const struct memory_problem *chip = session->problem->chip;
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "moves");
    json_build_text(&facts, "instance", session->graph.job->instance->name);
    json_build_text(&facts, "planner", planner);
    json_build_text(
        &facts, "status",
        plan_status_name(plan->time == plan->time_bound ? PLAN_OPTIMAL : PLAN_FEASIBLE));
    json_build_count(&facts, "total_ps", plan->time);
    json_build_count(&facts, "bound_ps", plan->time_bound);
    if (found->still_ps)
        json_build_count(&facts, "still_ps", found->still_ps);
    json_build_count(&facts, "transfers", found->transfers);
    json_build_count(&facts, "transferred_bytes", found->transferred_bytes);
    json_build_open(&facts, "peaks", JSON_ARRAY);
    for (uint32_t m = 0; m < chip->memories; m++) {
        json_build_open(&facts, NULL, JSON_OBJECT);
        json_build_text(&facts, "memory", names_get(&chip->names, m));
        json_build_count(&facts, "peak", find_peak(session->problem, plan, m));
        if (chip->memory[m].capacity_bytes != UINT64_MAX)
            json_build_count(&facts, "capacity", chip->memory[m].capacity_bytes);
        json_build_close(&facts);
    }
    return json_print(&facts, error);
}

static void print_facts(const struct move_session *session, const char *planner,
                        const struct move_plan *plan, const struct moves_facts *found)
{
    const struct memory_problem *chip = session->problem->chip;
    print_lines("instance     %s\nplanner      %s\nstatus       %s\n",
                session->graph.job->instance->name, planner,
                plan_status_name(plan->time == plan->time_bound ? PLAN_OPTIMAL : PLAN_FEASIBLE));
    print_lines("total        %.6f ms\nbound        %.6f ms\n", (double)plan->time / 1e9,
                (double)plan->time_bound / 1e9);
    if (found->still_ps)
        print_lines("still        %.6f ms, where nothing moves\n", (double)found->still_ps / 1e9);
    print_lines("transfers    %" PRIu64 " of %" PRIu64 " bytes\n", found->transfers,
                found->transferred_bytes);
    for (uint32_t m = 0; m < chip->memories; m++) {
        uint64_t peak = find_peak(session->problem, plan, m);
        if (chip->memory[m].capacity_bytes == UINT64_MAX)
            print_lines("peak         %" PRIu64 " bytes of %s\n", peak, names_get(&chip->names, m));
        else
            print_lines("peak         %" PRIu64 " of %" PRIu64 " bytes of %s\n", peak,
                        chip->memory[m].capacity_bytes, names_get(&chip->names, m));
    }
}

enum status moves_plan_graph(const struct arguments *arguments, const struct job *job,
                             struct error *error)
{
    SCOPED(move_session_clear) struct move_session session = {.problem = NULL};
    SCOPED(move_plan_clear) struct move_plan plan = {.stay = NULL};
    SCOPED(text_free) struct text text = {0};
    const char *name = arguments->planners ? arguments->planners : "best";
    const struct move_planner *planner = move_planner_find(name);
    struct moves_facts facts;
    bool found;
    if (!planner)
        return move_planner_refuse(name, strlen(name), error);
    if (arguments->output && !file_name_has_extension(arguments->output, ".json"))
        return error_set(error, STATUS_USAGE, "output '%s', expected .json with --moves",
                         arguments->output);
    TRY(move_session_create(job, arguments->memories, arguments->capacity_bytes, &session, error));
    TRY(move_session_plan(&session, planner, &plan, &found, error));
    if (!found)
        return error_set(error, STATUS_LIMIT,
                         "%s found no plan that fits, and no proof that there is none", name);
    find_facts(&session, &plan, &facts);
    if (arguments->output) {
        TRY(move_plan_write(session.problem, &plan, &text, error));
        TRY(text_write_file(arguments->output, &text, error));
    }
    if (arguments->json)
        return print_json(&session, name, &plan, &facts, error);
    print_facts(&session, name, &plan, &facts);
    return STATUS_OK;
}

enum status moves_verify_graph(const struct arguments *arguments, const struct instance *instance,
                               struct error *error)
{
    SCOPED(move_session_clear) struct move_session session = {.problem = NULL};
    SCOPED(move_plan_clear) struct move_plan plan = {.stay = NULL};
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_tree_free) struct json_tree facts = {0};
    struct move_verdict verdict;
    struct move_execution execution;
    struct job job = job_make(instance, &policy_flat, NULL);
    job.alignment_bytes = arguments->alignment_bytes;
    TRY(text_read_file(arguments->operand[1], &text, error));
    TRY(move_session_create(&job, arguments->memories, arguments->capacity_bytes, &session, error));
    TRY(move_plan_read(session.problem, &text, arguments->operand[1], &plan, error));
    verify_moves(session.problem, &plan, &verdict);
    TRY(execute_moves(session.problem, &plan, &execution, error));
    bool good = verdict.valid && execution.intact;
    if (arguments->json) {
        json_open_facts(&facts, "verdict");
        json_build_boolean(&facts, "valid", good);
        json_build_text(&facts, "text", verdict.text);
        json_build_text(&facts, "execution", execution.text);
        if (good)
            json_build_count(&facts, "total_ps", execution.time);
        TRY(json_print(&facts, error));
    } else {
        print_lines("%s\n%s\n", verdict.text, execution.text);
        if (good)
            print_lines("total %.6f ms\n", (double)execution.time / 1e9);
    }
    return good ? STATUS_OK : STATUS_NO;
}

enum status moves_check_planners(const char *list, struct error *error)
{
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!move_planner_find(name))
            return move_planner_refuse(at, strcspn(at, ","), error);
    }
    return STATUS_OK;
}

static enum status record_plan(const struct moves_recording *recording,
                               struct move_session *session, const char *name, struct error *error)
{
    SCOPED(move_plan_clear) struct move_plan plan = {.stay = NULL};
    char variant[128];
    struct moves_facts facts;
    bool found;
    uint64_t began_ns = clock_monotonic_ns();
    uint64_t capacity_bytes = session->problem->chip->memory[0].capacity_bytes;
    TRY(move_session_plan(session, move_planner_find(name), &plan, &found, error));
    if (!found)
        return STATUS_OK;
    find_facts(session, &plan, &facts);
    snprintf(variant, sizeof variant, "%s %0*" PRIu64, name, MOVES_DIGITS, capacity_bytes);
    const struct record_measured measured = {recording->context, recording->instance, MOVES_TOPIC,
                                             variant};
    struct record_number numbers[7] = {
        {"total_ps", (int64_t)plan.time},
        {"bound_ps", (int64_t)plan.time_bound},
        {"transfers", (int64_t)facts.transfers},
        {"transferred_bytes", (int64_t)facts.transferred_bytes},
        {"wall_ns", (int64_t)(clock_monotonic_ns() - began_ns)},
    };
    uint32_t count = 5;
    if (capacity_bytes != UINT64_MAX)
        numbers[count++] = (struct record_number){"capacity_bytes", (int64_t)capacity_bytes};
    if (session->still.count)
        numbers[count++] = (struct record_number){"still_ps", (int64_t)facts.still_ps};
    return record_write_measures(recording->store, &measured, numbers, count, error);
}

static enum status record_planners(const struct moves_recording *recording,
                                   struct move_session *session, struct error *error)
{
    for (const char *at = recording->planners; at;
         at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        TRY(record_plan(recording, session, name, error));
    }
    return STATUS_OK;
}

enum { FRONT = 4 };

struct front {
    struct move_session session[FRONT];
};

static void clear_front(struct front *front)
{
    for (int i = 0; i < FRONT; i++)
        move_session_clear(&front->session[i]);
}

enum status moves_bench_graph(const struct moves_recording *recording, const struct job *job,
                              struct error *error)
{
    SCOPED(clear_front) struct front front = {.session = {{.problem = NULL}}};
    const struct arguments *arguments = recording->arguments;
    const struct move_session *smaller = NULL;
    for (int i = arguments->front ? 0 : FRONT - 1; i < FRONT; i++) {
        struct move_session *session = &front.session[i];
        uint64_t capacity_bytes = arguments->capacity_bytes;
        TRY(move_session_create(job, arguments->memories, capacity_bytes, session, error));
        capacity_bytes = session->problem->chip->memory[0].capacity_bytes;
        if (i < FRONT - 1 && capacity_bytes == UINT64_MAX)
            return error_set(error, STATUS_USAGE,
                             "found a first memory without a capacity in '%s', expected one for "
                             "--moves=front",
                             arguments->memories);
        session->graph.file.problem->memory[0].capacity_bytes = capacity_bytes >> (FRONT - 1 - i);
        session->smaller = smaller;
        TRY(record_planners(recording, session, error));
        smaller = session;
    }
    return STATUS_OK;
}

bool moves_are_in_file(const char *path)
{
    SCOPED(text_free) struct text text = {0};
    struct error ignored = ERROR_NONE;
    return file_name_has_extension(path, ".json") &&
           text_read_file(path, &text, &ignored) == STATUS_OK && move_plan_is_likely(&text);
}
