#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_REGISTRY_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_REGISTRY_H

#include "planning/order/order.h"

struct order_external;
struct order_plugin;

/* The orders that a command knows: the built-in ones of orders.h, then those that its user brought
   along, in the order given. Zero-initialise it; a zero one has the built-in ones only. */
struct order_registry {
    struct order_plugin **plugin;     /* [plugins] */
    struct order_external **external; /* [externals] */
    const struct order_row **order; /* [orders] all that were brought along, borrowed from these */
    uint32_t plugins, externals, orders;
    size_t plugin_capacity, external_capacity, order_capacity;
};

uint32_t order_registry_count(const struct order_registry *registry);
const struct order_row *order_registry_at(const struct order_registry *registry, uint32_t index);

/* Adds the orders of a shared object, if it has any, or a program "name=command". STATUS_BAD_INPUT
   for a bad shared object, STATUS_USAGE for a bad command; either says when a name is taken. */
enum status order_registry_add_plugin(struct order_registry *registry, const char *path,
                                      struct error *error);
enum status order_registry_add_external(struct order_registry *registry, const char *definition,
                                        struct error *error);
void order_registry_clear(struct order_registry *registry);

/* A copy of the order "name" or "name?settings", or the one that a file says (order_file.h), which
   the caller frees with order_free; it borrows a file's path. STATUS_USAGE names what there is. */
enum status order_registry_configure(const struct order_registry *registry, const char *name,
                                     struct order_row **configured, struct error *error);

#endif
