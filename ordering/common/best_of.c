#include "ordering/common/best_of.h"

#include <string.h>

enum status best_of_order(const struct order_row *row, const struct order_task *task,
                          uint32_t *permutation, struct order_report *report, struct error *error)
{
    const struct order_row *const *rows = row->rule;
    uint32_t operators = task->view->operators, *tried;
    TRY(scratch_take(task->scratch, &tried, operators, sizeof *tried, error));
    for (uint32_t i = 0; rows[i]; i++) {
        struct order_report found = {0};
        TRY(order_ask(rows[i], task, tried, &found, error));
        if (i && found.load_bytes >= report->load_bytes)
            continue;
        *report = found;
        memcpy(permutation, tried, operators * sizeof *tried);
    }
    return STATUS_OK;
}
