#include "harness/orders/order_registry.h"

#include <assert.h>
#include <string.h>

#include "core/known_names.h"
#include "core/memory.h"
#include "harness/orders/order_external.h"
#include "harness/orders/order_file.h"
#include "harness/orders/order_plugin.h"
#include "harness/orders/orders.h"

uint32_t order_registry_count(const struct order_registry *registry)
{
    return orders_count() + registry->orders;
}

const struct order_row *order_registry_at(const struct order_registry *registry, uint32_t index)
{
    uint32_t built_in = orders_count();
    assert(index < order_registry_count(registry));
    return index < built_in ? orders_at(index) : registry->order[index - built_in];
}

static const struct order_row *find_order(const struct order_registry *registry, const char *name,
                                          size_t length)
{
    for (uint32_t i = 0; i < order_registry_count(registry); i++) {
        const struct order_row *order = order_registry_at(registry, i);
        if (strlen(order->name) == length && strncmp(order->name, name, length) == 0)
            return order;
    }
    return NULL;
}

static enum status add_order(struct order_registry *registry, const struct order_row *order,
                             enum status fault, const char *from, struct error *error)
{
    if (find_order(registry, order->name, strlen(order->name)))
        return error_set(error, fault,
                         "found order '%s' in %s, expected a name that no other order has",
                         order->name, from);
    TRY(memory_reserve(&registry->order, &registry->order_capacity, (size_t)registry->orders + 1,
                       sizeof *registry->order, error));
    registry->order[registry->orders++] = order;
    return STATUS_OK;
}

enum status order_registry_add_plugin(struct order_registry *registry, const char *path,
                                      struct error *error)
{
    struct order_plugin *plugin;
    TRY(memory_reserve(&registry->plugin, &registry->plugin_capacity, (size_t)registry->plugins + 1,
                       sizeof(struct order_plugin *), error));
    TRY(order_plugin_open(path, &plugin, error));
    registry->plugin[registry->plugins++] = plugin;
    for (uint32_t i = 0; i < order_plugin_count(plugin); i++)
        TRY(add_order(registry, order_plugin_at(plugin, i), STATUS_BAD_INPUT, path, error));
    return STATUS_OK;
}

enum status order_registry_add_external(struct order_registry *registry, const char *definition,
                                        struct error *error)
{
    struct order_external *external;
    TRY(memory_reserve(&registry->external, &registry->external_capacity,
                       (size_t)registry->externals + 1, sizeof(struct order_external *), error));
    TRY(order_external_create(definition, &external, error));
    registry->external[registry->externals++] = external;
    return add_order(registry, order_external_row(external), STATUS_USAGE, "--external-order",
                     error);
}

void order_registry_clear(struct order_registry *registry)
{
    for (uint32_t i = 0; i < registry->plugins; i++)
        order_plugin_close(registry->plugin[i]);
    for (uint32_t i = 0; i < registry->externals; i++)
        order_external_free(registry->external[i]);
    memory_free(registry->plugin);
    memory_free(registry->external);
    memory_free(registry->order);
    *registry = (struct order_registry){0};
}

static const char *get_order_name(const void *registry, uint32_t index)
{
    return order_registry_at(registry, index)->name;
}

static enum status refuse_order(const struct order_registry *registry, const char *name,
                                size_t length, struct error *error)
{
    const struct known_names known = {.kind = "order",
                                      .lister = "memplan list orders",
                                      .also = ", or a file .txt",
                                      .count = order_registry_count(registry),
                                      .name_at = get_order_name,
                                      .context = registry};
    return known_names_refuse(&known, name, length, error);
}

enum status order_registry_configure(const struct order_registry *registry, const char *name,
                                     struct order_row **configured, struct error *error)
{
    const char *settings = strchr(name, '?');
    size_t length = strcspn(name, "?");
    if (order_file_is(name))
        return order_file_create(name, configured, error);
    const struct order_row *row = find_order(registry, name, length);
    if (!row)
        return refuse_order(registry, name, length, error);
    return order_configure(row, settings ? settings + 1 : NULL, configured, error);
}
