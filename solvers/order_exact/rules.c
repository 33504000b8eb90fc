#include "solvers/order_exact/rules.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "ordering/common/best_of.h"
#include "ordering/ordering.h"

enum status order_rules_try(const struct order_view *view, uint64_t deadline_ns,
                            struct order_answer *answer, struct error *error)
{
    SCOPED(memory_release) uint32_t *permutation = NULL;
    TRY(memory_create(&permutation, view->operators, sizeof *permutation, error));
    for (uint32_t i = 0; i < ordering_count(); i++) {
        const struct order_row *row = ordering_at(i);
        const struct order_task task = {view, clock_left_ns(deadline_ns), UINT64_MAX, 0, NULL};
        struct order_report report = {.status = PLAN_UNSUPPORTED};
        if (row->flags & ORDER_RANDOMISED || row->order == best_of_order || !task.time_limit_ns)
            continue;
        TRY(order_ask(row, &task, permutation, &report, error));
        if (report.status != PLAN_OPTIMAL && report.status != PLAN_FEASIBLE)
            continue;
        if (report.bound_bytes > answer->bound_bytes)
            answer->bound_bytes = report.bound_bytes;
        assert(report.bound_bytes <= report.load_bytes);
        if (report.load_bytes < answer->load_bytes) {
            answer->load_bytes = report.load_bytes;
            memcpy(answer->permutation, permutation, view->operators * sizeof *permutation);
        }
    }
    return STATUS_OK;
}
