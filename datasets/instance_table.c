#include "datasets/instance_table.h"

#include <string.h>

#include "core/known_names.h"

/* The networks of the zoo come after these in the table of built-in instances. */
static const struct instance_row files[] = {
#include "datasets/builtin.def"
};

enum { FILES = sizeof files / sizeof *files };

uint32_t instance_count(void)
{
    return FILES + zoo_count();
}

struct instance_row instance_at(uint32_t index)
{
    if (index < FILES)
        return files[index];
    const struct zoo_network *zoo = zoo_at(index - FILES);
    return (struct instance_row){.name = zoo->name,
                                 .kind = INSTANCE_GRAPH,
                                 .title = zoo->title,
                                 .has_control_flow = zoo->has_control_flow};
}

const char *instance_kind_name(enum instance_kind kind)
{
    return kind == INSTANCE_GRAPH ? "graph" : "problem";
}

bool instance_source_find(const char *name, size_t length, struct instance_source *source)
{
    for (uint32_t i = 0; i < instance_count(); i++) {
        struct instance_row row = instance_at(i);
        if (strlen(row.name) != length || memcmp(row.name, name, length) != 0)
            continue;
        *source = (struct instance_source){row, i < FILES ? NULL : zoo_at(i - FILES)};
        return true;
    }
    return false;
}

static const char *get_name(const void *context, uint32_t index)
{
    (void)context;
    return instance_at(index).name;
}

void instance_source_suggest(const char *name, struct text *names)
{
    const struct known_names known = {.count = instance_count(), .name_at = get_name};
    known_names_suggest(&known, name, strlen(name), names);
}
