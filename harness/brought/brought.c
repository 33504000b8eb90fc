#include "harness/brought/brought.h"

#include <dlfcn.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "harness/brought/program_order.h"
#include "harness/brought/program_planner.h"
#include "harness/brought/public_flags.h"
#include "memplan/plugin.h"

/* Loads the shared object. The loader's text of an error mostly begins with the path. */
static enum status open_object(const char *path, struct brought *brought, struct error *error)
{
    SCOPED(text_free) struct text loaded = {0};
    brought->path = memory_copy_text(path);
    if (!brought->path)
        return error_no_memory(error);
    text_append(&loaded, "%s%s", strchr(path, '/') ? "" : "./", path);
    TRY(text_check(&loaded, error));
    brought->handle = dlopen(loaded.bytes, RTLD_NOW | RTLD_LOCAL);
    if (brought->handle)
        return digest_file(path, brought->content, error);
    const char *text = dlerror();
    if (text && strncmp(text, loaded.bytes, loaded.length) == 0 &&
        strncmp(text + loaded.length, ": ", 2) == 0)
        text += loaded.length + 2;
    return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot load the plug-in: %s",
                        text ? text : "no reason given");
}

/* A table of a shared object as far as the tables of planners and of orders are alike, and what a
   row of it is called. Plug-ins made with a newer header may have longer rows, so their length is
   read from the table. */
struct table {
    const char *path;
    const char *kind, *function; /* "planner", and what its function is called */
    const char *whole, *holder;  /* what messages call the table */
    uint32_t version, rows;
    size_t row_bytes, least_bytes;
    const void *row;
};

static enum status check_table(const struct table *table, struct error *error)
{
    if (table->version != MEMPLAN_PLUGIN_VERSION)
        return error_set_at(error, STATUS_BAD_INPUT, table->path, 0,
                            "found %s of version %u, expected %d: build it again with this "
                            "program's memplan/plugin.h",
                            table->whole, table->version, MEMPLAN_PLUGIN_VERSION);
    if (!table->rows || !table->row)
        return error_set_at(error, STATUS_BAD_INPUT, table->path, 0,
                            "found %s without %ss, expected at least one", table->holder,
                            table->kind);
    if (table->row_bytes >= table->least_bytes && table->row_bytes % sizeof(void *) == 0)
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, table->path, 0,
                        "found %s_bytes %zu, expected sizeof(struct memplan_%s), which is %zu",
                        table->kind, table->row_bytes, table->kind, table->least_bytes);
}

/* Checks what every row has. */
static enum status check_row(const struct table *table, uint32_t index, const char *name,
                             const char *title, const char *source, bool has_function,
                             struct error *error)
{
    const char *const texts[] = {name, title, source};
    static const char *const whats[] = {"name", "title", "source"};
    for (int i = 0; i < 3; i++) {
        const char *fault = NULL, *text = texts[i];
        if (!text || !*text)
            fault = "no text";
        else if (strpbrk(text, "\r\n") || !utf8_is_valid(text, strlen(text)))
            fault = "a line break, or something that is not UTF-8";
        if (fault)
            return error_set_at(error, STATUS_BAD_INPUT, table->path, 0,
                                "found %s as %s of %s %u, expected one line of UTF-8", fault,
                                whats[i], table->kind, index);
    }
    if (!planner_is_name(name, strlen(name)))
        return error_set_at(error, STATUS_BAD_INPUT, table->path, 0,
                            "found '%.64s' as name of %s %u, expected at most 64 lower-case "
                            "letters, digits and underscores",
                            name, table->kind, index);
    if (has_function)
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, table->path, 0,
                        "found no function %s of %s %s, expected one", table->function, table->kind,
                        name);
}

static enum status take_planners(struct brought *brought, const struct memplan_plugin *planners,
                                 struct error *error)
{
    const struct table table = {.path = brought->path,
                                .kind = "planner",
                                .function = "plan",
                                .whole = "a plug-in",
                                .holder = "a plug-in",
                                .version = planners->version,
                                .rows = planners->planners,
                                .row_bytes = planners->planner_bytes,
                                .least_bytes = sizeof *planners->planner,
                                .row = planners->planner};
    TRY(check_table(&table, error));
    TRY(memory_create(&brought->planner, table.rows, sizeof *brought->planner, error));
    for (uint32_t i = 0; i < table.rows; i++) {
        const struct memplan_planner *from =
            (const void *)((const char *)table.row + i * table.row_bytes);
        TRY(check_row(&table, i, from->name, from->title, from->source, from->plan, error));
        brought->row[i] = (struct plugin_row){.path = brought->path, .planner = from};
        brought->planner[i] = (struct planner){.name = from->name,
                                               .family = "plugin",
                                               .title = from->title,
                                               .source = from->source,
                                               .flags = public_flags_to(from->flags),
                                               .content = brought->content,
                                               .rule = &brought->row[i],
                                               .plan = plugin_plan};
    }
    brought->planners = table.rows;
    return STATUS_OK;
}

static enum status take_orders(struct brought *brought, const struct memplan_orders *orders,
                               struct error *error)
{
    const struct table table = {.path = brought->path,
                                .kind = "order",
                                .function = "order",
                                .whole = "orders",
                                .holder = "a table",
                                .version = orders->version,
                                .rows = orders->orders,
                                .row_bytes = orders->order_bytes,
                                .least_bytes = sizeof *orders->order,
                                .row = orders->order};
    struct plugin_row *rows = brought->row + brought->planners;
    TRY(check_table(&table, error));
    TRY(memory_create(&brought->order, table.rows, sizeof *brought->order, error));
    for (uint32_t i = 0; i < table.rows; i++) {
        const struct memplan_order *from =
            (const void *)((const char *)table.row + i * table.row_bytes);
        TRY(check_row(&table, i, from->name, from->title, from->source, from->order, error));
        rows[i] = (struct plugin_row){.path = brought->path, .order = from};
        brought->order[i] = (struct order_row){
            .name = from->name,
            .title = from->title,
            .source = from->source,
            .flags = (from->flags & MEMPLAN_EXACT ? (unsigned)ORDER_EXACT : 0) |
                     (from->flags & MEMPLAN_RANDOMISED ? (unsigned)ORDER_RANDOMISED : 0) |
                     (from->flags & MEMPLAN_SEARCHES ? (unsigned)ORDER_SEARCHES : 0),
            .rule = &rows[i],
            .order = plugin_order};
    }
    brought->orders = table.rows;
    return STATUS_OK;
}

enum status brought_load(const char *path, struct brought **created, struct error *error)
{
    SCOPED(brought_release) struct brought *brought = NULL;
    TRY(memory_create(&brought, 1, sizeof *brought, error));
    TRY(open_object(path, brought, error));
    const struct memplan_plugin *planners = dlsym(brought->handle, "memplan_plugin");
    const struct memplan_orders *orders = dlsym(brought->handle, "memplan_orders");
    if (!planners && !orders)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found no symbol 'memplan_plugin' or 'memplan_orders', expected a "
                            "table of memplan/plugin.h");
    size_t rows = (planners ? (size_t)planners->planners : 0) + (orders ? orders->orders : 0);
    TRY(memory_create(&brought->row, rows, sizeof *brought->row, error));
    if (planners)
        TRY(take_planners(brought, planners, error));
    if (orders)
        TRY(take_orders(brought, orders, error));
    HAND_OVER(brought, created);
}

enum status brought_make_planner(const char *definition, struct brought **created,
                                 struct error *error)
{
    SCOPED(brought_release) struct brought *brought = NULL;
    TRY(memory_create(&brought, 1, sizeof *brought, error));
    TRY(program_create(definition, &program_planner_kind, &brought->program, error));
    TRY(memory_create(&brought->planner, 1, sizeof *brought->planner, error));
    brought->planner[brought->planners++] =
        (struct planner){.name = brought->program.name,
                         .family = "external",
                         .title = brought->program.command,
                         .source = "a program of the user",
                         .flags = PLANNER_EXACT | PLANNER_SEARCHES,
                         .content = brought->program.content,
                         .rule = &brought->program,
                         .plan = program_planner_plan};
    HAND_OVER(brought, created);
}

enum status brought_make_order(const char *definition, struct brought **created,
                               struct error *error)
{
    SCOPED(brought_release) struct brought *brought = NULL;
    TRY(memory_create(&brought, 1, sizeof *brought, error));
    TRY(program_create(definition, &program_order_kind, &brought->program, error));
    TRY(memory_create(&brought->order, 1, sizeof *brought->order, error));
    brought->order[brought->orders++] = (struct order_row){.name = brought->program.name,
                                                           .title = brought->program.command,
                                                           .source = "a program of the user",
                                                           .flags = ORDER_SEARCHES,
                                                           .rule = &brought->program,
                                                           .order = program_order_find};
    HAND_OVER(brought, created);
}

void brought_free(struct brought *brought)
{
    if (!brought)
        return;
    if (brought->handle)
        dlclose(brought->handle);
    program_clear(&brought->program);
    memory_free_all(brought->path, brought->planner, brought->order, brought->row, brought);
}
