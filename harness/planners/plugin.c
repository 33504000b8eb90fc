#include "harness/planners/plugin.h"

#include "core/checked.h"
#include "core/memory.h"
#include "harness/planners/public_flags.h"
#include "harness/planners/shared_object.h"
#include "memplan/plugin.h"

/* A planner of the plug-in, and the plug-in to which it belongs. */
struct row {
    const struct plugin *plugin;
    const struct memplan_planner *planner;
};

struct plugin {
    struct shared_object object;
    struct planner *planner; /* [planners] the `rule` of each points to its row */
    struct row *row;         /* [planners] */
    uint32_t planners;
};

static enum status take_offsets(const struct row *row, const struct planner_task *task,
                                struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    uint64_t end;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (plan->offset[b] == PROBLEM_FREE ||
            !checked_add(plan->offset[b], problem->size[b], &end) || end > INT64_MAX)
            return error_set(
                error, STATUS_BAD_INPUT,
                "%s: planner %s left buffer %u ('%s') without a place below 2^63 bytes",
                row->plugin->object.path, row->planner->name, b, names_get(&problem->names, b));
    return plan_set_peak(plan, problem, error);
}

static enum status refuse_claim(const struct row *row, const char *claim, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: planner %s %s", row->plugin->object.path,
                     row->planner->name, claim);
}

/* Checks what can be recognised as wrong without knowing the optimum. */
static enum status check_claims(const struct row *row, const struct planner_task *task,
                                const struct plan *plan, struct error *error)
{
    uint64_t claimed_bytes = plan->measures.lower_bound_bytes;
    bool proves = plan->status == PLAN_OPTIMAL || plan->status == PLAN_INFEASIBLE;
    if (proves && !(row->planner->flags & MEMPLAN_EXACT))
        return refuse_claim(row, "proved something, but has not the flag MEMPLAN_EXACT", error);
    if (plan->status == PLAN_INFEASIBLE && task->capacity_bytes == UINT64_MAX)
        return refuse_claim(row, "says that nothing fits, but there is no capacity", error);
    if (plan_found(plan) && claimed_bytes > plan->measures.peak_bytes)
        return refuse_claim(row, "claims a lower bound above its own peak", error);
    if (claimed_bytes > INT64_MAX || plan->measures.nodes > INT64_MAX)
        return refuse_claim(row, "claims a lower bound or nodes of 2^63 or more", error);
    return STATUS_OK;
}

/* What the function of a plug-in returned, and what it filled in. */
struct reply {
    int result;
    struct memplan_answer answer;
};

static enum status take_reply(const struct row *row, const struct planner_task *task,
                              const struct reply *reply, struct plan *plan, struct error *error)
{
    static const enum plan_status statuses[] = {
        [MEMPLAN_FOUND] = PLAN_FEASIBLE,        [MEMPLAN_OPTIMAL] = PLAN_OPTIMAL,
        [MEMPLAN_INFEASIBLE] = PLAN_INFEASIBLE, [MEMPLAN_GAVE_UP] = PLAN_GAVE_UP,
        [MEMPLAN_TIMEOUT] = PLAN_TIMEOUT,       [MEMPLAN_UNSUPPORTED] = PLAN_UNSUPPORTED};
    const struct memplan_answer *answer = &reply->answer;
    int result = reply->result;
    if (result == MEMPLAN_NO_MEMORY)
        return error_no_memory(error);
    if (result == MEMPLAN_FAILED)
        return error_set(error, STATUS_BAD_INPUT, "%s: planner %s failed: %.*s",
                         row->plugin->object.path, row->planner->name, (int)sizeof answer->message,
                         answer->message);
    if (result < 0 || result > MEMPLAN_UNSUPPORTED)
        return error_set(error, STATUS_BAD_INPUT, "%s: planner %s answered %d, expected 0 to %d",
                         row->plugin->object.path, row->planner->name, result, (int)MEMPLAN_FAILED);
    plan->status = statuses[result];
    plan->measures.nodes = answer->nodes;
    plan->measures.lower_bound_bytes = answer->lower_bound_bytes;
    if (plan_found(plan))
        TRY(take_offsets(row, task, plan, error));
    if (plan->status == PLAN_OPTIMAL)
        plan->measures.lower_bound_bytes = plan->measures.peak_bytes;
    return check_claims(row, task, plan, error);
}

/* Arrays that a problem has only where they say something. Plug-ins get them in any case. */
struct usual_arrays {
    uint64_t *alignment, *fixed_offset;    /* [buffers] */
    uint64_t *window_lower, *window_upper; /* [segments] */
};

static enum status fill_usual(const struct problem *problem, struct usual_arrays *usual,
                              struct error *error)
{
    TRY(memory_create(&usual->alignment, problem->buffers, sizeof(uint64_t), error));
    TRY(memory_create(&usual->fixed_offset, problem->buffers, sizeof(uint64_t), error));
    TRY(memory_create(&usual->window_lower, problem->segments, sizeof(uint64_t), error));
    TRY(memory_create(&usual->window_upper, problem->segments, sizeof(uint64_t), error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        usual->alignment[b] = problem_alignment(problem, b);
        usual->fixed_offset[b] = problem_fixed_offset(problem, b);
    }
    for (uint32_t s = 0; s < problem->segments; s++) {
        usual->window_lower[s] = problem_window_lower(problem, s);
        usual->window_upper[s] = problem_window_upper(problem, s);
    }
    return STATUS_OK;
}

static enum status call_row(const struct row *row, const struct planner_task *task,
                            const struct usual_arrays *usual, struct plan *plan,
                            struct error *error)
{
    const struct problem *problem = task->problem;
    const struct memplan_problem given = {.struct_bytes = sizeof given,
                                          .buffers = problem->buffers,
                                          .segments = problem->segments,
                                          .size = problem->size,
                                          .alignment = usual->alignment,
                                          .fixed_offset = usual->fixed_offset,
                                          .first = problem->first,
                                          .lower = problem->lower,
                                          .upper = problem->upper,
                                          .window_lower = usual->window_lower,
                                          .window_upper = usual->window_upper,
                                          .capacity_bytes = task->capacity_bytes,
                                          .time_limit_ns = task->time_limit_ns,
                                          .seed = task->seed,
                                          .threads = task->threads};
    struct reply reply = {.answer = {.struct_bytes = sizeof reply.answer, .offset = plan->offset}};
    reply.result = (int)row->planner->plan(row->planner, &given, &reply.answer);
    return take_reply(row, task, &reply, plan, error);
}

static enum status plan_by_row(const struct planner *planner, const struct planner_task *task,
                               struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    struct usual_arrays usual = {NULL, NULL, NULL, NULL};
    plan->status = PLAN_OPTIMAL;
    if (!problem->buffers)
        return plan_set_peak(plan, problem, error);
    enum status status = fill_usual(problem, &usual, error);
    if (!status)
        status = call_row(planner->rule, task, &usual, plan, error);
    memory_free(usual.alignment);
    memory_free(usual.fixed_offset);
    memory_free(usual.window_lower);
    memory_free(usual.window_upper);
    return status;
}

static enum status check_row(const char *path, uint32_t index, const struct memplan_planner *row,
                             struct error *error)
{
    const struct shared_object_row texts = {"planner", index, row->name, row->title, row->source};
    TRY(shared_object_check_row(path, &texts, error));
    if (!row->plan)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found no function plan of planner %s, expected one", row->name);
    return STATUS_OK;
}

static enum status check_table(const char *path, const struct memplan_plugin *table,
                               struct error *error)
{
    if (table->version != MEMPLAN_PLUGIN_VERSION)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found a plug-in of version %u, expected %d: build it anew with this "
                            "program's memplan/plugin.h",
                            table->version, MEMPLAN_PLUGIN_VERSION);
    if (!table->planners || !table->planner)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found a plug-in without planners, expected at least one");
    if (table->planner_bytes < sizeof(struct memplan_planner) ||
        table->planner_bytes % sizeof(void *))
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found planner_bytes %zu, expected sizeof(struct memplan_planner), "
                            "which is %zu",
                            table->planner_bytes, sizeof(struct memplan_planner));
    return STATUS_OK;
}

/* A row of the table. Plug-ins made with a newer header may have longer rows, so their length is
   read from the table. */
static const struct memplan_planner *get_row(const struct memplan_plugin *table, uint32_t index)
{
    return (const void *)((const char *)table->planner + index * table->planner_bytes);
}

static enum status fill_rows(struct plugin *plugin, const struct memplan_plugin *table,
                             struct error *error)
{
    TRY(check_table(plugin->object.path, table, error));
    TRY(memory_create(&plugin->planner, table->planners, sizeof *plugin->planner, error));
    TRY(memory_create(&plugin->row, table->planners, sizeof *plugin->row, error));
    for (uint32_t i = 0; i < table->planners; i++) {
        const struct memplan_planner *row = get_row(table, i);
        TRY(check_row(plugin->object.path, i, row, error));
        plugin->row[i] = (struct row){plugin, row};
        plugin->planner[i] = (struct planner){.name = row->name,
                                              .family = "plugin",
                                              .title = row->title,
                                              .source = row->source,
                                              .flags = public_flags_to(row->flags),
                                              .content = plugin->object.content,
                                              .rule = &plugin->row[i],
                                              .plan = plan_by_row};
    }
    plugin->planners = table->planners;
    return STATUS_OK;
}

/* Takes the planners of the shared object; it may have none, if it brings only orders. */
static enum status take_table(struct plugin *plugin, struct error *error)
{
    const struct memplan_plugin *table = shared_object_symbol(&plugin->object, "memplan_plugin");
    if (table)
        return fill_rows(plugin, table, error);
    if (shared_object_symbol(&plugin->object, "memplan_orders"))
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, plugin->object.path, 0,
                        "found no symbol 'memplan_plugin' or 'memplan_orders', expected a table of "
                        "memplan/plugin.h");
}

enum status plugin_open(const char *path, struct plugin **opened, struct error *error)
{
    struct plugin *plugin;
    TRY(memory_create(&plugin, 1, sizeof *plugin, error));
    enum status status = shared_object_open(path, &plugin->object, error);
    if (!status)
        status = take_table(plugin, error);
    if (status)
        plugin_close(plugin);
    else
        *opened = plugin;
    return status;
}

void plugin_close(struct plugin *plugin)
{
    if (!plugin)
        return;
    shared_object_close(&plugin->object);
    memory_free(plugin->planner);
    memory_free(plugin->row);
    memory_free(plugin);
}

uint32_t plugin_planners(const struct plugin *plugin)
{
    return plugin->planners;
}

const struct planner *plugin_planner_at(const struct plugin *plugin, uint32_t index)
{
    return &plugin->planner[index];
}
