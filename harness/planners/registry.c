#include "harness/planners/registry.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "harness/planners/planners.h"

uint32_t registry_count(const struct registry *registry)
{
    return planners_count() + registry->planners;
}

const struct planner *registry_at(const struct registry *registry, uint32_t index)
{
    uint32_t built_in = planners_count();
    assert(index < registry_count(registry));
    return index < built_in ? planners_at(index) : registry->planner[index - built_in];
}

const struct planner *registry_find(const struct registry *registry, const char *name,
                                    size_t length)
{
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct planner *planner = registry_at(registry, i);
        if (strlen(planner->name) == length && strncmp(planner->name, name, length) == 0)
            return planner;
    }
    return NULL;
}

static enum status add_planner(struct registry *registry, const struct planner *planner,
                               enum status fault, const char *from, struct error *error)
{
    if (registry_find(registry, planner->name, strlen(planner->name)))
        return error_set(error, fault,
                         "found planner '%s' in %s, expected a name that no other planner has",
                         planner->name, from);
    TRY(memory_reserve(&registry->planner, &registry->planner_capacity,
                       (size_t)registry->planners + 1, sizeof *registry->planner, error));
    registry->planner[registry->planners++] = planner;
    return STATUS_OK;
}

enum status registry_add_plugin(struct registry *registry, const char *path, struct error *error)
{
    struct plugin *plugin;
    TRY(memory_reserve(&registry->plugin, &registry->plugin_capacity, (size_t)registry->plugins + 1,
                       sizeof(struct plugin *), error));
    TRY(plugin_open(path, &plugin, error));
    registry->plugin[registry->plugins++] = plugin;
    for (uint32_t i = 0; i < plugin_planners(plugin); i++)
        TRY(add_planner(registry, plugin_planner_at(plugin, i), STATUS_BAD_INPUT, path, error));
    return STATUS_OK;
}

enum status registry_add_external(struct registry *registry, const char *definition,
                                  struct error *error)
{
    struct external *external;
    TRY(memory_reserve(&registry->external, &registry->external_capacity,
                       (size_t)registry->externals + 1, sizeof(struct external *), error));
    TRY(external_create(definition, &external, error));
    registry->external[registry->externals++] = external;
    return add_planner(registry, external_planner(external), STATUS_USAGE, "--external", error);
}

void registry_clear(struct registry *registry)
{
    for (uint32_t i = 0; i < registry->plugins; i++)
        plugin_close(registry->plugin[i]);
    for (uint32_t i = 0; i < registry->externals; i++)
        external_free(registry->external[i]);
    memory_free(registry->plugin);
    memory_free(registry->external);
    memory_free(registry->planner);
    *registry = (struct registry){0};
}
