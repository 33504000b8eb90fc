#include "solvers/order_exact/rules.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "ordering/common/best_of.h"
#include "ordering/ordering.h"

static bool is_rule(const struct order_row *row)
{
    return !(row->flags & ORDER_RANDOMISED) && row->order != best_of_order;
}

static enum status try_row(const struct order_row *row, const struct order_task *task,
                           uint32_t *permutation, struct order_answer *answer, struct error *error)
{
    struct order_report report = {.status = PLAN_UNSUPPORTED};
    TRY(order_ask(row, task, permutation, &report, error));
    if (report.status != PLAN_OPTIMAL && report.status != PLAN_FEASIBLE)
        return STATUS_OK;
    if (report.bound_bytes > answer->bound_bytes)
        answer->bound_bytes = report.bound_bytes;
    if (report.load_bytes < answer->load_bytes) {
        answer->load_bytes = report.load_bytes;
        memcpy(answer->permutation, permutation, task->view->operators * sizeof *permutation);
    }
    return STATUS_OK;
}

enum status order_rules_try(const struct order_view *view, uint64_t deadline_ns,
                            struct order_answer *answer, struct error *error)
{
    uint32_t *permutation;
    enum status status = STATUS_OK;
    TRY(memory_create(&permutation, view->operators, sizeof *permutation, error));
    for (uint32_t i = 0; i < ordering_count() && !status; i++) {
        const struct order_task task = {view, clock_left_ns(deadline_ns), UINT64_MAX, 0, NULL};
        if (is_rule(ordering_at(i)) && task.time_limit_ns)
            status = try_row(ordering_at(i), &task, permutation, answer, error);
    }
    memory_free(permutation);
    return status;
}
