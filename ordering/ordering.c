#include "ordering/ordering.h"

#include "core/rows.h"

#define ORDERING_ORDER(name) extern const struct order_row order_##name;
#include "ordering/orders.def"
#undef ORDERING_ORDER

#define ORDERING_ORDER(name) &order_##name,
static const struct order_row *const orders[] = {
#include "ordering/orders.def"
};
#undef ORDERING_ORDER

ROWS_DEFINE_POINTERS(ordering, struct order_row, orders);
ROWS_DEFINE_FIND(ordering, struct order_row);
