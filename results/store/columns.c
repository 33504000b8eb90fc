#include "results/store/columns.h"

#include "results/store/store.h"

#define TEXT_COLUMN(field, key)                                                                    \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct result_row, field), key, 1                            \
    }
#define INTEGER_COLUMN(field, key)                                                                 \
    {                                                                                              \
#field, COLUMN_INTEGER, offsetof(struct result_row, field), key, 1                         \
    }
#define TEXT_COLUMN_SINCE(field, version)                                                          \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct result_row, field), false, version                    \
    }
#define INTEGER_COLUMN_SINCE(field, version)                                                       \
    {                                                                                              \
#field, COLUMN_INTEGER, offsetof(struct result_row, field), false, version                 \
    }

static const struct column columns[] = {
    TEXT_COLUMN(run, true),
    TEXT_COLUMN(instance, true),
    TEXT_COLUMN(digest, true),
    TEXT_COLUMN(policy, true),
    TEXT_COLUMN(planner, true),
    TEXT_COLUMN(options, true),
    INTEGER_COLUMN(seed, true),
    INTEGER_COLUMN(repetition, true),
    TEXT_COLUMN(status, false),
    TEXT_COLUMN(verdict, false),
    TEXT_COLUMN(execution, false),
    TEXT_COLUMN(stop_reason, false),
    INTEGER_COLUMN(buffers, false),
    INTEGER_COLUMN(peak_bytes, false),
    INTEGER_COLUMN(lower_bound_bytes, false),
    INTEGER_COLUMN(load_bytes, false),
    INTEGER_COLUMN(naive_bytes, false),
    INTEGER_COLUMN(nodes, false),
    INTEGER_COLUMN(paths, false),
    INTEGER_COLUMN(wall_ns, false),
    TEXT_COLUMN(wall_samples, false),
    TEXT_COLUMN(host, false),
    TEXT_COLUMN(build, false),
    TEXT_COLUMN(started, false),
    INTEGER_COLUMN_SINCE(split_buffers, 2),
    INTEGER_COLUMN_SINCE(pool_bytes, 2),
    INTEGER_COLUMN_SINCE(pools, 2),
    TEXT_COLUMN_SINCE(counters, 3),
    TEXT_COLUMN_SINCE(curve, 3),
    INTEGER_COLUMN_SINCE(best_ns, 3),
    TEXT_COLUMN_SINCE(fault, 3),
    TEXT_COLUMN_SINCE(addresses, 3),
};

unsigned columns_count(void)
{
    return sizeof columns / sizeof *columns;
}

const struct column *columns_at(unsigned index)
{
    return &columns[index];
}

void columns_list(struct text *sql, const char *before, const char *after, bool key_only)
{
    const char *separator = "";
    for (unsigned i = 0; i < columns_count(); i++) {
        if (key_only && !columns[i].key)
            continue;
        text_append(sql, "%s%s%s%s", separator, before, columns[i].name, after);
        separator = ", ";
    }
}

static const char *const no_value[] = {[COLUMN_TEXT] = "''", [COLUMN_INTEGER] = "0"};

void columns_read(struct text *sql, const char *table, int version)
{
    for (unsigned i = 0; i < columns_count(); i++) {
        bool there = columns[i].since <= version;
        text_append(sql, "%s%s%s%s", i ? ", " : "", there ? table : "", there ? "." : "",
                    there ? columns[i].name : no_value[columns[i].kind]);
    }
}

void columns_declare(struct text *sql, const struct column *column, bool with_value)
{
    static const char *const types[] = {[COLUMN_TEXT] = "TEXT", [COLUMN_INTEGER] = "INTEGER"};
    text_append(sql, "%s %s NOT NULL", column->name, types[column->kind]);
    if (with_value)
        text_append(sql, " DEFAULT %s", no_value[column->kind]);
}
