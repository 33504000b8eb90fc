#include "harness/catalogue/registry.h"

#include <assert.h>
#include <string.h>

#include "core/known_names.h"
#include "core/memory.h"
#include "harness/brought/order_file.h"
#include "harness/catalogue/orders.h"
#include "harness/catalogue/planners.h"

static bool is_named(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && strncmp(known, name, length) == 0;
}

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
    for (uint32_t i = 0; i < registry_count(registry); i++)
        if (is_named(registry_at(registry, i)->name, name, length))
            return registry_at(registry, i);
    return NULL;
}

uint32_t registry_order_count(const struct registry *registry)
{
    return orders_count() + registry->orders;
}

const struct order_row *registry_order_at(const struct registry *registry, uint32_t index)
{
    uint32_t built_in = orders_count();
    assert(index < registry_order_count(registry));
    return index < built_in ? orders_at(index) : registry->order[index - built_in];
}

static const struct order_row *find_order(const struct registry *registry, const char *name,
                                          size_t length)
{
    for (uint32_t i = 0; i < registry_order_count(registry); i++)
        if (is_named(registry_order_at(registry, i)->name, name, length))
            return registry_order_at(registry, i);
    return NULL;
}

static const char *get_order_name(const void *registry, uint32_t index)
{
    return registry_order_at(registry, index)->name;
}

enum status registry_configure_order(const struct registry *registry, const char *name,
                                     struct order_row **configured, struct error *error)
{
    const char *settings = strchr(name, '?');
    size_t length = strcspn(name, "?");
    const struct known_names known = {.kind = "order",
                                      .lister = "memplan list orders",
                                      .also = ", or a file .txt",
                                      .count = registry_order_count(registry),
                                      .name_at = get_order_name,
                                      .context = registry};
    if (order_file_is(name))
        return order_file_create(name, configured, error);
    const struct order_row *row = find_order(registry, name, length);
    return row ? order_configure(row, settings ? settings + 1 : NULL, configured, error)
               : known_names_refuse(&known, name, length, error);
}

/* Takes what was brought along; a name that is taken already is a fault of `from`. */
static enum status add(struct registry *registry, struct brought *brought, enum status fault,
                       const char *from, struct error *error)
{
    static const char taken[] = "found %s '%s' in %s, expected a name that no other %s has";
    SCOPED(brought_release) struct brought *added = brought;
    TRY(memory_reserve(&registry->brought, &registry->capacity, (size_t)registry->count + 1,
                       sizeof(struct brought *), error));
    registry->brought[registry->count++] = added;
    added = NULL;
    TRY(memory_reserve(&registry->planner, &registry->planner_capacity,
                       (size_t)registry->planners + brought->planners, sizeof *registry->planner,
                       error));
    TRY(memory_reserve(&registry->order, &registry->order_capacity,
                       (size_t)registry->orders + brought->orders, sizeof *registry->order, error));
    for (uint32_t i = 0; i < brought->planners; i++) {
        const char *name = brought->planner[i].name;
        if (registry_find(registry, name, strlen(name)))
            return error_set(error, fault, taken, "planner", name, from, "planner");
        registry->planner[registry->planners++] = &brought->planner[i];
    }
    for (uint32_t i = 0; i < brought->orders; i++) {
        const char *name = brought->order[i].name;
        if (find_order(registry, name, strlen(name)))
            return error_set(error, fault, taken, "order", name, from, "order");
        registry->order[registry->orders++] = &brought->order[i];
    }
    return STATUS_OK;
}

enum status registry_add_plugin(struct registry *registry, const char *path, struct error *error)
{
    struct brought *brought;
    TRY(brought_load(path, &brought, error));
    return add(registry, brought, STATUS_BAD_INPUT, path, error);
}

enum status registry_add_external(struct registry *registry, const char *definition,
                                  struct error *error)
{
    struct brought *brought;
    TRY(brought_make_planner(definition, &brought, error));
    return add(registry, brought, STATUS_USAGE, "--external", error);
}

enum status registry_add_external_order(struct registry *registry, const char *definition,
                                        struct error *error)
{
    struct brought *brought;
    TRY(brought_make_order(definition, &brought, error));
    return add(registry, brought, STATUS_USAGE, "--external-order", error);
}

void registry_clear(struct registry *registry)
{
    for (uint32_t i = 0; i < registry->count; i++)
        brought_free(registry->brought[i]);
    memory_free_all(registry->brought, registry->planner, registry->order);
    *registry = (struct registry){0};
}
