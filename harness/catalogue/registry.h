#ifndef MEMPLAN_HARNESS_CATALOGUE_REGISTRY_H
#define MEMPLAN_HARNESS_CATALOGUE_REGISTRY_H

#include "harness/brought/brought.h"

/* The planners and the orders that a command knows: the built-in ones of planners.h and orders.h,
   then those that its user brought along, in the order given. Zero-initialise it; a zero one has
   the built-in ones only. */
struct registry {
    struct brought **brought;       /* [count] */
    const struct planner **planner; /* [planners] of these */
    const struct order_row **order; /* [orders] */
    uint32_t count, planners, orders;
    size_t capacity, planner_capacity, order_capacity;
};

uint32_t registry_count(const struct registry *registry);
const struct planner *registry_at(const struct registry *registry, uint32_t index);
const struct planner *registry_find(const struct registry *registry, const char *name,
                                    size_t length); /* NULL if there is none */

uint32_t registry_order_count(const struct registry *registry);
const struct order_row *registry_order_at(const struct registry *registry, uint32_t index);

/* A copy of the order "name" or "name?settings", or the order in a file of that name
   (order_file.h), whose path is then borrowed. The caller frees it with order_free. STATUS_USAGE
   names the orders that exist. */
enum status registry_configure_order(const struct registry *registry, const char *name,
                                     struct order_row **configured, struct error *error);

/* Adds the planners and orders of a shared object, or a program "name=command" that is one of the
   two. STATUS_BAD_INPUT for a bad shared object, STATUS_USAGE for a bad command; each also where a
   name is taken already. */
enum status registry_add_plugin(struct registry *registry, const char *path, struct error *error);
enum status registry_add_external(struct registry *registry, const char *definition,
                                  struct error *error);
enum status registry_add_external_order(struct registry *registry, const char *definition,
                                        struct error *error);
void registry_clear(struct registry *registry);

#endif
