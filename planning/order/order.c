#include "planning/order/order.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/order/order_load.h"

static const struct order_flag_row flags[ORDER_FLAGS] = {
    {ORDER_EXACT, "exact", "may prove that no order has a lower load"},
    {ORDER_RANDOMISED, "randomised", "another seed may give another order"},
    {ORDER_SEARCHES, "searches", "tries many orders, within the time limit"},
    {ORDER_CLASS, "class", "proves its order only for graphs of one class"},
};

const struct order_flag_row *order_flag_at(uint32_t index)
{
    assert(index < ORDER_FLAGS);
    return &flags[index];
}

enum status order_ask(const struct order_row *row, const struct order_task *task,
                      uint32_t *permutation, struct order_report *report, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct order_task own = *task;
    own.scratch = &scratch;
    assert(task->view->operators > 0);
    return row->order(row, &own, permutation, report, error);
}

uint64_t order_option_value(const struct order_row *row, uint32_t index)
{
    assert(row->options && index < PLANNER_MOST_OPTIONS);
    return row->option_values ? row->option_values[index] : row->options[index].initial;
}

/* The copy comes first, so that freeing it frees all. */
struct configured {
    struct order_row row;
    struct planner *planner; /* owns the name and the values */
};

/* Settings of orders are written like those of planners. */
enum status order_configure(const struct order_row *row, const char *settings,
                            struct order_row **created, struct error *error)
{
    const struct planner named = {
        .name = row->name, .options = row->options, .option_values = row->option_values};
    SCOPED(memory_release) struct configured *configured = NULL;
    TRY(memory_create(&configured, 1, sizeof *configured, error));
    configured->row = *row;
    TRY(planner_configure_as("order", &named, settings, &configured->planner, error));
    configured->row.name = configured->planner->name;
    configured->row.option_values = configured->planner->option_values;
    *created = &configured->row;
    configured = NULL;
    return STATUS_OK;
}

void order_free(struct order_row *row)
{
    struct configured *configured = (struct configured *)row;
    if (!configured)
        return;
    planner_free(configured->planner);
    memory_free(configured);
}

enum status order_report_feasible(const struct order_view *view, const uint32_t *permutation,
                                  struct order_report *report, struct error *error)
{
    *report = (struct order_report){.status = PLAN_FEASIBLE};
    return order_load(view, permutation, &report->load_bytes, error);
}
