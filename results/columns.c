#include "results/columns.h"

#include "results/store.h"

#define TEXT_COLUMN(field, key)                                                                    \
    {                                                                                              \
#field, COLUMN_TEXT, offsetof(struct result_row, field), key                               \
    }
#define INTEGER_COLUMN(field, key)                                                                 \
    {                                                                                              \
#field, COLUMN_INTEGER, offsetof(struct result_row, field), key                            \
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
    INTEGER_COLUMN(split_buffers, false),
    INTEGER_COLUMN(wall_ns, false),
    TEXT_COLUMN(wall_samples, false),
    TEXT_COLUMN(host, false),
    TEXT_COLUMN(build, false),
    TEXT_COLUMN(started, false),
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
