#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_PLUGIN_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_PLUGIN_H

#include "planning/order/order.h"

/* Orders of a shared object with the table memplan_orders of include/memplan/plugin.h. Loads and
   edges of what they answer are checked by whoever asks them. */
struct order_plugin;

/* A shared object without that table has none. Fails with STATUS_BAD_INPUT and the path where it is
   no shared object, has the table in another version, or where a row of it lacks something. */
enum status order_plugin_open(const char *path, struct order_plugin **opened, struct error *error);
void order_plugin_close(struct order_plugin *plugin); /* NULL is fine; ends its orders */

uint32_t order_plugin_count(const struct order_plugin *plugin);
const struct order_row *order_plugin_at(const struct order_plugin *plugin, uint32_t index);

#endif
