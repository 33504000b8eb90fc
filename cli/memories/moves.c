/* Graphs whose tensors and weights move between memories: plan and verify with --moves. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/memories/memories.h"
#include "cli/output/picture.h"
#include "core/clock.h"
#include "core/file.h"
#include "dma/moves/planners.h"
#include "harness/moves/plan_json.h"
#include "harness/moves/session.h"
#include "harness/moves/stays.h"
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

static enum status print_facts(const struct arguments *arguments, const char *instance,
                               const struct memories_finding *finding,
                               const struct moves_facts *found, struct error *error)
{
    const struct memory_plan *plan = finding->plan;
    SCOPED(memories_told_free) struct memories_told told = {0};
    json_open_facts(&told.facts, "moves");
    memories_tell(&told, "instance", instance);
    memories_tell(&told, "planner", finding->planner->name);
    memories_tell(&told, "status", plan_status_name(plan->status));
    json_build_count(&told.facts, "total_ps", plan->cost);
    json_build_count(&told.facts, "bound_ps", plan->cost_bound);
    text_append(&told.lines, "total        %.6f ms\nbound        %.6f ms\n",
                (double)plan->cost / 1e9, (double)plan->cost_bound / 1e9);
    if (found->still_ps) {
        json_build_count(&told.facts, "still_ps", found->still_ps);
        text_append(&told.lines, "still        %.6f ms, where nothing moves\n",
                    (double)found->still_ps / 1e9);
    }
    json_build_count(&told.facts, "transfers", found->transfers);
    json_build_count(&told.facts, "transferred_bytes", found->transferred_bytes);
    text_append(&told.lines, "transfers    %" PRIu64 " of %" PRIu64 " bytes\n", found->transfers,
                found->transferred_bytes);
    memories_tell_peaks(&told, finding);
    return memories_print(arguments, &told, error);
}

static enum status write_plan(const struct move_session *session, const struct move_plan *plan,
                              const struct move_stays *stays,
                              const struct memories_finding *finding, const char *path,
                              struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    if (picture_has_name(path))
        return memories_draw(finding, path, error);
    TRY(file_name_has_extension(path, ".h")
            ? move_stays_write_header(stays, plan, finding->planner->name, path, &text, error)
            : move_plan_write(session->problem, plan, &text, error));
    return text_write_file(path, &text, error);
}

enum status moves_plan_graph(const struct arguments *arguments, const struct job *job,
                             struct error *error)
{
    SCOPED(move_session_clear) struct move_session session = {.problem = NULL};
    SCOPED(move_plan_clear) struct move_plan plan = {.stay = NULL};
    SCOPED(move_stays_clear) struct move_stays stays = {.problem = NULL};
    const char *name = arguments->planners ? arguments->planners : "best";
    const struct move_planner *planner = move_planner_find(name);
    struct moves_facts facts;
    bool found;
    if (!planner)
        return move_planner_refuse(name, strlen(name), error);
    if (arguments->output && !file_name_has_extension(arguments->output, ".json") &&
        !file_name_has_extension(arguments->output, ".h") && !picture_has_name(arguments->output))
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .json, .h, .svg, .pdf or .png with --moves",
                         arguments->output);
    TRY(move_session_create(job, arguments->memories, arguments->capacity_bytes, &session, error));
    TRY(move_session_plan(&session, planner, &plan, &found, error));
    if (!found)
        return error_set(error, STATUS_LIMIT,
                         "%s found no plan that fits, and no proof that there is none", name);
    find_facts(&session, &plan, &facts);
    TRY(move_stays_create(session.problem, &plan, &stays, error));
    const struct memory_planner named = {.name = name};
    const struct memories_finding finding = {
        .problem = stays.problem, .planner = &named, .plan = stays.plan, .costs_time = true};
    if (arguments->output)
        TRY(write_plan(&session, &plan, &stays, &finding, arguments->output, error));
    return print_facts(arguments, job->instance->name, &finding, &facts, error);
}

enum status moves_verify_graph(const struct arguments *arguments, const struct instance *instance,
                               struct error *error)
{
    SCOPED(move_session_clear) struct move_session session = {.problem = NULL};
    SCOPED(move_plan_clear) struct move_plan plan = {.stay = NULL};
    SCOPED(text_free) struct text text = {0};
    SCOPED(memories_told_free) struct memories_told told = {0};
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
    json_open_facts(&told.facts, "verdict");
    json_build_boolean(&told.facts, "valid", good);
    json_build_text(&told.facts, "text", verdict.text);
    json_build_text(&told.facts, "execution", execution.text);
    text_append(&told.lines, "%s\n%s\n", verdict.text, execution.text);
    if (good) {
        json_build_count(&told.facts, "total_ps", execution.time);
        text_append(&told.lines, "total %.6f ms\n", (double)execution.time / 1e9);
    }
    TRY(memories_print(arguments, &told, error));
    return good ? STATUS_OK : STATUS_NO;
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
        for (uint32_t p = 0; p < recording->planners->count; p++)
            TRY(record_plan(recording, session, names_get(recording->planners, p), error));
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
