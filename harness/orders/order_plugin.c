#include "harness/orders/order_plugin.h"

#include "core/memory.h"
#include "harness/planners/shared_object.h"
#include "memplan/plugin.h"
#include "planning/order/order_load.h"

/* An order of the plug-in, and where it comes from. */
struct source {
    const char *path;
    const struct memplan_order *order;
};

struct order_plugin {
    struct shared_object object;
    struct order_row *row; /* [count] the rule of each is its source */
    struct source *source; /* [count] */
    uint32_t count;
};

static enum status refuse(const struct source *source, const char *what, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: order %s %s", source->path, source->order->name,
                     what);
}

/* What the plug-in's function returned, and what it filled in. */
struct reply {
    int result;
    struct memplan_order_answer answer;
};

/* Turns what the function returned into a status; fails where the function failed, or answered what
   an order may not answer. */
static enum status judge_result(const struct source *source, const struct reply *reply,
                                enum plan_status *status, struct error *error)
{
    static const enum plan_status statuses[] = {
        [MEMPLAN_FOUND] = PLAN_FEASIBLE,         [MEMPLAN_OPTIMAL] = PLAN_OPTIMAL,
        [MEMPLAN_INFEASIBLE] = PLAN_UNSUPPORTED, [MEMPLAN_GAVE_UP] = PLAN_UNSUPPORTED,
        [MEMPLAN_TIMEOUT] = PLAN_TIMEOUT,        [MEMPLAN_UNSUPPORTED] = PLAN_UNSUPPORTED};
    const struct memplan_order_answer *answer = &reply->answer;
    if (reply->result == MEMPLAN_NO_MEMORY)
        return error_no_memory(error);
    if (reply->result == MEMPLAN_FAILED)
        return error_set(error, STATUS_BAD_INPUT, "%s: order %s failed: %.*s", source->path,
                         source->order->name, (int)sizeof answer->message, answer->message);
    if (reply->result < 0 || reply->result > MEMPLAN_UNSUPPORTED)
        return refuse(source, "answered what is no result of memplan/plugin.h", error);
    *status = statuses[reply->result];
    bool proves = *status == PLAN_OPTIMAL || answer->bound_bytes;
    if (proves && !(source->order->flags & MEMPLAN_EXACT))
        return refuse(source, "proved something, but has not the flag MEMPLAN_EXACT", error);
    return STATUS_OK;
}

static enum status take_reply(const struct source *source, const struct order_task *task,
                              const struct reply *reply, struct order_report *report,
                              struct error *error)
{
    const struct memplan_order_answer *answer = &reply->answer;
    enum plan_status status = PLAN_UNSUPPORTED;
    TRY(judge_result(source, reply, &status, error));
    *report = (struct order_report){.status = status, .states = answer->states};
    if (!plan_status_is_found(status))
        return STATUS_OK;
    TRY(order_permutation_check(task->view, answer->permutation, error));
    TRY(order_load(task->view, answer->permutation, &report->load_bytes, error));
    report->bound_bytes = status == PLAN_OPTIMAL ? report->load_bytes : answer->bound_bytes;
    return STATUS_OK;
}

static enum status order_by_source(const struct order_row *row, const struct order_task *task,
                                   uint32_t *permutation, struct order_report *report,
                                   struct error *error)
{
    const struct source *source = row->rule;
    const struct order_view *view = task->view;
    const struct memplan_region region = {.struct_bytes = sizeof region,
                                          .operators = view->operators,
                                          .tensors = view->tensors,
                                          .first_input = view->inputs.start,
                                          .input = view->inputs.item,
                                          .first_output = view->outputs.start,
                                          .output = view->outputs.item,
                                          .first_predecessor = view->predecessors.start,
                                          .predecessor = view->predecessors.item,
                                          .bytes = view->bytes,
                                          .producer = view->producer,
                                          .kept = (const unsigned char *)view->kept,
                                          .alloc_bytes = view->alloc_bytes,
                                          .first_bytes = view->first_bytes,
                                          .time_limit_ns = task->time_limit_ns,
                                          .seed = task->seed};
    struct reply reply = {
        .answer = {.struct_bytes = sizeof reply.answer, .permutation = permutation}};
    reply.result = (int)source->order->order(source->order, &region, &reply.answer);
    reply.answer.permutation = permutation;
    return take_reply(source, task, &reply, report, error);
}

static unsigned take_flags(uint32_t flags)
{
    return (flags & MEMPLAN_EXACT ? (unsigned)ORDER_EXACT : 0) |
           (flags & MEMPLAN_RANDOMISED ? (unsigned)ORDER_RANDOMISED : 0) |
           (flags & MEMPLAN_SEARCHES ? (unsigned)ORDER_SEARCHES : 0);
}

static enum status check_table(const char *path, const struct memplan_orders *table,
                               struct error *error)
{
    if (table->version != MEMPLAN_PLUGIN_VERSION)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found orders of version %u, expected %d: build it anew with this "
                            "program's memplan/plugin.h",
                            table->version, MEMPLAN_PLUGIN_VERSION);
    if (!table->orders || !table->order)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found a table without orders, expected at least one");
    if (table->order_bytes >= sizeof(struct memplan_order) &&
        table->order_bytes % sizeof(void *) == 0)
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                        "found order_bytes %zu, expected sizeof(struct memplan_order), which is "
                        "%zu",
                        table->order_bytes, sizeof(struct memplan_order));
}

static enum status fill_row(struct order_plugin *plugin, const struct memplan_order *order,
                            struct error *error)
{
    const char *path = plugin->object.path;
    uint32_t index = plugin->count;
    const struct shared_object_row texts = {"order", index, order->name, order->title,
                                            order->source};
    TRY(shared_object_check_row(path, &texts, error));
    if (!order->order)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found no function order of order %s, expected one", order->name);
    plugin->source[index] = (struct source){path, order};
    plugin->row[index] = (struct order_row){.name = order->name,
                                            .title = order->title,
                                            .source = order->source,
                                            .flags = take_flags(order->flags),
                                            .rule = &plugin->source[index],
                                            .order = order_by_source};
    plugin->count++;
    return STATUS_OK;
}

/* Makes a row for each order of the table. The table of a plug-in for a newer header may have
   longer entries, so that order_bytes says where each one begins. */
static enum status fill_rows(struct order_plugin *plugin, const struct memplan_orders *table,
                             struct error *error)
{
    TRY(check_table(plugin->object.path, table, error));
    TRY(memory_create(&plugin->row, table->orders, sizeof *plugin->row, error));
    TRY(memory_create(&plugin->source, table->orders, sizeof *plugin->source, error));
    for (uint32_t i = 0; i < table->orders; i++) {
        const void *order = (const char *)table->order + i * table->order_bytes;
        TRY(fill_row(plugin, order, error));
    }
    return STATUS_OK;
}

enum status order_plugin_open(const char *path, struct order_plugin **opened, struct error *error)
{
    struct order_plugin *plugin;
    TRY(memory_create(&plugin, 1, sizeof *plugin, error));
    enum status status = shared_object_open(path, &plugin->object, error);
    const struct memplan_orders *table =
        status ? NULL : shared_object_symbol(&plugin->object, "memplan_orders");
    if (table)
        status = fill_rows(plugin, table, error);
    if (status)
        order_plugin_close(plugin);
    else
        *opened = plugin;
    return status;
}

void order_plugin_close(struct order_plugin *plugin)
{
    if (!plugin)
        return;
    shared_object_close(&plugin->object);
    memory_free(plugin->row);
    memory_free(plugin->source);
    memory_free(plugin);
}

uint32_t order_plugin_count(const struct order_plugin *plugin)
{
    return plugin->count;
}

const struct order_row *order_plugin_at(const struct order_plugin *plugin, uint32_t index)
{
    return &plugin->row[index];
}
