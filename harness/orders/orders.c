#include "harness/orders/orders.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "core/rows.h"
#include "harness/orders/order_file.h"
#include "ordering/ordering.h"
#include "solvers/solvers.h"

uint32_t orders_count(void)
{
    return ordering_count() + solvers_order_count();
}

const struct order_row *orders_at(uint32_t index)
{
    assert(index < orders_count());
    uint32_t by_rule = ordering_count();
    return index < by_rule ? ordering_at(index) : solvers_order_at(index - by_rule);
}

ROWS_DEFINE_FIND(orders, struct order_row);

static enum status refuse_order(const char *name, struct error *error)
{
    return rows_refuse(&(struct rows_kind){"order", "memplan list orders", ", or a file .txt",
                                           orders_count(), orders_name},
                       name, strcspn(name, "?"), error);
}

enum status orders_configure(const char *name, struct order_row **configured, struct error *error)
{
    const char *settings = strchr(name, '?');
    if (order_file_is(name))
        return order_file_create(name, configured, error);
    char *plain = memory_copy_text(name);
    if (!plain)
        return error_no_memory(error);
    plain[strcspn(plain, "?")] = '\0';
    const struct order_row *row = orders_find(plain);
    memory_free(plain);
    if (!row)
        return refuse_order(name, error);
    return order_configure(row, settings ? settings + 1 : NULL, configured, error);
}
