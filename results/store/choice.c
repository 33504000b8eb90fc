#include "results/store/choice.h"

#include <stddef.h>
#include <string.h>

#include "core/text.h"
#include "results/store/options.h"
#include "results/store/sqlite.h"

static bool is_among(const struct names *names, const char *name)
{
    return !names || names_find(names, name) != NAMES_NONE;
}

bool choice_takes_instance(const struct result_choice *choice, const char *instance,
                           const char *path)
{
    return !choice || is_among(choice->instances, instance) || is_among(choice->instances, path);
}

/* Whether the choice takes the row where orders compete: the name of a graph stands for it in all
   orders, which are called "name@order". */
static bool takes_graph(const struct result_choice *choice, const struct result_row *row)
{
    char name[512];
    size_t length = strlen(row->instance), order = strlen(row->order_name);
    if (choice_takes_instance(choice, row->instance, row->path))
        return true;
    if (length < order + 1 || length >= sizeof name || row->instance[length - order - 1] != '@')
        return false;
    memcpy(name, row->instance, length);
    name[length - order - 1] = '\0';
    return strcmp(row->instance + length - order, row->order_name) == 0 &&
           is_among(choice->instances, name);
}

static bool has_limit(const struct result_row *row, uint64_t time_limit_ns)
{
    const char *value;
    size_t length;
    uint64_t limit_ns;
    return options_find(row->settings, "time_limit_ns", &value, &length) &&
           text_parse_u64(value, length, &limit_ns) && limit_ns == time_limit_ns;
}

bool choice_takes(const struct result_choice *choice, const struct result_row *row)
{
    if (choice && choice->time_limit_ns && !has_limit(row, choice->time_limit_ns))
        return false;
    if (choice && choice->mine && choice->mine_run && strcmp(row->planner, choice->mine) == 0 &&
        strcmp(row->run, choice->mine_run) != 0)
        return false;
    return !choice ||
           (is_among(choice->planners, row->planner) && is_among(choice->policies, row->policy) &&
            (choice->by_orders ? takes_graph(choice, row)
                               : choice_takes_instance(choice, row->instance, row->path)));
}

bool choice_takes_all(const struct result_choice *choice)
{
    return !choice || !(choice->run || choice->instances || choice->policies || choice->planners ||
                        choice->mine_run || choice->time_limit_ns || choice->by_orders);
}

enum status choice_list(struct store *store, const char *table, const char *column,
                        struct names *names, struct error *error)
{
    SCOPED(names_free) struct names columns = {0};
    struct text sql = {0};
    TRY(sqlite_ask(store, "SELECT name FROM pragma_table_info(?1)",
                   &(struct sqlite_question){&table, 1, sqlite_take_name, &columns}, error));
    if (names_find(&columns, column) == NAMES_NONE)
        return STATUS_OK;
    text_append(&sql, "SELECT DISTINCT %s FROM %s", column, table);
    return sqlite_ask_made(
        store, &sql, &(struct sqlite_question){.take = sqlite_take_name, .context = names}, error);
}
