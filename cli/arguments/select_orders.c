/* Orders of operators by their names on the command line. */

#include <string.h>

#include "cli/arguments/select.h"
#include "core/memory.h"

enum status select_orders(const struct registry *registry, const char *list,
                          struct order_list *orders, struct error *error)
{
    orders->text = memory_copy_text(list);
    if (!orders->text)
        return error_no_memory(error);
    for (char *at = orders->text, *next; at; at = next) {
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        for (uint32_t i = 0; i < orders->count; i++)
            if (strcmp(orders->row[i]->name, at) == 0)
                return error_set(error, STATUS_USAGE, "order '%s' is named twice", at);
        TRY(memory_reserve(&orders->row, &orders->capacity, (size_t)orders->count + 1,
                           sizeof *orders->row, error));
        TRY(registry_configure_order(registry, at, &orders->row[orders->count], error));
        orders->count++;
    }
    return STATUS_OK;
}

void order_list_clear(struct order_list *orders)
{
    for (uint32_t i = 0; i < orders->count; i++)
        order_free(orders->row[i]);
    memory_free(orders->row);
    memory_free(orders->text);
    *orders = (struct order_list){0};
}
