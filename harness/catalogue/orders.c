#include "harness/catalogue/orders.h"

#include <assert.h>

#include "core/rows.h"
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
