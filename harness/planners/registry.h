#ifndef MEMPLAN_HARNESS_PLANNERS_REGISTRY_H
#define MEMPLAN_HARNESS_PLANNERS_REGISTRY_H

#include "harness/planners/external.h"
#include "harness/planners/plugin.h"

/* The planners that a command knows: the built-in ones of planners.h, then those that its user
   brought along, in the order given. Zero-initialise it; a zero one has the built-in ones only. */
struct registry {
    struct plugin **plugin;     /* [plugins] */
    struct external **external; /* [externals] */
    /* [planners] those that were brought along; borrowed from plugin and external */
    const struct planner **planner;
    uint32_t plugins, externals, planners;
    size_t plugin_capacity, external_capacity, planner_capacity;
};

uint32_t registry_count(const struct registry *registry);
const struct planner *registry_at(const struct registry *registry, uint32_t index);
const struct planner *registry_find(const struct registry *registry, const char *name,
                                    size_t length); /* NULL if there is none */

/* Adds the planners of a shared object, or a program "name=command". STATUS_BAD_INPUT for a bad
   shared object, STATUS_USAGE for a bad command; either says when a name is taken. */
enum status registry_add_plugin(struct registry *registry, const char *path, struct error *error);
enum status registry_add_external(struct registry *registry, const char *definition,
                                  struct error *error);
void registry_clear(struct registry *registry);

#endif
